import type { EditorView } from '@tiptap/pm/view';
import { declarationsOf, tablesAsLines } from 'pergola/html';
import { joinLines, tidyOffice } from './office.ts';

/** Content that the paste target accepts. */
export interface PastePlace {
  readonly tables: boolean;
  /** Paragraphs, headings and lists. Otherwise everything becomes lines of text. */
  readonly blocks: boolean;
  /** Whether the page already has a level 1 heading, so that pasted headings move one level down. */
  readonly titled?: boolean;
}

/**
 * Returns pasted HTML without the formatting of other programs, whose fonts and colours don't belong on this site, and without images of
 * other sites.
 *
 * @param onLeftOut called with the number of images left out, if any
 */
export function plainPaste(
  html: string,
  place: PastePlace = { tables: true, blocks: true },
  onLeftOut: (pictures: number) => void = () => {},
): string {
  // The style sheets are only read. As style elements they would be reported by the page's security policy.
  const inert = html.replace(/<(\/?)style(?=[\s>])/gi, (_tag, slash: string) => `<${slash}script data-css`);
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  // Content copied from one of our editors keeps its formatting.
  const copied = body.querySelectorAll('[data-pm-slice]');
  if (copied.length === 0) clean(body, onLeftOut);
  else if (place.blocks && (place.tables || !body.querySelector('table'))) return html;
  for (const element of copied) element.removeAttribute('data-pm-slice');
  if (!place.tables) body.innerHTML = tablesAsLines(body.innerHTML);
  if (!place.blocks) joinLines(body);
  else if (place.titled) lowerHeadings(body);
  return body.innerHTML;
}

/** Moves all headings one level down if there is a level 1 heading. */
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
    for (const { name } of [...element.attributes]) if (!allowed.has(name)) element.removeAttribute(name);
    if (element.getAttribute('dir') === 'ltr') element.removeAttribute('dir');
  }
}

/** Elements whose text isn't part of the copied content: buttons, forms, drawings, and media with their fallback text. */
const controls =
  'button, [role="button"]:not(a), select, textarea, progress, meter, svg, canvas, video, audio, iframe, object, embed, [role="checkbox"] > img, .Apple-interchange-newline';

/** Chats and emails contain emoji as images, with the character as alternative text. */
function isEmoji(text: string): boolean {
  return (
    /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text) &&
    /^[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u.test(text)
  );
}

/**
 * Turns code copied as lines in a monospaced font into a code block, which keeps the indentation. Removes everything but the code from
 * blocks.
 */
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

const allowed = new Set(['href', 'src', 'alt', 'title', 'start', 'colspan', 'rowspan', 'lang', 'dir']);

/**
 * Returns the content accepted at the cursor: tables if the editor supports them, and only inline text within cells or single-line texts.
 */
export function placeIn({ dom, state: { schema, selection } }: EditorView): PastePlace {
  const parent = selection.$from.parent;
  const blocks = selection.$from.depth > 0 && parent.type.name !== 'tableCell';
  const titled = [...dom.ownerDocument.querySelectorAll('h1')].some((heading) => !dom.contains(heading));
  return { tables: blocks && schema.nodes.table !== undefined, blocks, titled };
}

/** Whether an image is hosted on this site; others aren't shown. */
export function isOwn(address: string): boolean {
  const url = URL.parse(address, document.baseURI);
  return url !== null && url.origin === location.origin && !address.startsWith('data:');
}
