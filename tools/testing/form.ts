import { DomUtils, parseDocument } from 'htmlparser2';

type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

/** What a browser without JavaScript would send. */
export interface Sending {
  readonly method: string;
  /** As the page wrote it. */
  readonly action: string;
  readonly entries: readonly (readonly [name: string, value: string])[];
}

/** The form of an island in a page's HTML, filled in and sent with the button of this name. Says which buttons there are when there is no such. */
export function pressInIsland(
  html: string,
  island: string,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Sending {
  const page = parseDocument(html);
  const all = (test: (element: Element) => boolean, inside: typeof page | Element): Element[] =>
    DomUtils.findAll(test, inside.children);
  const buttons = all((element) => element.name === 'pergola-island' && element.attribs['data-name'] === island, page)
    .flatMap((found) => all(sends, found))
    .filter((one) => !('disabled' in one.attribs));
  const pressed = buttons.find((one) => nameOf(one) === button);
  if (!pressed) throw new Error(`${island} has no button "${button}", only: ${buttons.map(nameOf).join(', ')}.`);
  const formOf = (control: Element): Element | undefined =>
    'form' in control.attribs
      ? all((element) => element.name === 'form' && element.attribs.id === control.attribs.form, page)[0]
      : ancestors(control).find(({ name }) => name === 'form');
  const form = formOf(pressed);
  if (!form) throw new Error(`The button "${button}" of ${island} is in no form.`);
  const controls = all((element) => 'name' in element.attribs && formOf(element) === form, page).filter(isOn);
  const names = new Set(controls.map(({ attribs }) => attribs.name));
  const unknown = Object.keys(fields).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`The form of "${button}" has no field ${unknown.join(', ')}.`);
  return {
    method: (pressed.attribs.formmethod ?? form.attribs.method ?? 'get').toUpperCase(),
    action: pressed.attribs.formaction ?? form.attribs.action ?? '',
    entries: controls.flatMap((control) => entriesOf(control, pressed, fields[control.attribs.name ?? ''])),
  };
}

function sends({ name, attribs }: Element): boolean {
  return (
    (name === 'button' && (attribs.type ?? 'submit') === 'submit') || (name === 'input' && attribs.type === 'submit')
  );
}

function nameOf(button: Element): string {
  const { 'aria-label': label, value = '' } = button.attribs;
  if (label) return label;
  return button.name === 'input' ? value : DomUtils.textContent(button).replace(/\s+/g, ' ').trim();
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = element.parent; at; at = at.parent) if ('attribs' in at) found.push(at as Element);
  return found;
}

function isOn(control: Element): boolean {
  return (
    !('disabled' in control.attribs) &&
    !ancestors(control).some(({ name, attribs }) => name === 'fieldset' && 'disabled' in attribs)
  );
}

function entriesOf(control: Element, pressed: Element, filled: string | undefined): [string, string][] {
  const { name: key = '', type = 'text', value } = control.attribs;
  const one = (text: string): [string, string][] => [[key, text]];
  if (sends(control)) return control === pressed ? one(value ?? '') : [];
  switch (control.name) {
    case 'textarea':
      // The first line break after the tag is no part of the text.
      return one(filled ?? DomUtils.textContent(control).replace(/^\n/, ''));
    case 'select': {
      const options = DomUtils.findAll(({ name }) => name === 'option', control.children);
      const chosen = options.filter(({ attribs }) => 'selected' in attribs);
      const shown = chosen.length > 0 || 'multiple' in control.attribs ? chosen : options.slice(0, 1);
      const values = shown.map((option) => option.attribs.value ?? DomUtils.textContent(option).trim());
      return (filled === undefined ? values : [filled]).flatMap(one);
    }
    case 'input':
      if (type === 'button' || type === 'reset' || type === 'image' || type === 'file') return [];
      if (type !== 'checkbox' && type !== 'radio') return one(filled ?? value ?? '');
      if (filled === undefined) return 'checked' in control.attribs ? one(value ?? 'on') : [];
      return (value ?? 'on') === filled ? one(filled) : [];
    default:
      return [];
  }
}
