import { RUN } from './regions.ts';

const ownAttributes = /^(data-ed-[\w-]+|data-editing|contenteditable|spellcheck|translate|draggable)$/;
const ownClasses = /^(ProseMirror|tiptap|ed-|sortable-)/;
/** Attribute with the original values, as JSON, of attributes that the editor overrides. */
const KEPT = 'data-ed-kept';

/** Overrides attributes while editing; the original values are restored on save. */
export function overrideAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  const originals: Record<string, string | null> = JSON.parse(element.getAttribute(KEPT) ?? '{}') as Record<
    string,
    string | null
  >;
  for (const [name, value] of Object.entries(attributes)) {
    if (!(name in originals)) originals[name] = element.getAttribute(name);
    element.setAttribute(name, value);
  }
  element.setAttribute(KEPT, JSON.stringify(originals));
}

/** Restores overridden attributes. */
export function restoreAttributes(element: Element): void {
  const originals = JSON.parse(element.getAttribute(KEPT) ?? '{}') as Record<string, string | null>;
  for (const [name, value] of Object.entries(originals)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  element.removeAttribute(KEPT);
}

/** Copy of an edited element for saving, without editor additions and server-rendered contents. */
export function cleanCopy<E extends HTMLElement>(element: E): E {
  const copy = element.cloneNode(true) as E;
  for (const added of copy.querySelectorAll(
    '[data-ed-handle], [data-ed-place], .ProseMirror-trailingBreak, .ProseMirror-separator, .ProseMirror-gapcursor',
  ))
    added.remove();
  for (const block of [copy, ...copy.querySelectorAll('[data-block]')])
    if (block.matches('[data-block]') && !block.parentElement?.closest('[data-block]')) block.textContent = '';
  for (const wrapper of copy.querySelectorAll(`[${RUN}]`)) wrapper.replaceWith(...wrapper.childNodes);
  for (const element of [copy, ...copy.querySelectorAll('*')]) cleanElement(element);
  return copy;
}

/** Copy of an element for the same page, without duplicate ids. */
export function copyOf<E extends HTMLElement>(element: E): E {
  const copy = cleanCopy(element);
  for (const withId of [copy, ...copy.querySelectorAll('[id]')]) withId.removeAttribute('id');
  return copy;
}

function cleanElement(element: Element): void {
  restoreAttributes(element);
  for (const { name } of [...element.attributes]) if (ownAttributes.test(name)) element.removeAttribute(name);
  // While elements make room for a dragged one, they are animated by styles that a page can't have.
  if (element instanceof HTMLElement)
    for (const name of ['transition', 'transform']) element.style.removeProperty(name);
  if (element.getAttribute('style') === '') element.removeAttribute('style');
  if (!element.hasAttribute('class')) return;
  const classes = [...element.classList].filter((name) => !ownClasses.test(name));
  if (classes.length !== element.classList.length) element.className = classes.join(' ');
  if (classes.length === 0) element.removeAttribute('class');
}

/** HTML of an edited field for saving. */
export function serialize(root: HTMLElement): string {
  return cleanCopy(root).innerHTML.trim();
}
