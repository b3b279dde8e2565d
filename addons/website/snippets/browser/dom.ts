/** An element with attributes and contents, for what scripts add to a page. `null` contents and `false` attributes are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...contents: readonly (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...contents.filter((content) => content !== null));
  return made;
}

/** A button that is no submit button. */
export function button(className: string, label: string, press: () => void, picture?: Node): HTMLButtonElement {
  const made = h('button', { type: 'button', class: className }, picture ?? label);
  if (picture) made.setAttribute('aria-label', label);
  made.addEventListener('click', press);
  return made;
}
