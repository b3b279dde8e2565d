/** What does nothing before a script listens. Links and buttons that send do what they do without JavaScript. */
const SILENT = 'button[type="button"], [role="button"], a[href="#"]';
/** What only the script of an island knows: without it a form there leads nowhere. */
const OF_ISLAND = `button, ${SILENT}`;

/**
 * Keeps what somebody does within an element or island before its script is there: a button that is pressed, once however
 * often it was pressed, and fields that are filled.
 *
 * @returns To be called once the script listens, or will not come: does it again.
 */
export function keepEarly(element: HTMLElement): () => void {
  const kept = element.localName === 'pergola-island' ? OF_ISLAND : SILENT;
  const pressed = new Set<HTMLElement>();
  const filled = new Map<EventTarget, Set<string>>();
  const press = (event: Event): void => {
    const found = (event.target as Element).closest<HTMLElement>(kept);
    if (!found || !element.contains(found)) return;
    // Who listens further out hears it when it is done again.
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.add(found);
  };
  const fill = ({ target, type }: Event): void => {
    if (target) filled.set(target, (filled.get(target) ?? new Set()).add(type));
  };
  element.addEventListener('click', press, true);
  for (const type of ['input', 'change']) element.addEventListener(type, fill, true);
  return () => {
    element.removeEventListener('click', press, true);
    for (const type of ['input', 'change']) element.removeEventListener(type, fill, true);
    for (const [field, types] of filled)
      for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }));
    for (const button of pressed) button.click();
  };
}
