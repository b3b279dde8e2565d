import '../editor/browser/editor.css';
import '../look/browser/panel.css';
import type { BarAbout, DialogName } from '../editor/browser/app.tsx';
import { listen } from '../snippets/browser/behaviour.ts';
import { asVisitor } from '../snippets/browser/scroll-hash.ts';

/**
 * Editor bar. Loads the editor and the “Look” panel on first use. `?enable_editor=1` (`?enable_editor=next`: at the next untranslated text)
 * and `?look=here` (`?look=3`: for the website with this id) open them immediately. Both parameters are removed from the address so that a
 * reload shows the page as visitors see it.
 */
export default function editZone(bar: HTMLElement): () => void {
  const { lang = 'en_US', pageId, languages = '[]' } = bar.dataset;
  const barData: BarAbout = {
    lang,
    pageId: Number(pageId) || null,
    languages: JSON.parse(languages) as BarAbout['languages'],
    hasLook: bar.querySelector('[data-editor-dialog="look"]') !== null,
  };
  const isEditable = document.querySelector('[data-oe-model][data-oe-id][data-oe-field]') !== null;
  bar.querySelector('[data-editor-start]')?.toggleAttribute('hidden', !isEditable);
  bar.hidden = false;

  const edit = async (begin?: string): Promise<void> => {
    if (bar.dataset.busy !== undefined) return;
    bar.dataset.busy = '';
    const { startEditing } = await import('../editor/browser/app.tsx');
    bar.hidden = await startEditing(barData, begin);
    delete bar.dataset.busy;
  };
  const open = async (name: string, website?: number): Promise<void> => {
    if (name === 'look') await (await import('../look/browser/panel.tsx')).openLookPanel(website);
    else await (await import('../editor/browser/app.tsx')).openDialog(name as DialogName, barData);
  };
  const press = ({ target }: Event): void => {
    const button = (target as Element).closest<HTMLElement>('[data-editor-start], [data-editor-dialog]');
    const name = button?.dataset.editorDialog;
    button?.closest('details')?.removeAttribute('open');
    if (button) void (name === undefined ? edit() : open(name));
  };
  const { searchParams } = new URL(location.href);
  const look = searchParams.get('look');
  const begin = searchParams.get('enable_editor');
  if (look !== null || begin !== null) history.replaceState(history.state, '', asVisitor(location.href));
  if (sessionStorage.getItem('website.done') !== null)
    void import('../editor/browser/done.ts').then(({ showDone }) => showDone());
  if (begin !== null && isEditable) void edit(begin);
  if (look !== null && barData.hasLook) void open('look', Number(look) || undefined);
  return listen(bar, ['click'], press);
}
