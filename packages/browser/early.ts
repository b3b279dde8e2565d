import { isPlainClick } from './plain-click.ts';

/** Elements that do nothing before a script listens. Links and submit buttons work without JavaScript. */
const SILENT = 'button[type="button"], [role="button"], a[href="#"]';
/**
 * Elements handled only by an island's script: its buttons, because a form there has no target without it, and links that load a new page
 * in place (always, or when the media query in `data-in-place` matches).
 */
const OF_ISLAND = `button, ${SILENT}, a[data-in-place]`;

/** Events that fields send while being filled. */
const FILLING = ['input', 'change'];

/**
 * Fields changed by the visitor before this script was loaded, on a slow connection for instance; not those restored by the browser on back
 * navigation.
 */
const CHANGED = ':user-valid,:user-invalid';

/**
 * Records clicks and input within an element or island before its script is loaded: each pressed button once, however often it was pressed,
 * and each changed field.
 *
 * @returns Replays them. Call it once the script listens or has failed to load.
 */
export function keepEarly(element: HTMLElement): () => void {
  const recordable = element.localName === 'pergola-island' ? OF_ISLAND : SILENT;
  const pressed = new Set<HTMLElement>();
  const filled = new Map<HTMLInputElement, Filled>();
  const press = (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    const control = (event.target as Element).closest<HTMLElement>(recordable);
    if (!control || !element.contains(control) || !isInPlace(control)) return;
    // Outer listeners get the replayed event instead.
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed.add(control);
  };
  const fill = (event: Pick<Event, 'target' | 'type'>): void => {
    const field = event.target as HTMLInputElement;
    const { types = new Set<string>() } = filled.get(field) ?? {};
    filled.set(field, { types: types.add(event.type), value: field.value, checked: field.checked });
  };
  element.addEventListener('click', press, true);
  for (const type of FILLING) element.addEventListener(type, fill, true);
  for (const field of element.querySelectorAll(CHANGED)) for (const type of FILLING) fill({ target: field, type });
  // `:user-valid` and `:user-invalid` don't match while the visitor is still typing in a field.
  const focusedField = element.querySelector<HTMLInputElement>('input:focus,textarea:focus');
  if (focusedField?.value !== focusedField?.defaultValue) fill({ target: focusedField, type: 'input' });
  return () => {
    element.removeEventListener('click', press, true);
    for (const type of FILLING) element.removeEventListener(type, fill, true);
    for (const [field, input] of filled) fillAgain(field, input);
    for (const button of pressed) button.click();
  };
}

/** A recorded field: the events it sent, and its value at the time. */
interface Filled {
  readonly types: Set<string>;
  readonly value: string;
  readonly checked: boolean;
}

/** Replays the visitor's input. React notices a change only if the field's value differs. */
function fillAgain(field: HTMLInputElement, { types, value, checked }: Filled): void {
  if (field.type === 'checkbox' || field.type === 'radio') {
    // Only the selected radio button of a group sends events.
    if (field.type === 'checkbox' || checked) {
      field.checked = !checked;
      field.click();
    }
    return;
  }
  if (field.type !== 'file') {
    // React tracks values assigned to the element and ignores them; the prototype's setter looks like real input.
    const valueProperty = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    field.value = '';
    valueProperty?.set?.call(field, value);
  }
  for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }));
}

/** React writes attributes without a value as `true`. */
function isInPlace({ dataset: { inPlace = '' } }: HTMLElement): boolean {
  return inPlace === 'true' || matchMedia(inPlace).matches;
}
