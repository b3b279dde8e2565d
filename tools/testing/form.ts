import { DomUtils, parseDocument } from 'htmlparser2';

type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

type Page = ReturnType<typeof parseDocument>;
type Entry = readonly [name: string, value: string | Blob];

/** Form values by label: texts and files. */
export type Filling = Readonly<Record<string, string | Blob>>;

/** The request that a browser without JavaScript would send. */
export interface Sending {
  readonly method: string;
  /** As written in the page. */
  readonly action: string;
  readonly isMultipart: boolean;
  readonly entries: readonly Entry[];
}

/**
 * Fills in the form of an island in a page's HTML and submits it with the button of this name, or a part of the name if style sheets hide
 * the rest. The error for a missing button lists the existing ones.
 */
export function pressInIsland(html: string, island: string, button: string | RegExp, fields: Filling = {}): Sending {
  const page = parseDocument(html);
  const buttons = islandsIn(page, island)
    .flatMap((form) => all(sends, form))
    .filter(({ attribs }) => !('disabled' in attribs || 'hidden' in attribs));
  const pressed = buttons.find((candidate) =>
    typeof button === 'string' ? nameOf(candidate) === button : button.test(nameOf(candidate)),
  );
  if (!pressed) throw new Error(`${island} has no button "${button}", only: ${buttons.map(nameOf).join(', ')}.`);
  const formOf = (control: Element): Element | undefined =>
    'form' in control.attribs
      ? all((element) => element.name === 'form' && element.attribs.id === control.attribs.form, page)[0]
      : ancestors(control).find(({ name }) => name === 'form');
  const form = formOf(pressed);
  if (!form) throw new Error(`The button "${button}" of ${island} is not in a form.`);
  const controls = all((element) => 'name' in element.attribs && formOf(element) === form, page).filter(isOn);
  const names = new Set(controls.map(({ attribs }) => attribs.name));
  const unknown = Object.keys(fields).filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(
      `The form of "${button}" has no field named ${unknown.join(', ')}, only: ${[...names].join(', ')}. Use a field’s \`name\`, not its label.`,
    );
  return {
    method: (pressed.attribs.formmethod ?? form.attribs.method ?? 'get').toUpperCase(),
    action: pressed.attribs.formaction ?? form.attribs.action ?? '',
    isMultipart: form.attribs.enctype === 'multipart/form-data',
    entries: controls.flatMap((control) => entriesOf(control, pressed, fields[control.attribs.name ?? ''])),
  };
}

/**
 * Visible text before any script runs: of the islands with this name, or of the main part of the page. Includes the URLs of links and
 * fields as `name=value`, and marks pressed buttons.
 */
export function readPage(html: string, island?: string): string {
  const page = parseDocument(html);
  const [main] = all(({ name }) => name === 'main', page);
  const places = island === undefined ? [main ?? page] : islandsIn(page, island);
  return places.flatMap(wordsOf).join(' ').replace(/\s+/g, ' ').trim();
}

function wordsOf(node: Page | Element | Page['children'][number]): string[] {
  if ('data' in node) return node.type === 'text' ? [node.data] : [];
  if (!('children' in node)) return [];
  const words = node.children.flatMap(wordsOf);
  if (!('attribs' in node)) return words;
  const { name, attribs } = node;
  if (name === 'script' || name === 'style' || 'hidden' in attribs) return [];
  if (name === 'a') return [...words, attribs.href ?? ''];
  if (name === 'button') return [nameOf(node), attribs['aria-pressed'] === 'true' ? '(pressed)' : ''];
  return name === 'input' ? [`${attribs.name}=${attribs.value ?? ''}`] : words;
}

function islandsIn(page: Page, island: string): Element[] {
  return all(({ name, attribs }) => name === 'pergola-island' && attribs['data-name'] === island, page);
}

function all(test: (element: Element) => boolean, inside: Page | Element): Element[] {
  return DomUtils.findAll(test, inside.children);
}

function sends({ name, attribs }: Element): boolean {
  return (
    (name === 'button' && (attribs.type ?? 'submit') === 'submit') || (name === 'input' && attribs.type === 'submit')
  );
}

function nameOf(button: Element): string {
  const { 'aria-label': label, value = '' } = button.attribs;
  const name = label || (button.name === 'input' ? value : DomUtils.textContent(button));
  return name.replace(/\s+/g, ' ').trim();
}

function ancestors(element: Element): Element[] {
  const parents: Element[] = [];
  for (let ancestor = element.parent; ancestor; ancestor = ancestor.parent)
    if ('attribs' in ancestor) parents.push(ancestor as Element);
  return parents;
}

function isOn(control: Element): boolean {
  return (
    !('disabled' in control.attribs) &&
    !ancestors(control).some(({ name, attribs }) => name === 'fieldset' && 'disabled' in attribs)
  );
}

function entriesOf(control: Element, pressed: Element, filled: string | Blob | undefined): Entry[] {
  const { name: key = '', type = 'text', value } = control.attribs;
  const entryOf = (text: string | Blob): Entry[] => [[key, text]];
  if (sends(control)) return control === pressed ? entryOf(value ?? '') : [];
  switch (control.name) {
    case 'textarea':
      // HTML ignores a line break right after the tag.
      return entryOf(filled ?? DomUtils.textContent(control).replace(/^\n/, ''));
    case 'select': {
      const options = DomUtils.findAll(({ name }) => name === 'option', control.children);
      const selected = options.filter(({ attribs }) => 'selected' in attribs);
      const submitted = selected.length > 0 || 'multiple' in control.attribs ? selected : options.slice(0, 1);
      const values = submitted.map((option) => option.attribs.value ?? DomUtils.textContent(option).trim());
      return (filled === undefined ? values : [filled]).flatMap(entryOf);
    }
    case 'input':
      if (type === 'button' || type === 'reset' || type === 'image') return [];
      // Browsers send a file without a name if none is selected.
      if (type === 'file') return entryOf(filled ?? new File([], ''));
      if (type !== 'checkbox' && type !== 'radio') return entryOf(filled ?? value ?? '');
      if (filled === undefined) return 'checked' in control.attribs ? entryOf(value ?? 'on') : [];
      return (value ?? 'on') === filled ? entryOf(filled) : [];
    default:
      return [];
  }
}
