import { newChangeKey } from '@pergola/web/browser';
import { useWindowEvent } from '@pergola/web/kit';
import { confirmDialog, notify, RpcError, t, url } from 'pergola/browser';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { BlockActions } from '../block-actions.ts';
import { calls, type Drawer, keyOfPart } from '../calls.ts';
import { setBlockNames } from '../dom/block-name.ts';
import type { Draft } from '../drafts.ts';
import { dragBlocks } from '../drag.ts';
import { useEditorKeys } from '../keys.ts';
import { upload } from '../media.ts';
import { chosenPicture, insertPicture } from '../pictures.ts';
import type { EditSession } from '../session.ts';
import { troubleOf } from '../trouble.ts';
import type { ChooseMedia } from './behind-options.tsx';
import { BlockOverlay } from './block-overlay.tsx';
import type { EditForm } from './data-block-options.tsx';
import { DraftNote } from './draft-note.tsx';
import { EditorBar } from './editor-bar.tsx';
import { type EditorWindow, EditorWindows, LookWindow } from './editor-windows.tsx';
import type { Chosen } from './media-dialog.tsx';
import { type PanelTab, SidePanel } from './side-panel.tsx';
import { goTo, TranslationPanel } from './translation-panel.tsx';
import { ValueEditor } from './value-editor.tsx';

export interface EditorAppProps {
  readonly session: EditSession;
  /** Receives images pasted into a text. */
  readonly pasted: { take: (files: readonly File[]) => void };
  /**
   * Translation to open from the address: `next` for the next untranslated text, or the key of a part (`keyOfPart`). Undefined when started
   * with the button.
   */
  readonly begin?: string | undefined;
  /** Whether the user may change the look of the site. */
  readonly hasLook?: boolean;
  /** Called when the page should be reloaded, with the key of what was saved. */
  onDone(changeKey: string | null): void;
}

