import type { EditorView } from '@tiptap/pm/view';
import { declarationsOf, tablesAsLines } from 'pergola/html';
import { joinLines, tidyOffice } from './office.ts';

/** What the place that is pasted into can hold. */
export interface PastePlace {
  readonly tables: boolean;
  /** Paragraphs, headings and lists. Without them all becomes lines. */
  readonly blocks: boolean;
  /** Whether its page has a heading of level 1 already, so that headings of that level belong one level lower. */
  readonly titled?: boolean;
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
  else if (place.titled) lowerHeadings(body);
  return body.innerHTML;
}

/** Moves all headings one level down if there is one of level 1. */
function lowerHeadings(body: HTMLElement): void {
  if (!body.querySelector('h1')) return;
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`);
    for (const { name, value } of heading.attributes) lower.setAttribute(name, value);
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
}

function clean(body: HTMLElement, onLeftOut: (pictures: number) => void): void {
  for (const element of body.querySelectorAll(controls)) element.remove();
  const foreign = [...body.querySelectorAll('img')].filter((image) => !isOwn(image.getAttribute('src') ?? ''));
  const emoji = foreign.filter(({ alt }) => isEmoji(alt));
  for (const image of emoji) image.replaceWith(image.alt);
  const leftOut = foreign.length - emoji.length;
  for (const image of foreign) image.remove();
  if (leftOut > 0) onLeftOut(leftOut);
  codeAsBlocks(body);
  tidyOffice(body);
  for (const element of body.querySelectorAll('script, style, meta, link, title, head, noscript, template'))
    element.remove();
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!kept.has(name)) element.removeAttribute(name);
    if (element.getAttribute('dir') === 'ltr') element.removeAttribute('dir');
  }
}

/** Elements whose text belongs to the page that was copied, not to what it says: its buttons and forms, drawings, and what is read instead of a film. */
const controls =
  'button, [role="button"]:not(a), select, textarea, progress, meter, svg, canvas, video, audio, iframe, object, embed, [role="checkbox"] > img, .Apple-interchange-newline';

/** Chats and emails show emoji as pictures, with the sign as their text. */
function isEmoji(text: string): boolean {
  return (
    /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text) &&
    /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(text)
  );
}

/** Code that editors copy as lines in a monospaced font becomes a block, which keeps its indentation; blocks keep their code only. */
function codeAsBlocks(body: HTMLElement): void {
  for (const element of body.querySelectorAll('div, pre')) {
    const style = declarationsOf(element.getAttribute('style') ?? '');
    const isCode =
      style.get('white-space')?.startsWith('pre') &&
      /mono|consolas|menlo|courier/i.test(style.get('font-family') ?? '');
    if (!(isCode || element.localName === 'pre') || element.parentElement?.closest('pre')) continue;
    const codes = element.querySelectorAll('code');
    const block = document.createElement('pre');
    block.append(
      Object.assign(document.createElement('code'), {
        textContent: codeIn(codes.length === 1 && codes[0] ? codes[0] : element),
      }),
    );
    element.replaceWith(block);
  }
}

function codeIn(element: Element): string {
  for (const lineBreak of element.querySelectorAll('br')) lineBreak.replaceWith('\n');
  for (const line of [...element.querySelectorAll('div, p, li, tr')].toReversed())
    if (!line.textContent.endsWith('\n')) line.append('\n');
  return element.textContent.replace(/\n$/, '');
}

const kept = new Set(['href', 'src', 'alt', 'title', 'start', 'colspan', 'rowspan', 'lang', 'dir']);

/** What fits where the cursor is: tables if the editor knows them, and only lines within a cell or a text of one line. */
export function placeIn({ dom, state: { schema, selection } }: EditorView): PastePlace {
  const parent = selection.$from.parent;
  const blocks = selection.$from.depth > 0 && parent.type.name !== 'tableCell';
  const titled = [...dom.ownerDocument.querySelectorAll('h1')].some((heading) => !dom.contains(heading));
  return { tables: blocks && schema.nodes.table !== undefined, blocks, titled };
}

/** Whether a picture is of this site; pictures of other sites aren't shown. */
export function isOwn(address: string): boolean {
  const url = URL.parse(address, document.baseURI);
  return url !== null && url.origin === location.origin && !address.startsWith('data:');
}
