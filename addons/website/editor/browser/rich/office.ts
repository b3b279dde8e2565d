/** What word processors say with styles, said with elements: they write lists as paragraphs, and put what is copied into one bold element. */
export function sayWithElements(body: HTMLElement): void {
  for (const gone of body.querySelectorAll(notSeen)) gone.remove();
  for (const link of body.querySelectorAll('a[href^="#_"], a[href^="file:"]')) link.replaceWith(...link.childNodes);
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const element of body.querySelectorAll('[style]')) {
    const style = element.getAttribute('style') ?? '';
    if (/^(b|strong)$/.test(element.localName) && /(^|[\s;])font-weight:\s*(normal|400)/.test(style))
      element.replaceWith(...element.childNodes);
    else if (element.localName === 'span' && !element.closest('a, h1, h2, h3, h4, h5, h6')) sayLook(element, style);
  }
  makeLists(body);
  joinLists(body);
  makeCells(body);
  dropEmptyLines(body);
}

/** Hidden words, comments on a text and the signs of a paragraph's end: no part of what was written. */
const notSeen =
  '[style*="display:none"], [style*="display: none"], [style*="mso-hide:all"], [style*="mso-element:comment"], .MsoCommentReference, .EOP';

function rename(element: Element, name: string): void {
  const made = element.ownerDocument.createElement(name);
  made.append(...element.childNodes);
  for (const kept of ['colspan', 'rowspan']) {
    const value = element.getAttribute(kept);
    if (value !== null) made.setAttribute(kept, value);
  }
  element.replaceWith(made);
}

const looks: readonly (readonly [pattern: RegExp, element: string])[] = [
  [/font-weight:\s*(bold|[6-9]00)/, 'strong'],
  [/font-style:\s*italic/, 'em'],
  [/text-decoration[^;]*underline/, 'u'],
  [/text-decoration[^;]*line-through/, 's'],
  [/vertical-align:\s*super/, 'sup'],
  [/vertical-align:\s*sub/, 'sub'],
];

function sayLook(element: Element, style: string): void {
  for (const [pattern, name] of looks) {
    if (!pattern.test(style)) continue;
    const made = element.ownerDocument.createElement(name);
    made.append(...element.childNodes);
    element.append(made);
  }
}

/** Word's lists are paragraphs that say in their style how deep they are, each with its mark as text. */
function makeLists(body: HTMLElement): void {
  let open: { readonly level: number; readonly list: Element }[] = [];
  for (const line of body.querySelectorAll('p[style*="mso-list"]:not(:is(td, th) *)')) {
    const level = Number(/mso-list:\s*\S+\s+level(\d)/.exec(line.getAttribute('style') ?? '')?.[1] ?? 0);
    if (level === 0) continue;
    const mark = line.querySelector('[style*="mso-list:Ignore"]');
    if (line.previousElementSibling !== open[0]?.list) open = [];
    open = open.filter((one) => one.level <= level);
    if (open.at(-1)?.level !== level) {
      const list = body.ownerDocument.createElement(/^\(?\w+[.)]/.test(mark?.textContent?.trim() ?? '') ? 'ol' : 'ul');
      const within = open.at(-1)?.list.lastElementChild;
      if (within) within.append(list);
      else line.before(list);
      open.push({ level, list });
    }
    mark?.remove();
    const item = body.ownerDocument.createElement('li');
    item.append(...line.childNodes);
    open.at(-1)?.list.append(item);
    line.remove();
  }
}

/** On the web Word keeps each item of a list in a list of its own. */
function joinLists(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) wrapper.replaceWith(...wrapper.childNodes);
  for (const list of body.querySelectorAll('ul + ul:has(> [data-aria-level]), ol + ol:has(> [data-aria-level])')) {
    list.previousElementSibling?.append(...list.childNodes);
    list.remove();
  }
}

/** Cells of tables hold lines, which word processors write as paragraphs and lists. */
function makeCells(body: HTMLElement): void {
  const lines = 'p, div, li, h1, h2, h3, h4, h5, h6';
  for (const cell of body.querySelectorAll('td, th')) {
    for (const line of cell.querySelectorAll(`:is(${lines}):not(:has(${lines}))`)) {
      const before = body.ownerDocument.createRange();
      before.setStart(cell, 0);
      before.setEndBefore(line);
      if (before.toString().trim() !== '') line.before(body.ownerDocument.createElement('br'));
    }
    for (const line of cell.querySelectorAll(`${lines}, ul, ol`)) line.replaceWith(...line.childNodes);
  }
  for (const cell of body.querySelectorAll('thead td')) rename(cell, 'th');
}

/** Space between paragraphs is the page's: no empty lines make it. */
function dropEmptyLines(body: HTMLElement): void {
  for (const line of body.querySelectorAll('p, h1, h2, h3, h4, h5, h6'))
    if (line.textContent.trim() === '' && !line.querySelector('img')) line.remove();
  for (const line of body.querySelectorAll(':is(p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, br) + br')) {
    if (line.parentElement?.matches('td, th, p, li')) continue;
    line.remove();
  }
}
