import type { Editor } from '@tiptap/core';
import { notify, t } from 'pergola/browser';
import { lazy, Suspense } from 'react';
import { flushSync } from 'react-dom';
import type { Refusal, SaveConflict, TranslatedPart } from '../calls.ts';
import type { MediaKind } from '../media.ts';
import type { EditSession, SessionView } from '../session.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { FormTranslation } from './form-translation.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { type Chosen, MediaDialog } from './media-dialog.tsx';
import { PageTexts } from './page-texts.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { SameTexts } from './same-texts.tsx';
import { SaveBlockDialog } from './save-block-dialog.tsx';

/** Windows that the editor opens, one at a time. */
export type EditorWindow =
  | { readonly kind: 'link' | 'preview' | 'same' | 'look' }
  | { readonly kind: 'texts'; readonly record: TranslatedPart }
  | { readonly kind: 'save-block'; readonly block: NonNullable<SessionView['block']> }
  | { readonly kind: 'form'; readonly id: number | null; done(id: number): void }
  | { readonly kind: 'media'; readonly media: MediaKind; take(chosen: Chosen): void }
  | { readonly kind: 'conflict'; readonly conflicts: readonly SaveConflict[]; readonly refused: readonly Refusal[] };

const LookPanel = lazy(async () => ({ default: (await import('../../../look/browser/panel.tsx')).LookPanel }));

export interface EditorWindowsProps {
  readonly session: EditSession;
  readonly opened: EditorWindow;
  readonly isTranslation: boolean;
  /** The active text. */
  readonly editor: Editor | null;
  onClose(): void;
  /** Called when the block list has changed. */
  onDrawer(): void;
  /** Called to save again after conflicts are resolved. */
  onSave(): void;
  say(text: string): void;
}

/** The open window, except the look panel. */
export function EditorWindows({
  session,
  opened,
  isTranslation,
  editor,
  onClose,
  onDrawer,
  onSave,
  say,
}: EditorWindowsProps) {
  const savedForm = (done: (id: number) => void) => (id: number) => {
    onClose();
    onDrawer();
    done(id);
  };
  return (
    <>
      {opened.kind === 'link' && editor ? <LinkDialog editor={editor} isPage onClose={onClose} /> : null}
      {opened.kind === 'preview' ? <PreviewDialog onClose={onClose} /> : null}
      {opened.kind === 'save-block' ? (
        <SaveBlockDialog
          session={session}
          block={opened.block}
          onClose={onClose}
          onSaved={() => {
            onClose();
            say(t('Saved to the block list.'));
            onDrawer();
          }}
        />
      ) : null}
      {opened.kind === 'same' ? (
        <SameTexts
          session={session}
          onClose={onClose}
          onDone={(n) => {
            onClose();
            say(t('Kept as is: {n}', { n }));
          }}
        />
      ) : null}
      {opened.kind === 'texts' ? (
        <PageTexts
          record={opened.record}
          lang={session.lang}
          nameOf={(lang) => session.languageOf(lang)?.name ?? ''}
          onPage={(words) => session.translationOf(words)}
          onClose={onClose}
          onSaved={() => {
            onClose();
            void session.reloadParts();
          }}
        />
      ) : null}
      {opened.kind === 'form' && isTranslation && opened.id !== null ? (
        <FormTranslation
          id={opened.id}
          lang={session.lang}
          nameOf={(lang) => session.languageOf(lang)?.name ?? ''}
          onClose={onClose}
          onSaved={savedForm(opened.done)}
        />
      ) : null}
      {opened.kind === 'form' && !(isTranslation && opened.id !== null) ? (
        <FormDialog id={opened.id} lang={session.lang} onClose={onClose} onSaved={savedForm(opened.done)} />
      ) : null}
      {opened.kind === 'media' ? (
        <MediaDialog
          media={opened.media}
          onClose={onClose}
          onChoose={(selection) => {
            onClose();
            opened.take(selection);
          }}
        />
      ) : null}
      {opened.kind === 'conflict' ? (
        <ConflictDialog
          conflicts={opened.conflicts}
          refused={opened.refused}
          onClose={onClose}
          onResolve={(keep) => {
            for (const [index, conflict] of opened.conflicts.entries()) {
              session.resolve(conflict, keep[index] ?? 'mine');
            }
            onClose();
            onSave();
          }}
        />
      ) : null}
    </>
  );
}

/** Changes the look of the site. Editing continues with the new look. */
export function LookWindow({ onClose }: { onClose(): void }) {
  const close = (): void => {
    flushSync(onClose);
    document.querySelector<HTMLElement>('.ed-look')?.focus();
  };
  const take = async (_site: unknown, hasPictures: boolean): Promise<void> => {
    const { showSavedLook } = await import('../../../look/browser/use-shown.ts');
    await showSavedLook();
    close();
    notify(hasPictures ? t('Saved and live. New images appear here once you close the editor.') : t('Saved and live.'));
  };
  return (
    <Suspense>
      <div className="look-root">
        <LookPanel onClose={close} onSaved={take} />
      </div>
    </Suspense>
  );
}
