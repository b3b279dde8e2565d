import { declarationsOf, isHidden } from 'pergola/html';

/** Elements that form separate lines. */
const lines = 'p, div, li, dt, dd, pre, blockquote, h1, h2, h3, h4, h5, h6';

type Declarations = ReadonlyMap<string, string>;

/**
 * Replaces styles of word processors by elements: lists written as paragraphs, bold text, cells with several lines. Removes everything that
 * isn't part of the text: hidden words, reviewers' comments, list markers, empty lines.
 */
export function tidyOffice(body: HTMLElement): void {
  const styles = new Map<Element, Declarations>();
  for (const element of body.querySelectorAll('[style]'))
    styles.set(element, declarationsOf(element.getAttribute('style') ?? ''));
  for (const element of body.querySelectorAll(`${commentary}, [hidden]`)) element.remove();
  removeHidden(body, styles);
  // Browsers copy absolute addresses, so these links point into the copied document.
  for (const link of body.querySelectorAll('a[href^="#"], a[href^="file:"]')) unwrap(link);
  for (const insertion of body.querySelectorAll('ins[datetime]')) unwrap(insertion);
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const level of [1, 2, 3, 4, 5, 6])
    for (const heading of body.querySelectorAll(`:is(p, div)[role="heading"][aria-level="${level}"]`))
      rename(heading, `h${level}`);
  for (const [element, style] of styles) {
    if (/^(b|strong)$/.test(element.localName) && /^(normal|400)$/.test(style.get('font-weight') ?? ''))
      unwrap(element);
    else if (element.localName === 'span' && !element.closest('a, h1, h2, h3, h4, h5, h6')) addLook(element, style);
  }
  makeLists(body, styles);
  joinLists(body);
  unwrapLayout(body);
  for (const cell of body.querySelectorAll('td, th')) joinLines(cell);
  for (const cell of body.querySelectorAll('thead td')) rename(cell, 'th');
  unwrapOffice(body);
  dropEmptyLines(body);
}

/** Reviewers' comments in Word and Google Docs, tracked deletions, and paragraph marks of Word on the web. */
const commentary =
  '.MsoCommentReference, .msocomanchor, .msocomtxt, .msoDel, del[datetime], .EOP, sup:has(> a[id^="cmnt_ref"]), div:has(> p > a[id^="cmnt"])';

function removeHidden(body: HTMLElement, styles: Map<Element, Declarations>): void {
  for (const selector of hiddenSelectors(body.ownerDocument))
    for (const element of selected(body, selector)) element.remove();
  for (const [element, style] of styles) {
    const part = style.get('mso-element') ?? '';
    if (isHidden(style) || part.startsWith('comment') || style.get('mso-special-character') === 'comment')
      element.remove();
    else if (hasNoSize(style)) {
      // The text may be sized by a descendant instead.
      for (const text of textsIn(element)) if (sizedBy(text, styles) === element) (text as Text).remove();
    }
  }
}

