/** What does nothing before a script listens. Links and buttons that send do what they do without JavaScript. */
const SILENT = 'button[type="button"], [role="button"], a[href="#"]';
/**
 * What only the script of an island knows: without it a form there leads nowhere, and a link that it follows in place to a new page (everywhere, or where
 * the media query in `data-in-place` holds).
 */
const OF_ISLAND = `button, ${SILENT}, a[data-in-place]`;

/** What fields tell when they are filled. */
const FILLING = ['input', 'change'];

/** Fields that somebody changed before this script was there, on a slow line for instance; not those that browsers fill on the way back. */
const CHANGED = ':user-valid,:user-invalid';

/**
 * Keeps what somebody does within an element or island before its script is there: a button that is pressed, once however
 * often it was pressed, and fields that are filled.
 *
 * @returns To be called once the script listens, or will not come: does it again.
 */
export function keepEarly(element: HTMLElement): () => void {
  const kept = element.localName === 'pergola-island' ? OF_ISLAND : SILENT;
  const pressed = new Set<HTMLElement>();
  const filled = new Map<HTMLInputElement, Filled>();
  const press = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const found = (event.target as Element).closest<HTMLElement>(kept);
    if (!found || !element.contains(found) || !isInPlace(found)) return;
    // Who listens further out hears it when it is done again.
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.add(found);
  };
  const fill = (event: Pick<Event, 'target' | 'type'>): void => {
    const field = event.target as HTMLInputElement;
    const { types = new Set<string>() } = filled.get(field) ?? {};
    filled.set(field, { types: types.add(event.type), value: field.value, checked: field.checked });
  };
  element.addEventListener('click', press, true);
  for (const type of FILLING) element.addEventListener(type, fill, true);
  for (const field of element.querySelectorAll(CHANGED)) for (const type of FILLING) fill({ target: field, type });
  // What is being typed is no change before its field is left.
  const typed = element.querySelector<HTMLInputElement>('input:focus,textarea:focus');
  if (typed?.value !== typed?.defaultValue) fill({ target: typed, type: 'input' });
  return () => {
    element.removeEventListener('click', press, true);
    for (const type of FILLING) element.removeEventListener(type, fill, true);
    for (const [field, about] of filled) fillAgain(field, about);
    for (const button of pressed) button.click();
  };
}

/** What somebody did to a field: which events it told, and what it held then. */
interface Filled {
  readonly types: Set<string>;
  readonly value: string;
  readonly checked: boolean;
}

/** Fills a field as somebody did. React hears of it only when the field does not hold the same already. */
function fillAgain(field: HTMLInputElement, { types, value, checked }: Filled): void {
  if (field.type === 'checkbox' || field.type === 'radio') {
    // Of radio buttons, the one that was chosen tells of the choice.
    if (field.type === 'checkbox' || checked) {
      field.checked = !checked;
      field.click();
    }
    return;
  }
  if (field.type !== 'file') {
    // React remembers what is set at the field itself, and looks past what is set as browsers do when somebody types.
    const typed = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    field.value = '';
    typed?.set?.call(field, value);
  }
  for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** React writes an attribute without a value as `true`. */
function isInPlace({ dataset: { inPlace = '' } }: HTMLElement): boolean {
  return inPlace === 'true' || matchMedia(inPlace).matches;
}
