import '../editor/browser/editor.css';
import type { BarAbout, DialogName } from '../editor/browser/app.tsx';
import { withoutEditor } from '../snippets/browser/scroll-hash.ts';

/**
 * The bar where editors begin. The editor itself is loaded when it is first used; `?enable_editor=1` uses it at once, and is taken out of the
 * address, so that loading the page again shows it as visitors see it.
 */
export default function editZone(bar: HTMLElement): () => void {
  const { lang = 'en_US', pageId, languages = '[]' } = bar.dataset;
  const about: BarAbout = {
    lang,
    pageId: Number(pageId) || null,
    languages: JSON.parse(languages) as BarAbout['languages'],
  };
  const isEditable = document.querySelector('[data-oe-model][data-oe-id][data-oe-field]') !== null;
  const start = bar.querySelector<HTMLElement>('[data-editor-start]');
  if (start) start.hidden = !isEditable;
  bar.hidden = false;

  const edit = async (): Promise<void> => {
    if (bar.dataset.busy !== undefined) return;
    bar.dataset.busy = '';
    const { startEditing } = await import('../editor/browser/app.tsx');
    bar.hidden = await startEditing(about);
    delete bar.dataset.busy;
  };
  const press = async ({ target }: Event): Promise<void> => {
    const button = (target as Element).closest<HTMLElement>('[data-editor-start], [data-editor-dialog]');
    if (!button) return;
    const { editorDialog } = button.dataset;
    if (editorDialog === undefined) return edit();
    button.closest('details')?.removeAttribute('open');
    const { openDialog } = await import('../editor/browser/app.tsx');
    openDialog(editorDialog as DialogName, about);
  };
  bar.addEventListener('click', press);
  if (new URL(location.href).searchParams.has('enable_editor')) {
    history.replaceState(history.state, '', withoutEditor(location.href));
    if (isEditable) void edit();
  }
  return () => bar.removeEventListener('click', press);
}
