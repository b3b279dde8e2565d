import { RUN } from './regions.ts';

const ownAttributes = /^(data-ed-[\w-]+|data-editing|contenteditable|spellcheck|translate|draggable)$/;
const ownClasses = /^(ProseMirror|tiptap|ed-|sortable-)/;
/** Where attributes stood that the editor put others over; their values before, as JSON. */
const KEPT = 'data-ed-kept';

/** Sets attributes for the time of editing; what was there before comes back when the text is saved. */
export function lendAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  const kept: Record<string, string | null> = JSON.parse(element.getAttribute(KEPT) ?? '{}') as Record<
    string,
    string | null
  >;
  for (const [name, value] of Object.entries(attributes)) {
    if (!(name in kept)) kept[name] = element.getAttribute(name);
    element.setAttribute(name, value);
  }
  element.setAttribute(KEPT, JSON.stringify(kept));
}

/** Takes back what was lent. */
export function returnAttributes(element: Element): void {
  const kept = JSON.parse(element.getAttribute(KEPT) ?? '{}') as Record<string, string | null>;
  for (const [name, value] of Object.entries(kept)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  element.removeAttribute(KEPT);
}

/** A copy of an edited element as it is saved: nothing the editor added, blocks without what the server fills them with. */
export function cleanCopy<E extends HTMLElement>(element: E): E {
  const copy = element.cloneNode(true) as E;
  for (const added of copy.querySelectorAll(
    '[data-ed-handle], [data-ed-place], .ProseMirror-trailingBreak, .ProseMirror-separator, .ProseMirror-gapcursor',
  ))
    added.remove();
  for (const block of [copy, ...copy.querySelectorAll('[data-block]')])
    if (block.matches('[data-block]') && !block.parentElement?.closest('[data-block]')) block.textContent = '';
  for (const wrapper of copy.querySelectorAll(`[${RUN}]`)) wrapper.replaceWith(...wrapper.childNodes);
  for (const each of [copy, ...copy.querySelectorAll('*')]) cleanElement(each);
  return copy;
}

/** A copy that stands beside its original: links within the page lead to one place only. */
export function copyOf<E extends HTMLElement>(element: E): E {
  const copy = cleanCopy(element);
  for (const named of [copy, ...copy.querySelectorAll('[id]')]) named.removeAttribute('id');
  return copy;
}

function cleanElement(element: Element): void {
  returnAttributes(element);
  for (const { name } of [...element.attributes]) if (ownAttributes.test(name)) element.removeAttribute(name);
  // What dragging leaves behind.
  if (element.getAttribute('style') === '') element.removeAttribute('style');
  if (!element.hasAttribute('class')) return;
  const classes = [...element.classList].filter((name) => !ownClasses.test(name));
  if (classes.length !== element.classList.length) element.className = classes.join(' ');
  if (classes.length === 0) element.removeAttribute('class');
}

/** The HTML of an edited field as it is saved. */
export function serialize(root: HTMLElement): string {
  return cleanCopy(root).innerHTML.trim();
}
