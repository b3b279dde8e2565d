import '../editor/browser/editor.css';
import type { BarAbout, DialogName } from '../editor/browser/app.tsx';
import { withoutEditor } from '../snippets/browser/scroll-hash.ts';

/**
 * The bar where editors begin. The editor itself is loaded when it is first used; `?enable_editor=1` uses it at once, and is taken out of the
 * address, so that loading the page again shows it as visitors see it.
 */
export default function editZone(bar: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const start = bar.querySelector<HTMLButtonElement>('[data-editor-start]');
  const pageId = Number(bar.dataset.pageId);
  const about: BarAbout = {
    lang: bar.dataset.lang ?? 'en_US',
    pageId: pageId > 0 ? pageId : null,
    languages: { here: bar.dataset.language ?? '', source: bar.dataset.sourceLanguage ?? '' },
  };
  const isEditable = document.querySelector('[data-oe-model][data-oe-id][data-oe-field]') !== null;
  if (start) start.hidden = !isEditable;
  bar.hidden = false;

  const edit = async (): Promise<void> => {
    if (bar.dataset.busy !== undefined) return;
    bar.dataset.busy = '';
    const { startEditing } = await import('../editor/browser/app.tsx');
    const isOn = await startEditing(about);
    bar.hidden = isOn;
    delete bar.dataset.busy;
  };
  start?.addEventListener('click', () => void edit(), { signal });
  for (const button of bar.querySelectorAll<HTMLElement>('[data-editor-dialog]')) {
    button.addEventListener(
      'click',
      async () => {
        button.closest('details')?.removeAttribute('open');
        const { openDialog } = await import('../editor/browser/app.tsx');
        openDialog(button.dataset.editorDialog as DialogName, about);
      },
      { signal },
    );
  }
  if (new URL(location.href).searchParams.has('enable_editor')) {
    history.replaceState(history.state, '', withoutEditor(location.href));
    if (isEditable) void edit();
  }
  return () => ended.abort();
}
