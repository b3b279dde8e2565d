import { escapeAttribute } from '@pergola/content';
import { didYouMean } from '@pergola/core';
import { type Field, META, type RowMeta } from '@pergola/orm';
import { type FieldInput, type FieldOutput, fieldPrinters } from './field-printers.ts';
import {
  escapeText,
  type HelperDefinition,
  type HelperOptions,
  type HelperTools,
  helperFault,
  markup,
  renderOf,
  textOption,
} from './tools.ts';

/** Fields of every record, even if its model doesn't list them. */
const baseTypes: Readonly<Record<string, Field['type']>> = {
  id: 'integer',
  display_name: 'char',
  create_date: 'datetime',
  write_date: 'datetime',
};
const neverEdited: ReadonlySet<string> = new Set(['one2many', 'many2many', 'json', 'binary']);

/**
 * `{{field row "name"}}`: prints a field of a record according to its type.
 *
 * The row comes from `find`, which adds META. If the reader may change the record and the page is being edited, the element has
 * `data-oe-model`, `-id`, `-field` and `-type` for the editor. Options: `tag`, `class`; `format` and `timezone` for dates, `digits` for
 * numbers, `width`, `height`, `alt`, `loading` for images.
 */
export const field: HelperDefinition = {
  params: [2, 2],
  options: [
    'tag',
    'class',
    'format',
    'timezone',
    'digits',
    'width',
    'height',
    'srcset',
    'sizes',
    'alt',
    'loading',
    'itemprop',
  ],
  markup: true,
  make: (tools) => (row: unknown, name: unknown, options: HelperOptions) =>
    markup(printField(tools, row, String(name), options)),
};

function printField(tools: HelperTools, row: unknown, name: string, options: HelperOptions): string {
  if (!isRow(row)) throw helperFault(options, whyNoRow(row));
  const meta = row[META];
  const definition = Object.hasOwn(meta.fields, name) ? meta.fields[name] : undefined;
  const type = definition?.type ?? (Object.hasOwn(baseTypes, name) ? baseTypes[name] : undefined);
  if (!type) {
    const suggestion = didYouMean(name, [...Object.keys(meta.fields), ...Object.keys(baseTypes)]).replace(/\?$/, '');
    throw helperFault(
      options,
      `${meta.model} has no field "${name}"${suggestion && `; did you mean ${suggestion.slice('Did you mean '.length)}`}`,
    );
  }
  if (!Object.hasOwn(row, name)) {
    throw helperFault(
      options,
      `"${name}" of ${meta.model} was not read; add it to the select of the find that made the row`,
    );
  }
  const input = { tools, render: renderOf(options), options, meta, values: row, name, definition, value: row[name] };
  const { format } = definition?.custom ?? {};
  const isFormatted = format && input.value !== null && input.value !== undefined;
  const output = isFormatted
    ? { html: escapeText(format(input.value, input.render.lang)) }
    : fieldPrinters[type](input);
  return wrap(input, type, output);
}

type MarkedRow = Readonly<Record<string, unknown>> & { readonly [META]: RowMeta };
function isRow(row: unknown): row is MarkedRow {
  return typeof row === 'object' && row !== null && META in row;
}

function whyNoRow(row: unknown): string {
  if (typeof row !== 'object' || row === null) return 'its row is empty; put {{#if}} around it where it may be missing';
  return 'its row does not come from find (it has no META). Print values made by hand with {{money}}, {{date}} or {{number}}; to a partial that takes options too, pass a row by name: {{> card row=this wide=true}}';
}

/** Wraps a value in an element if the class or the editor's attributes need one. */
function wrap(input: FieldInput, type: string, output: FieldOutput): string {
  const { meta, name, options } = input;
  const tag = textOption(options, 'tag');
  if (tag !== undefined && !/^[a-z][a-z0-9-]*$/.test(tag)) throw helperFault(options, `tag="${tag}" is no element`);
  const marks = isEdited(input, type)
    ? ` data-oe-model="${escapeAttribute(meta.model)}" data-oe-id="${meta.id}" data-oe-field="${escapeAttribute(name)}" data-oe-type="${type}"`
    : '';
  const attributes = `${attribute('class', options)}${attribute('itemprop', options)}${marks}`;
  if (output.element && tag === undefined) return `${output.element.before}${attributes}${output.element.after}`;
  const html = output.element ? output.element.before + output.element.after : output.html;
  const element = tag ?? (output.block ? 'div' : attributes === '' ? '' : 'span');
  return (output.first ?? '') + (element === '' ? html : `<${element}${attributes}>${html}</${element}>`);
}

function attribute(name: string, options: HelperOptions): string {
  const value = textOption(options, name);
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`;
}

function isEdited({ meta, name, definition, render }: FieldInput, type: string): boolean {
  if (!meta.mayWrite || !definition || neverEdited.has(type)) return false;
  const { compute, related, readonly, secret } = definition.options;
  if (compute || related || readonly || secret) return false;
  return render.editor || render.editable(meta.model, meta.id, name);
}
