import type { EditorView } from '@tiptap/pm/view';
import { declarationsOf, tablesAsLines } from '#core/html';
import { joinLines, tidyOffice } from './office.ts';

/** What the place that is pasted into can hold. */
export interface PastePlace {
  readonly tables: boolean;
  /** Paragraphs, headings and lists. Without them all becomes lines. */
  readonly blocks: boolean;
}

/**
 * Pasted HTML without the looks of other programs, whose fonts and colours don't belong on this site, and without pictures of other sites.
 *
 * @param onLeftOut told how many pictures were left out, if any
 */
export function plainPaste(
  html: string,
  place: PastePlace = { tables: true, blocks: true },
  onLeftOut: (pictures: number) => void = () => {},
): string {
  // Style sheets are only read: as such the page's security policy would report them.
  const inert = html.replace(/<(\/?)style(?=[\s>])/gi, (_tag, slash: string) => `<${slash}script data-css`);
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  // What was copied within an editor of ours keeps its looks.
  const copied = body.querySelectorAll('[data-pm-slice]');
  if (copied.length === 0) clean(body, onLeftOut);
  else if (place.blocks && (place.tables || !body.querySelector('table'))) return html;
  for (const element of copied) element.removeAttribute('data-pm-slice');
  if (!place.tables) body.innerHTML = tablesAsLines(body.innerHTML);
  if (!place.blocks) joinLines(body);
  return body.innerHTML;
}

function clean(body: HTMLElement, onLeftOut: (pictures: number) => void): void {
  const foreign = [...body.querySelectorAll('img')].filter((image) => !isOwn(image.getAttribute('src') ?? ''));
  for (const image of foreign) image.remove();
  if (foreign.length > 0) onLeftOut(foreign.length);
  codeAsBlocks(body);
  tidyOffice(body);
  for (const element of body.querySelectorAll('script, style, meta, link, title, head, noscript, template'))
    element.remove();
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name);
    if (element.getAttribute('dir') === 'ltr') element.removeAttribute('dir');
  }
}

/** Code that editors copy as lines in a monospaced font becomes a block, which keeps its indentation. */
function codeAsBlocks(body: HTMLElement): void {
  for (const element of body.querySelectorAll('div')) {
    const style = declarationsOf(element.getAttribute('style') ?? '');
    const isCode =
      style.get('white-space')?.startsWith('pre') &&
      /mono|consolas|menlo|courier/i.test(style.get('font-family') ?? '');
    if (!isCode || element.closest('pre')) continue;
    const { children, textContent: text } = element;
    const lines = children.length > 0 ? [...children].map(({ textContent }) => textContent) : [text];
    const block = document.createElement('pre');
    block.append(Object.assign(document.createElement('code'), { textContent: lines.join('\n') }));
    element.replaceWith(block);
  }
}

const kept = new Set(['href', 'src', 'alt', 'title', 'start', 'colspan', 'rowspan', 'lang', 'dir']);

/** What fits where the cursor is: tables if the editor knows them, and only lines within a cell or a text of one line. */
export function placeIn({ state: { schema, selection } }: EditorView): PastePlace {
  const parent = selection.$from.parent;
  const blocks = selection.$from.depth > 0 && parent.type.name !== 'tableCell';
  return { tables: blocks && schema.nodes.table !== undefined, blocks };
}

/** Whether a picture is of this site; pictures of other sites aren't shown. */
export function isOwn(address: string): boolean {
  const url = URL.parse(address, document.baseURI);
  return url !== null && url.origin === location.origin && !address.startsWith('data:');
}
