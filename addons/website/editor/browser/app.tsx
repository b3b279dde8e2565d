import { notify, t } from 'pergola/browser';
import { showBeside } from '../../islands/parts/show-beside.ts';
import { reloadPage } from '../../snippets/browser/scroll-hash.ts';
import { reloadSaved } from './done.ts';
import { findPieces } from './fields/field.ts';
import { EditSession, type PageLanguage } from './session.ts';
import { troubleOf } from './trouble.ts';
import { CheckWindow } from './ui/check-dialog.tsx';
import { EditorApp } from './ui/editor-app.tsx';
import { HistoryDialog } from './ui/history-dialog.tsx';
import { MediaDialog } from './ui/media-dialog.tsx';
import { MenuDialog } from './ui/menu-dialog.tsx';
import { NewPageDialog } from './ui/new-page-dialog.tsx';
import { PageDialog } from './ui/page-dialog.tsx';
import { SeoDialog } from './ui/seo-dialog.tsx';

/** Dialogs of the editor menu. */
export type DialogName = 'page' | 'seo' | 'history' | 'new-page' | 'menu' | 'media' | 'check';

/** Language of the page, and its record if it has one. */
export interface BarAbout {
  readonly lang: string;
  readonly pageId: number | null;
  readonly languages: readonly PageLanguage[];
  /** Whether the user may change the look of the site. */
  readonly hasLook: boolean;
}

/** Starts editing the page, in a translation optionally at `begin`. Returns false after a notification if the page can't be edited. */
export async function startEditing({ lang, languages, hasLook }: BarAbout, begin?: string): Promise<boolean> {
  const pasted: { take: (files: readonly File[]) => void } = { take: () => {} };
  try {
    const session = await EditSession.open(lang, document, { onPictures: (files) => pasted.take(files) }, languages);
    if (session.fields.size === 0) {
      notify(t('There’s nothing you can edit on this page.'), 'alert');
      return false;
    }
    document.documentElement.setAttribute('data-ed-on', '');
    const leave = (changeKey: string | null): void => (changeKey === null ? reloadPage() : reloadSaved(changeKey));
    // Mounted in place of the button so that keyboard focus continues from there.
    const place = document.querySelector('[data-editor-place]') ?? document.body;
    await showBeside(place, 'ed-root', () => (
      <EditorApp session={session} pasted={pasted} begin={begin} hasLook={hasLook} onDone={leave} />
    ));
    return true;
  } catch (error) {
    notify(troubleOf(error).message, 'alert');
    return false;
  }
}

/** Opens a dialog of the editor menu. */
export async function openDialog(name: DialogName, bar: BarAbout): Promise<void> {
  // Closes the menu so that focus continues from its button.
  document.querySelector<HTMLElement>('.editor-bar-menu > summary')?.focus();
  await showBeside(document.body, 'ed-root', (end) => <Window name={name} about={bar} onClose={end} />);
}

function Window({ name, about: bar, onClose }: { name: DialogName; about: BarAbout; onClose(): void }) {
  const { lang, pageId } = bar;
  if (name === 'page' && pageId !== null)
    return <PageDialog id={pageId} onSaved={(url) => goTo(url ?? '/')} onClose={onClose} />;
  if (name === 'seo') return <SeoDialog lang={lang} records={recordsOf(bar)} onSaved={reloadSaved} onClose={onClose} />;
  if (name === 'history') return <HistoryDialog records={recordsOf(bar)} onRestored={reloadPage} onClose={onClose} />;
  if (name === 'new-page')
    return <NewPageDialog onMade={(url) => location.assign(`${url}?enable_editor=1`)} onClose={onClose} />;
  if (name === 'check') return <CheckWindow pageId={pageId} onClose={onClose} />;
  if (name === 'menu') return <MenuDialog onSaved={reloadPage} onClose={onClose} />;
  return <MediaDialog media="manage" onClose={onClose} />;
}

/** Navigates to the page's address, or reloads if it is the current one. */
function goTo(url: string): void {
  if (url === location.pathname) reloadPage();
  else location.assign(url);
}

/** Editable records of the page, the page first, each labelled with its first words. */
function recordsOf({ pageId }: BarAbout): { model: string; id: number; name: string }[] {
  const records = new Map<string, { model: string; id: number; name: string }>();
  if (pageId !== null)
    records.set(`website.page ${pageId}`, { model: 'website.page', id: pageId, name: t('This page') });
  for (const { ref, elements } of findPieces(document).values()) {
    const key = `${ref.model} ${ref.id}`;
    if (records.has(key)) continue;
    const words = elements[0]?.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60);
    records.set(key, { model: ref.model, id: ref.id, name: words || key });
  }
  return [...records.values()];
}
