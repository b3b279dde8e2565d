import { escapeHtml } from '@pergola/content';
import { type Element, isTag } from 'domhandler';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { FormFields } from '../bodies/form-body.ts';
import { CSRF_FIELD } from '../security/csrf.ts';

/** A rejected form, as submitted. */
export interface RefusedForm {
  /** Whether the `action` of a form on the page leads to the route that rejected it. */
  readonly isAction: (action: string) => boolean;
  /** All fields. */
  readonly sent: FormFields;
  /** Fields to fill in again: all except secrets. */
  readonly visible: FormFields;
  /** Translated texts by field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}

/** An edit of the page: replaces everything between `start` and `end`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Marks elements added for a rejected form, so that islands remove them when they hydrate. */
const NOTE = 'data-form-note';

/**
 * Fills the rejected form of a page with the submitted values and adds each error after its field. If several forms of the page share an
 * action, as in lists, picks the one with the same hidden values. Leaves the rest of the page unchanged.
 *
 * @returns the page, or null if it doesn't contain the form
 */
export function refillForm(html: string, rejectedForm: RefusedForm): string | null {
  const page = parseDocument(html, { withStartIndices: true, withEndIndices: true });
  const form = findForm(page.children.filter(isTag), rejectedForm);
  if (!form) return null;
  const fields = fieldsOf(page.children.filter(isTag), form);
  const edits = [
    ...fill(html, fields, rejectedForm.visible),
    ...noteErrors(html, form, fields, rejectedForm),
    ...open(html, form),
  ];
  return withEdits(html, edits);
}

function findForm(roots: Element[], { isAction, sent }: RefusedForm): Element | null {
  const likeness = (form: Element): number => {
    const hidden = DomUtils.find(isHidden, form.children, true, Number.POSITIVE_INFINITY) as Element[];
    const comparable = hidden.filter(({ attribs: { name = '' } }) => name !== CSRF_FIELD && sent[name]);
    const matching = comparable.filter(({ attribs: { name = '', value = '' } }) => sent[name]?.includes(value));
    return matching.length * 2 - comparable.length;
  };
  const forms = DomUtils.findAll(
    ({ name, attribs }) =>
      name === 'form' && attribs.method?.toLowerCase() === 'post' && isAction(attribs.action ?? ''),
    roots,
  );
  const best = Math.max(...forms.map(likeness));
  return forms.find((form) => likeness(form) === best) ?? null;
}

const isHidden = (node: Parameters<typeof isTag>[0]): boolean =>
  isTag(node) && node.name === 'input' && node.attribs.type === 'hidden';

/** Fields for visitors' input, inside the form or associated with it by its id. */
function fieldsOf(roots: Element[], form: Element): Element[] {
  const { id } = form.attribs;
  return DomUtils.findAll(({ name }) => ['input', 'select', 'textarea'].includes(name), roots).filter(
    (field) => (field.attribs.form === undefined ? within(field, form) : field.attribs.form === id) && !isHidden(field),
  );
}

function within(element: Element, form: Element): boolean {
  for (let parent = element.parent; parent; parent = parent.parent) {
    if (parent === form) return true;
    if (isTag(parent) && parent.name === 'form') return false;
  }
  return false;
}

/** Never filled in by a page, or not form values. */
const unfilled: ReadonlySet<string> = new Set(['password', 'file', 'submit', 'button', 'image', 'reset']);

/** Values of `autocomplete` for passwords, codes and card numbers, whatever the type of the field. */
const secretTokens = /\b(?:(?:current|new)-password|one-time-code|cc-(?:number|csc))\b/;

function fill(html: string, fields: readonly Element[], visibleFields: FormFields): Edit[] {
  const occurrences = new Map<string, number>();
  return fields.flatMap((field): Edit[] => {
    const { name = '', type = 'text', value = 'on', readonly, autocomplete } = field.attribs;
    const isSecret = autocomplete !== undefined && secretTokens.test(autocomplete);
    if (name === '' || unfilled.has(type) || isSecret || readonly !== undefined) return [];
    const values = visibleFields[name];
    if (type === 'checkbox' || type === 'radio') {
      return setAttributes(html, field, { checked: values?.includes(value) ? '' : null });
    }
    if (!values) return [];
    if (field.name === 'select') return choose(html, field, values);
    const index = occurrences.get(name) ?? 0;
    occurrences.set(name, index + 1);
    const text = values[index];
    if (text === undefined) return [];
    if (field.name === 'input') return setAttributes(html, field, { value: text });
    const start = tagEnd(html, field);
    // A line break right after the tag isn't part of the text.
    return [{ start, end: html.lastIndexOf('</', field.endIndex ?? 0), text: `\n${escapeHtml(text)}` }];
  });
}

function choose(html: string, select: Element, values: readonly string[]): Edit[] {
  const options = DomUtils.findAll(({ name }) => name === 'option', select.children.filter(isTag));
  const optionValue = (option: Element): string => option.attribs.value ?? DomUtils.textContent(option).trim();
  if (!options.some((option) => values.includes(optionValue(option)))) return [];
  return options.flatMap((option) =>
    setAttributes(html, option, { selected: values.includes(optionValue(option)) ? '' : null }),
  );
}

/**
 * Inserts errors after their fields, and all others with the message above the form; the keyboard focus starts at the first invalid field.
 */
function noteErrors(html: string, form: Element, fields: readonly Element[], rejectedForm: RefusedForm): Edit[] {
  const byName = Object.entries(rejectedForm.errors).map(([name, text]) => ({
    text,
    field: fields.find(({ attribs }) => attribs.name === name),
  }));
  const placed = byName.flatMap(({ field, text }) => (field ? [{ field, text }] : []));
  const first = fields.find((field) => placed.some((error) => error.field === field));
  // Errors of a constraint over several fields have the same text, which is also the message.
  const isPlaced = (text: string): boolean => placed.some((error) => error.text === text);
  const unplaced = byName.flatMap(({ field, text }) => (field || isPlaced(text) ? [] : [text]));
  // With a single field, its error is sufficient.
  const isSufficient = placed.length > 0 ? fields.length === 1 || isPlaced(rejectedForm.message) : unplaced.length > 0;
  const texts = [...new Set(isSufficient ? unplaced : [rejectedForm.message, ...unplaced])];
  // The form may be far from the top of the page.
  const focus = first ? '' : ' tabindex="-1" autofocus';
  const message = texts.map(
    (text) =>
      `<p class="alert alert-danger" role="alert" data-slot="form-message" ${NOTE}${focus}>${escapeHtml(text)}</p>`,
  );
  return [
    insert(form.startIndex ?? 0, message.join('')),
    ...placed.flatMap(({ field, text }) => noteError(html, field, text, field === first)),
  ];
}

function noteError(html: string, field: Element, text: string, isFirst: boolean): Edit[] {
  const { id, name = '', class: classes = '', 'aria-describedby': described = '' } = field.attribs;
  const noteId = `${id ?? name}-refused`;
  return [
    ...setAttributes(html, field, {
      class: `${classes} is-invalid`.trim(),
      'aria-invalid': 'true',
      'aria-describedby': `${described} ${noteId}`.trim(),
      ...(isFirst ? { autofocus: '' } : {}),
    }),
    insert(
      (around(field).endIndex ?? 0) + 1,
      `<p class="invalid-feedback d-block" id="${escapeHtml(noteId)}" ${NOTE}>${escapeHtml(text)}</p>`,
    ),
  ];
}

/** Element that holds a field and its label; errors are inserted after it. */
function around(field: Element): Element {
  const parent = field.parent;
  const isPart =
    parent !== null &&
    isTag(parent) &&
    (['label', 'span'].includes(parent.name) ||
      /\b(input-group|form-floating|form-check)\b/.test(parent.attribs.class ?? ''));
  return isPart ? around(parent) : field;
}

/** Opens collapsed elements around the form. */
function open(html: string, form: Element): Edit[] {
  const edits: Edit[] = [];
  for (let parent = form.parent; parent && isTag(parent); parent = parent.parent as Element | null) {
    if (parent.name === 'details' || parent.name === 'dialog') edits.push(...setAttributes(html, parent, { open: '' }));
  }
  return edits;
}

const insert = (offset: number, text: string): Edit => ({ start: offset, end: offset, text });

/** Sets or (null) removes attributes of a start tag. */
function setAttributes(html: string, element: Element, changes: Readonly<Record<string, string | null>>): Edit[] {
  Object.assign(element.attribs, changes);
  for (const [name, value] of Object.entries(changes)) if (value === null) delete element.attribs[name];
  const attributes = Object.entries(element.attribs).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const start = element.startIndex ?? 0;
  return [{ start, end: tagEnd(html, element), text: `<${element.name}${attributes.join('')}>` }];
}

/** End of an element's start tag, ignoring `>` within quotes. */
function tagEnd(html: string, element: Element): number {
  const tag = /<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/y;
  tag.lastIndex = element.startIndex ?? 0;
  return tag.test(html) ? tag.lastIndex : (element.startIndex ?? 0);
}

/** Applies edits. If several replace the same tag, the last one counts, since it includes the others. */
function withEdits(html: string, edits: readonly Edit[]): string {
  const last = new Map(edits.map((edit) => [edit.start === edit.end ? edit : edit.start, edit]));
  let edited = '';
  let from = 0;
  for (const { start, end, text } of [...last.values()].sort((a, b) => a.start - b.start || a.end - b.end)) {
    edited += html.slice(from, start) + text;
    from = end;
  }
  return edited + html.slice(from);
}
