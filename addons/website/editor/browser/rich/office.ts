/** What word processors say with styles, said with elements: they write lists as paragraphs, and put what is copied into one bold element. */
export function sayWithElements(body: HTMLElement): void {
  for (const element of body.querySelectorAll('[style]')) {
    const style = element.getAttribute('style') ?? '';
    if (/^(b|strong)$/.test(element.localName) && /font-weight:\s*(normal|400)/.test(style))
      element.replaceWith(...element.childNodes);
    else if (element.localName === 'span' && !element.closest('a, h1, h2, h3, h4, h5, h6')) sayLook(element, style);
  }
  makeLists(body);
  makeCells(body);
}

const looks: readonly (readonly [pattern: RegExp, element: string])[] = [
  [/font-weight:\s*(bold|[6-9]00)/, 'strong'],
  [/font-style:\s*italic/, 'em'],
  [/text-decoration[^;]*underline/, 'u'],
  [/text-decoration[^;]*line-through/, 's'],
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
  for (const line of body.querySelectorAll('p[style*="mso-list"]')) {
    const level = Number(/mso-list:\s*\S+ level(\d)/.exec(line.getAttribute('style') ?? '')?.[1] ?? 0);
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

/** Cells of tables hold lines, which word processors write as paragraphs. */
function makeCells(body: HTMLElement): void {
  for (const line of body.querySelectorAll(':is(td, th) :is(p, div, li, h1, h2, h3, h4, h5, h6)')) {
    if (line.nextElementSibling) line.after(body.ownerDocument.createElement('br'));
    line.replaceWith(...line.childNodes);
  }
}
