import { createHash } from 'node:crypto';
import { Attachment } from '@pergola/base';
import { app, type Ctx, type FileRef, fromMinor, type Id, InvalidInput, numberFault, toMinor } from 'pergola';
import type { AnyModel, Field } from 'pergola/orm';
import { t } from '../texts.ts';
import { editedHtml } from './html.ts';

/** Field that can be edited in place. */
export interface EditableField {
  readonly name: string;
  readonly field: Field;
}

const editableTypes: ReadonlySet<string> = new Set([
  'char',
  'text',
  'html',
  'integer',
  'float',
  'decimal',
  'money',
  'boolean',
  'date',
  'datetime',
  'selection',
  'image',
]);

/** Returns the field if users can edit it: not computed and not read-only. */
export function editableField(model: AnyModel, name: string): EditableField | null {
  const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
  if (!field || !editableTypes.has(field.type)) return null;
  const { compute, related, readonly, secret } = field.options;
  return compute || related || readonly || secret ? null : { name, field };
}

/** Fields to read from a record for these values; monetary fields also need their currency. */
export function selectOf(fields: readonly EditableField[]): Record<string, true | { decimal_places: true }> {
  const select: Record<string, true | { decimal_places: true }> = {};
  for (const { name, field } of fields) {
    select[name] = true;
    if (field.type === 'money') select[currencyField(field)] = { decimal_places: true };
    const { timezone } = field.options;
    if (field.type === 'datetime' && timezone && !timezone.startsWith('@')) select[timezone] = true;
  }
  return select;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Value in the editor's format: text unchanged, decimals and amounts (in major units) as text, moments as ISO text in UTC, images as a
 * filestore reference. Empty values are null.
 */
export function wireValue({ name, field }: EditableField, row: Row): unknown {
  const value = row[name] ?? null;
  if (value === null) return field.type === 'boolean' ? false : null;
  if (value instanceof Date) return value.toISOString();
  if (field.type === 'money') return fromMinor(Number(value), unitsOf(field, row));
  return value;
}

/** Hash that identifies a value. */
export function revisionOf(wire: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(wire)) ?? 'null')
    .digest('hex')
    .slice(0, 20);
}

/** Sorts object keys, since databases return JSON with their own key order. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Converts a value from the editor for the model, which validates it.
 *
 * @throws InvalidInput if the value can't be converted
 */
export async function modelValue(ctx: Ctx, { field }: EditableField, wire: unknown, row: Row): Promise<unknown> {
  if (wire === null || wire === undefined || wire === '') return field.type === 'boolean' ? false : null;
  switch (field.type) {
    case 'html':
      return typeof wire === 'string' ? editedHtml(wire) : wire;
    case 'integer':
    case 'float':
      return typeof wire === 'string' ? Number(decimalFrom(ctx, wire)) : wire;
    case 'money':
      return toMinor(decimalFrom(ctx, wire), unitsOf(field, row));
    case 'decimal':
      return decimalFrom(ctx, wire);
    case 'datetime':
      return momentFrom(wire);
    case 'image':
      return picture(ctx, wire);
    default:
      return wire;
  }
}

/** Parses a number in plain notation, as the editor sends it, or in the format of the page's language. */
function decimalFrom(ctx: Ctx, wire: unknown): string {
  const text = String(wire);
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  const reading = ctx.get(app.formats).parseNumber(text, ctx.lang);
  if (!reading.problem) return reading.value;
  throw new InvalidInput(
    numberFault(reading, (message, params) => t(ctx, message, params)),
    { code: 'website.not_a_number' },
  );
}

function momentFrom(wire: unknown): Date {
  const moment = new Date(typeof wire === 'string' ? wire : Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new InvalidInput('Enter a valid date and time.', { code: 'website.not_a_moment' });
}

/**
 * File of an attachment that the editor may read: `{ attachment: 12 }`. Hashes are not accepted, since they would give access to any file.
 */
async function picture(ctx: Ctx, wire: unknown): Promise<FileRef> {
  const id = typeof wire === 'object' && wire !== null && 'attachment' in wire ? Number(wire.attachment) : Number.NaN;
  const attachments = ctx.model(Attachment);
  const [readable] = Number.isSafeInteger(id) && id > 0 ? await attachments.readable([id]) : [];
  // Access to the file was checked above; the access list of attachments is stricter.
  const row = readable === undefined ? null : await fileOf(ctx, readable);
  if (row?.mimetype.startsWith('image/')) return row;
  throw new InvalidInput('Only image files can be uploaded', { code: 'website.not_an_image' });
}

async function fileOf(ctx: Ctx, id: Id): Promise<FileRef | null> {
  const [row] = await ctx
    .sudo()
    .model(Attachment)
    .read([id], { select: { datas: true } });
  return row?.datas ?? null;
}

function currencyField({ options }: Field): string {
  return options.currency ?? 'currency_id';
}

function unitsOf(field: Field, row: Row): { digits: number } {
  const currency = row[currencyField(field)];
  const digits =
    typeof currency === 'object' && currency !== null && 'decimal_places' in currency ? currency.decimal_places : 2;
  return { digits: typeof digits === 'number' ? digits : 2 };
}

/** Values for a model known only by name: the compiler can't check its fields, so the model validates them. */
export function uncheckedValues(values: Readonly<Record<string, unknown>>): Parameters<AnyModel['write']>[1] {
  return values as Parameters<AnyModel['write']>[1];
}

/** Same for fields to read. */
export function uncheckedSelect(select: Readonly<Record<string, unknown>>): Parameters<AnyModel['read']>[1]['select'] {
  return select as Parameters<AnyModel['read']>[1]['select'];
}
