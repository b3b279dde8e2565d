import { escapeAttribute } from '@pergola/content';
import type { Field, FieldType, RowMeta } from '@pergola/orm';
import { dateStyles, dateTimeStyles, isNumeric } from '@pergola/texts';
import type { RenderContext } from '../render-context.ts';
import { currencyOf } from './formats.ts';
import {
  choiceOption,
  countOption,
  escapeText,
  type HelperOptions,
  type HelperTools,
  helperFault,
  textOption,
} from './tools.ts';
import { zonedTime, zoneFor } from './zoned-time.ts';

/** A value to print, with its field and row. */
export interface FieldInput {
  readonly tools: HelperTools;
  readonly render: RenderContext;
  readonly options: HelperOptions;
  readonly meta: RowMeta;
  /** All values of the row. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly definition: Field | undefined;
  readonly value: unknown;
}

/**
 * Output of a field. `element`: a single element that takes attributes between `before` and `after`. `block`: contains block-level
 * elements. `first`: HTML placed before the surrounding element.
 */
export interface FieldOutput {
  readonly html: string;
  readonly first?: string;
  readonly block?: boolean;
  readonly element?: { readonly before: string; readonly after: string };
}
type Printer = (input: FieldInput) => FieldOutput;

const empty: FieldOutput = { html: '' };
const isNone = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === '';

const asText: Printer = ({ value }) => ({ html: escapeText(value) });

const asNumber: Printer = (input) => {
  const { value, options, tools, render, definition } = input;
  if (isNone(value)) return empty;
  const digits = countOption(options, 'digits');
  const exact = typeof value === 'string' && isNumeric(value) ? value : Number(value);
  const style = digits === undefined ? { max: definition?.options.places ?? 3 } : { digits };
  return { html: escapeText(tools.formats.formatNumber(exact, render.lang, style)) };
};

const asNames: Printer = (input) => {
  const { value } = input;
  if (isNone(value)) return empty;
  const rows = Array.isArray(value) ? value : [value];
  return { html: escapeText(rows.map((row) => nameOf(row, input)).join(', ')) };
};

/** Printers by field type. */
export const fieldPrinters: Readonly<Record<FieldType, Printer>> = {
  char: asText,
  text({ value }) {
    const html = escapeText(value);
    return { html: html.includes('\n') ? html.replace(/\r?\n/g, '<br>') : html };
  },
  html({ value, definition, tools, render }) {
    const profile = definition?.options.sanitize ?? 'page';
    const clean = isNone(value) ? '' : tools.sanitize(String(value), profile);
    const html = clean.includes('data-block') ? render.fillBlocks(clean) : clean;
    return { html, block: true, first: profile === 'page' ? render.contentStyles(clean) : '' };
  },
  integer: asNumber,
  float: asNumber,
  decimal: asNumber,
  money(input) {
    const { value, definition, values, tools, render, options, name } = input;
    if (isNone(value)) return empty;
    const currencyField = definition?.options.currency ?? 'currency_id';
    const currency = currencyOf(values[currencyField], render);
    if (!currency)
      throw helperFault(options, `the currency of "${name}" is not known; read "${currencyField}" with it`);
    return { html: escapeText(tools.formats.formatMoney(Number(value), currency, render.lang)) };
  },
  boolean: ({ value, render }) => ({ html: escapeText(value ? render.t('Yes') : render.t('No')) }),
  date({ value, options, tools, render }) {
    if (isNone(value)) return empty;
    const day = String(value);
    const style = choiceOption(options, 'format', Object.keys(dateStyles) as (keyof typeof dateStyles)[]);
    return time(day, tools.formats.formatDate(day, render.lang, style));
  },
  datetime({ value, values, definition, options, tools, render }) {
    if (!(value instanceof Date)) return empty;
    const styles = [...(Object.keys(dateTimeStyles) as (keyof typeof dateTimeStyles)[]), 'relative' as const];
    const style = choiceOption(options, 'format', styles);
    const machine = value.toISOString();
    const { formats } = tools;
    if (style === 'relative') return time(machine, formats.formatRelative(value, render.now(), render.lang));
    const place = textOption(options, 'timezone') ?? declaredZone(definition, values);
    if (place === undefined) return time(machine, formats.formatDateTime(value, render.timezone, render.lang, style));
    const { text, attributes } = zonedTime(value, zoneFor(place, render), { render, formats, style });
    return time(machine, text, attributes);
  },
  selection({ value, meta, name, render }) {
    return isNone(value) ? empty : { html: escapeText(render.choice(meta.model, name, String(value))) };
  },
  json({ options, name }) {
    throw helperFault(options, `"${name}" is data, which has no one way to be shown; print its parts`);
  },
  binary: ({ value }) => ({ html: isFile(value) ? escapeText(value.name) : '' }),
  image: picture,
  many2one: asNames,
  one2many: asNames,
  many2many: asNames,
};

/** Time zone declared by a field: its record's, if that was read, or the site's. */
function declaredZone(definition: Field | undefined, values: Readonly<Record<string, unknown>>): string | undefined {
  const name = definition?.options.timezone;
  if (name === undefined || name.startsWith('@')) return name;
  const zone = values[name];
  return typeof zone === 'string' ? zone : undefined;
}

function time(machine: string, text: string, attributes: string = ''): FieldOutput {
  const inner = ` datetime="${escapeAttribute(machine)}"${attributes}>${escapeText(text)}</time>`;
  return { html: `<time${inner}`, element: { before: '<time', after: inner } };
}

function nameOf(row: unknown, { options, name }: FieldInput): string {
  if (typeof row === 'object' && row !== null) {
    if ('display_name' in row) return String(row.display_name ?? '');
    if ('name' in row) return String(row.name ?? '');
  }
  throw helperFault(
    options,
    `the record behind "${name}" has no name to show; read it deeper: ${name}: { display_name: true }`,
  );
}

interface Picture {
  readonly hash: string;
  readonly name?: string;
  readonly width?: number;
  readonly height?: number;
}

function isFile(value: unknown): value is Picture {
  return typeof value === 'object' && value !== null && 'hash' in value && typeof value.hash === 'string';
}

function picture({ value, values, render, options, meta, name }: FieldInput): FieldOutput {
  if (!isFile(value)) return empty;
  const box = { width: countOption(options, 'width'), height: countOption(options, 'height') };
  const src = render.image(meta.model, meta.id, name, value, box);
  const size = fitted(value, box);
  const alt = textOption(options, 'alt') ?? textIn(values.display_name) ?? textIn(values.name) ?? '';
  const loading = choiceOption(options, 'loading', ['lazy', 'eager']) ?? 'lazy';
  const sizeOptions = ['srcset', 'sizes'].map((key) => [key, textOption(options, key)] as const);
  const choices = sizeOptions.map(([key, text]) => (text ? ` ${key}="${escapeAttribute(text)}"` : '')).join('');
  const shape = size ? ` width="${size.width}" height="${size.height}"` : '';
  // Eager images are the main content of the page.
  const first = loading === 'eager' ? ' fetchpriority="high"' : '';
  const attributes = ` src="${escapeAttribute(src)}"${choices} alt="${escapeAttribute(alt)}"${shape} loading="${loading}"${first}>`;
  return { html: `<img${attributes}`, element: { before: '<img', after: attributes } };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Display size of an image: scaled down to fit the box, never up. */
function fitted(
  { width, height }: Picture,
  box: { width?: number; height?: number },
): { width: number; height: number } | undefined {
  if (!width || !height) return box.width && box.height ? { width: box.width, height: box.height } : undefined;
  const scale = Math.min(1, (box.width ?? width) / width, (box.height ?? height) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