/** Returns the selectors of rules that hide text in the copied style sheets. */
function hiddenSelectors(document: Document): string[] {
  return [...document.querySelectorAll('[data-css]')].flatMap(({ textContent }) => {
    const css = textContent
      .replace(/<!--|-->|\/\*[\s\S]*?\*\//g, '')
      .replace(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
    const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
    return rules.flatMap(([, selector = '', declarations = '']) =>
      isHidden(declarationsOf(declarations)) ? [selector.trim()] : [],
    );
  });
}

function selected(body: HTMLElement, selector: string): Iterable<Element> {
  try {
    return body.querySelectorAll(selector);
  } catch {
    return []; // Word writes non-standard selectors such as `@list l0:level1`.
  }
}

function hasNoSize(style: Declarations | undefined): boolean {
  return /^0*\.?0+([a-z]{2,4}|%)?$/.test(style?.get('font-size') ?? '');
}

function sizedBy(text: Node, styles: Map<Element, Declarations>): Element | null {
  let element = text.parentElement;
  while (element && !styles.get(element)?.has('font-size')) element = element.parentElement;
  return element;
}

function textsIn(element: Element): Node[] {
  return nodesIn(element, NodeFilter.SHOW_TEXT);
}

function nodesIn(element: Element, kind: number): Node[] {
  const walker = element.ownerDocument.createTreeWalker(element, kind);
  const nodes: Node[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  for (const attribute of ['colspan', 'rowspan']) {
    const value = element.getAttribute(attribute);
    if (value !== null) renamed.setAttribute(attribute, value);
  }
  element.replaceWith(renamed);
}

const looks: readonly (readonly [property: string, value: RegExp, element: string])[] = [
  ['font-weight', /^(bold|[6-9]00)$/, 'strong'],
  ['font-style', /^italic$/, 'em'],
  ['text-decoration', /underline/, 'u'],
  ['text-decoration-line', /underline/, 'u'],
  ['text-decoration', /line-through/, 's'],
  ['text-decoration-line', /line-through/, 's'],
  ['vertical-align', /^super$/, 'sup'],
  ['vertical-align', /^sub$/, 'sub'],
];

function addLook(element: Element, style: Declarations): void {
  for (const [property, value, name] of looks) {
    if (!value.test(style.get(property) ?? '')) continue;
    const look = element.ownerDocument.createElement(name);
    look.append(...element.childNodes);
    element.append(look);
  }
}

/**
 * Turns Word's list paragraphs into lists: their style holds the level, their first words are the marker. Removes bullets from headings and
 * cells, and numbers from headings, because Word numbers them automatically.
 */
function makeLists(body: HTMLElement, styles: Map<Element, Declarations>): void {
  let open: { readonly level: number; readonly list: Element }[] = [];
  for (const line of body.querySelectorAll(`:is(${lines}):not(:has(${lines}))`)) {
    const mark = markOf(line, styles);
    const level = Number(/\blevel(\d)/.exec(styles.get(line)?.get('mso-list') ?? '')?.[1] ?? 0);
    const text = mark
      .map((node) => node.textContent)
      .join('')
      .trim();
    const number = /^\(?(\d{1,6}|\w+(?=[.)]))/.exec(text)?.[1] ?? '';
    const isNumbered = number !== '';
    const cell = line.closest('td, th');
    if (!(cell && isNumbered)) for (const node of mark) (node as ChildNode).remove();
    if (level === 0 || cell || line.localName !== 'p') continue;
    if (line.previousElementSibling !== open[0]?.list) open = [];
    open = open.filter((entry) => entry.level <= level);
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement(isNumbered ? 'ol' : 'ul');
      if (/^\d+$/.test(number) && Number(number) !== 1) list.setAttribute('start', number);
      const parentItem = open.at(-1)?.list.lastElementChild;
      if (parentItem) parentItem.append(list);
      else line.before(list);
      open.push({ level, list });
    }
    const item = body.ownerDocument.createElement('li');
    item.append(...line.childNodes);
    open.at(-1)?.list.append(item);
    line.remove();
  }
}

/** Returns the marker before the text of a line, written by Word, or by Outlook between two conditional comments. */
function markOf(line: Element, styles: Map<Element, Declarations>): readonly Node[] {
  const ignored = [...line.querySelectorAll('[style]')].filter(
    (element) => styles.get(element)?.get('mso-list') === 'ignore',
  );
  if (ignored.length > 0) return ignored;
  const start = nodesIn(line, NodeFilter.SHOW_COMMENT).find(({ textContent }) =>
    /^\[if !supportLists\]/i.test(textContent ?? ''),
  );
  const mark: Node[] = [];
  for (let node = start?.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === Node.COMMENT_NODE) return mark;
    mark.push(node);
  }
  return [];
}

/** Joins lists that Word on the web splits by item and Slack splits by level. Both state the level of each list. */
function joinLists(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) unwrap(wrapper);
  for (const list of body.querySelectorAll('ul, ol')) {
    const level = levelOf(list);
    let place = list.previousElementSibling;
    if (level === 0 || !place?.matches('ul, ol') || levelOf(place) === 0) continue;
    while (place && levelOf(place) < level) {
      const item: Element | null = place.lastElementChild;
      const inner: Element | null = item?.lastElementChild ?? null;
      if (inner?.matches('ul, ol')) place = inner;
      else {
        item?.append(list);
        place = null;
      }
    }
    if (place?.localName !== list.localName || levelOf(place) !== level) continue;
    place.append(...list.childNodes);
    list.remove();
  }
}