/** Editor UI around the edited page. */
export function EditorApp({ session, pasted, begin, hasLook = false, onDone }: EditorAppProps) {
  const view = useSyncExternalStore(session.subscribe, session.getView);
  const actions = useMemo(() => new BlockActions(session), [session]);
  const [drawer, setDrawer] = useState<Drawer | null>(null);
  const isTranslation = session.translations.length > 0 && !session.richFields.some((field) => field.hasBlocks);
  const [panel, setPanel] = useState<PanelTab | null>(() =>
    window.innerWidth >= 1200 && (isTranslation || session.richFields.some((field) => field.hasBlocks))
      ? 'blocks'
      : null,
  );
  const previousFocus = useRef<Element | null>(null);
  const showPanel = (tab: PanelTab): void => {
    const focused = document.activeElement;
    if (!focused?.closest('.ed-panel')) previousFocus.current = focused;
    setPanel(tab);
  };
  const openPanel = (tab: PanelTab): void => {
    flushSync(() => showPanel(tab));
    document.querySelector<HTMLElement>('.ed-panel :is([aria-selected=true], h2)')?.focus();
  };
  const closePanel = (): void => {
    flushSync(() => setPanel(null));
    const back = previousFocus.current;
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    // A closed text can't take the focus.
    if (document.activeElement !== back) document.querySelector<HTMLElement>('.ed-blocks')?.focus();
  };
  const next = (): void => {
    const next = session.nextOpenTerm();
    if (next) {
      goTo(next.field, next.term);
      return;
    }
    openPanel('blocks');
    document.querySelector<HTMLElement>('.ed-panel [data-ed-to-do]:not([data-ed-to-do="0"])')?.focus();
  };
  const goToBeginning = (begin: string): void => {
    if (begin === 'next') next();
    if (!session.parts.some((part) => keyOfPart(part) === begin)) return;
    openPanel('blocks');
    const place = document.querySelector<HTMLElement>(`.ed-panel [data-ed-part="${begin}"]`);
    place?.focus();
    if (place instanceof HTMLButtonElement) place.click();
  };
  const accept = (): void => {
    if (!view.term?.field.accept(view.term.at)) return;
    say(t('Keep as is'));
    view.term.field.activate(view.term.at);
  };
  const [openWindow, setOpenWindow] = useState<EditorWindow | null>(null);
  const closeWindow = (): void => setOpenWindow(null);
  const [draft, setDraft] = useState<Draft | null>(() => session.drafts.read());
  const [announcement, say] = useState('');

  const takeDrawer = useCallback(
    (promise: Promise<Drawer>): void => {
      void promise.then(
        (nextDrawer) => {
          setBlockNames(nextDrawer);
          for (const field of session.richFields) field.nameTexts();
          setDrawer(nextDrawer);
        },
        (error: unknown) => notify(troubleOf(error).message, 'alert'),
      );
    },
    [session],
  );
  useEffect(() => takeDrawer(session.drawer), [session, takeDrawer]);
  useEffect(() => dragBlocks(session, actions, say), [session, actions]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-ed-panel', panel !== null);
  }, [panel]);
  const { term, picture } = view;
  // The image's options are in this tab.
  useEffect(() => {
    if (picture) setPanel((tab) => tab && 'options');
  }, [picture]);
  // Words of images and links are edited in the panel, so it opens before they get the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a closed panel stays closed until another text is selected
  useLayoutEffect(() => {
    if (panel === null && term && term.field.terms[term.at]?.kind !== 'text') showPanel('blocks');
  }, [term]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once on mount
  useEffect(() => {
    // A panel can only open synchronously after React has finished this effect.
    if (isTranslation && begin) queueMicrotask(() => goToBeginning(begin));
    if (begin === undefined) document.querySelector<HTMLElement>('.ed-blocks, .ed-leave')?.focus();
  }, []);
  useUnsavedGuard(session);
  useOwnFiles();

  const save = useCallback(async (): Promise<void> => {
    const changeKey = newChangeKey();
    try {
      const result = await session.save(changeKey);
      if (result.saved) onDone(result.elements.length > 0 ? changeKey : null);
      else setOpenWindow({ kind: 'conflict', conflicts: result.conflicts, refused: result.refused });
    } catch (error) {
      if (error instanceof RpcError && error.code === 100) notifySignedOut();
      else notify(troubleOf(error).message, 'alert');
    }
  }, [session, onDone]);

  const leave = async (): Promise<void> => {
    if (
      view.changed > 0 &&
      !(await confirmDialog(t('Discard your changes to this page?'), { yes: t('Discard'), no: t('Keep editing') }))
    )
      return;
    session.drafts.keep([]);
    session.end();
    onDone(null);
  };

  const takePicture = (selection: Chosen): void => {
    const replaced = chosenPicture(session.view);
    const text = session.view.region?.editor;
    if (replaced) replaced.replace(selection);
    else if (text) {
      insertPicture(text, selection);
      // Opens the options with the image's alternative text.
      text.commands.setNodeSelection(text.state.selection.from - 1);
      setPanel('options');
    }
  };

  const insertFiles = async (files: readonly File[]): Promise<void> => {
    for (const [index, file] of files.entries()) {
      const text = session.view.region?.editor;
      if (index > 0 && !text) return;
      // Inserts each image after the previous one.
      if (index > 0) text?.commands.setTextSelection(text.state.selection.to);
      try {
        takePicture({ ...(await upload(file, 'picture')), kind: 'picture' });
      } catch (error) {
        notify(troubleOf(error).message, 'alert');
      }
    }
  };
  pasted.take = (files) => void insertFiles(files);

  const editor = view.region?.editor ?? null;
  const chooseMedia = useCallback<ChooseMedia>((media, take) => setOpenWindow({ kind: 'media', media, take }), []);
  const editForm: EditForm = (id, done) => setOpenWindow({ kind: 'form', id, done });
  useEditorKeys({
    session,
    actions,
    say,
    isFree: openWindow === null,
    onSave: () => void save(),
    onLink: () => editor && setOpenWindow({ kind: 'link' }),
    onOptions: () => openPanel('options'),
    onBlocks: () => openPanel('blocks'),
    onNext: next,
    onSame: accept,
  });

  return (
    <>
      <section className="ed-dark" aria-label={t('Editor')}>
        <EditorBar
          session={session}
          view={view}
          panelOpen={panel !== null}
          looks={drawer?.options.filter((option) => option.for.includes('text')) ?? []}
          onPanel={() => (panel ? closePanel() : openPanel('blocks'))}
          onNext={next}
          onLink={() => setOpenWindow({ kind: 'link' })}
          onPicture={() => chooseMedia('picture', takePicture)}
          onPreview={() => setOpenWindow({ kind: 'preview' })}
          onSave={() => void save()}
          onLeave={() => void leave()}
        />
        <BlockOverlay
          session={session}
          view={view}
          actions={actions}
          options={drawer?.options ?? []}
          say={say}
          onOptions={() => openPanel('options')}
          onKeep={(block) => setOpenWindow({ kind: 'save-block', block })}
        />
      </section>
      {draft ? (
        <DraftNote
          draft={draft}
          onTake={() => {
            session.takeDraft(draft);
            setDraft(null);
          }}
          onDrop={() => {
            session.drafts.keep([]);
            setDraft(null);
          }}
        />
      ) : null}
      {panel && isTranslation ? (
        <TranslationPanel
          session={session}
          view={view}
          onClose={closePanel}
          onForm={editForm}
          onTexts={(record) => setOpenWindow({ kind: 'texts', record })}
          onSame={() => setOpenWindow({ kind: 'same' })}
        />
      ) : null}
      {panel && !isTranslation ? (
        <SidePanel
          session={session}
          view={view}
          actions={actions}
          drawer={drawer}
          tab={panel}
          onTab={setPanel}
          onLook={hasLook ? () => setOpenWindow({ kind: 'look' }) : undefined}
          onClose={closePanel}
          onMedia={chooseMedia}
          onForm={editForm}
          say={say}
        />
      ) : null}
      {openWindow?.kind === 'look' ? <LookWindow onClose={closeWindow} /> : null}
      {view.value ? <ValueEditor session={session} view={view.value} /> : null}
      {openWindow ? (
        <EditorWindows
          session={session}
          opened={openWindow}
          isTranslation={isTranslation}
          editor={editor}
          onClose={closeWindow}
          onDrawer={() => takeDrawer(calls.drawer())}
          onSave={() => void save()}
          say={say}
        />
      ) : null}
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}

/** Notifies the user that the session ended. Unsaved changes stay as a draft until the user signs in and comes back. */
function notifySignedOut(): void {
  const back = encodeURIComponent(`${location.pathname}?enable_editor=1`);
  notify(t('You’ve been signed out. Your changes are kept in this browser: sign in, restore them and save.'), 'alert', {
    text: t('Sign in'),
    href: `${url('/web/login')}?redirect=${back}`,
  });
}

/** Asks before leaving a page with unsaved changes, but not after saving or discarding, which reload the page. */
function useUnsavedGuard(session: EditSession): void {
  useWindowEvent('beforeunload', (event) => {
    if (session.view.phase !== 'ended' && session.view.changed > 0) event.preventDefault();
  });
}

/** Prevents the browser from opening files dropped outside texts and images. */
function useOwnFiles(): void {
  const keep = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  useWindowEvent('dragover', keep);
  useWindowEvent('drop', keep);
}