/** Returns the level of a list's items from 1, or 0 if it isn't stated. */
function levelOf(list: Element): number {
  const item = list.firstElementChild;
  const indent = item?.getAttribute('data-stringify-indent');
  return Number(item?.getAttribute('data-aria-level') ?? (indent ? Number(indent) + 1 : 0));
}

/** Unwraps the layout tables of emails, which declare themselves as such: each cell becomes a block. */
function unwrapLayout(body: HTMLElement): void {
  const tables = body.querySelectorAll<HTMLTableElement>('table:is([role="presentation"], [role="none"])');
  for (const table of [...tables].toReversed()) {
    const cells = [...table.rows].flatMap((row) => [...row.cells]);
    for (const cell of cells) rename(cell, 'div');
    table.replaceWith(...table.querySelectorAll(':scope > * > tr > div'));
  }
}

/** Replaces paragraphs and list items by line breaks, for targets that hold inline text only. */
export function joinLines(place: Element): void {
  const breaks = new Set<Node>();
  const makeBreak = (): Node => {
    const lineBreak = place.ownerDocument.createElement('br');
    breaks.add(lineBreak);
    return lineBreak;
  };
  for (const line of place.querySelectorAll(`${lines}, ul, ol, dl`)) {
    line.before(makeBreak());
    line.after(makeBreak());
    unwrap(line);
  }
  let last: Node | null = null;
  for (const node of nodesIn(place, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)) {
    const isContent = node.nodeName === 'IMG' || (node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (isContent || node.nodeName === 'BR') {
      if (breaks.has(node) && (last === null || last.nodeName === 'BR')) (node as Element).remove();
      else last = node;
    }
  }
  if (last?.nodeName === 'BR') (last as Element).remove();
}

/** Unwraps Office elements (`o:p`) and spans that only set a language. */
function unwrapOffice(body: HTMLElement): void {
  for (const element of body.querySelectorAll('*')) {
    const isSpan = /^(span|font)$/.test(element.localName);
    if (isSpan || /[:-]/.test(element.localName)) unwrap(element);
  }
  for (const comment of nodesIn(body, NodeFilter.SHOW_COMMENT)) (comment as Comment).remove();
}

/** Removes empty lines next to blocks, because the page adds space between paragraphs. One empty line between lines of text stays. */
function dropEmptyLines(body: HTMLElement): void {
  for (const line of body.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6'))
    if (line.textContent.trim() === '' && !line.querySelector('img, hr, table')) line.remove();
  for (const line of body.querySelectorAll('br')) {
    if (line.closest('td, th, p, li, pre')) continue;
    const previous = contentBefore(line);
    const isFirst = previous
      ? previous instanceof Element && previous.matches('p, div, ul, ol, table, hr, h1, h2, h3, h4, h5, h6')
      : line.parentElement?.matches('body, div, blockquote');
    const isSecond = previous?.nodeName === 'BR' && contentBefore(previous)?.nodeName === 'BR';
    if (isFirst || isSecond) line.remove();
  }
}

function contentBefore({ previousSibling }: Node): Node | null {
  let node = previousSibling;
  while (node?.nodeType === Node.TEXT_NODE && node.textContent?.trim() === '') node = node.previousSibling;
  return node;
}
