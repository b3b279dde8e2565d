import { decimal, type FileRef, fromMinor, type Id, InvalidInput } from 'pergola';
import {
  type BoundModel,
  type CompiledField,
  isFileRef,
  noCurrency,
  type PlainRow,
  type SelectSpec,
} from 'pergola/orm';
import type { Call } from './call-context.ts';

/** A record in the format of Odoo's clients. */
export type WireRow = { id: Id } & Record<string, unknown>;

/** Maximum total size of files returned by one call, in bytes; larger files have their own addresses. */
const maxFileBytes = 50_000_000;

/** Many2one fields as `[id, name]`, or as ids only. */
export type Relations = 'named' | 'ids';

/** Returns the selection of the fields that {@link rowsToWire} converts. */
export function wireSelect(
  { compiled }: BoundModel,
  names: readonly string[],
  relations: Relations = 'named',
): SelectSpec {
  const isNamed = (name: string) => relations === 'named' && compiled.fields.get(name)?.relation?.kind === 'many2one';
  return Object.fromEntries(
    names.filter((name) => name !== 'id').map((name) => [name, isNamed(name) ? { display_name: true } : true]),
  );
}

/**
 * Converts rows to the format of Odoo's calls: many2one as read by {@link wireSelect}, empty values as false, moments in UTC, files as
 * base64 (or their size), amounts in major units.
 */
export async function rowsToWire(call: Call, names: readonly string[], rows: readonly PlainRow[]): Promise<WireRow[]> {
  const { bound } = call;
  const wire: WireRow[] = rows.map(({ id }) => ({ id }));
  for (const name of names) {
    const field = bound.compiled.fields.get(name);
    if (!field || name === 'id') continue;
    const convert = await converterOf(call, field, rows);
    for (const [position, row] of rows.entries()) {
      const target = wire[position];
      if (target) target[name] = await convert(row[name], row.id);
    }
  }
  return wire;
}

type Converter = (value: unknown, id: Id) => unknown;

async function converterOf(call: Call, field: CompiledField, rows: readonly PlainRow[]): Promise<Converter> {
  if (field.type === 'money') {
    const units = await call.currencies.ofRecords(
      call.bound,
      field,
      rows.map(({ id }) => id),
    );
    return (value, id) => (typeof value === 'number' ? Number(fromMinor(value, units.get(id) ?? noCurrency)) : false);
  }
  if (field.type === 'binary' || field.type === 'image') {
    return (value) => (isFileRef(value) ? fileToWire(call, value) : false);
  }
  return (value) => valueToWire(field, value);
}

/** Converts a value that needs no further data. */
export function valueToWire(field: CompiledField, value: unknown): unknown {
  if (value === null || value === undefined) return false;
  switch (field.type) {
    case 'many2one':
      return typeof value === 'object' && 'id' in value && 'display_name' in value
        ? [value.id, value.display_name]
        : value;
    case 'decimal':
      return typeof value === 'string' ? decimal(value).toNumber() : value;
    case 'datetime':
      return value instanceof Date ? momentToWire(value) : value;
    default:
      return value;
  }
}

/** `2026-11-21 10:00:00`, in UTC. */
export function momentToWire(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

async function fileToWire(call: Call, file: FileRef): Promise<unknown> {
  if (call.context.binSize) return humanSize(file.size);
  call.fileBytes += file.size;
  if (call.fileBytes > maxFileBytes) {
    throw new InvalidInput(
      'The requested files are too large for one response. Request fewer records, or use bin_size.',
      {
        code: 'core.too_many_files',
      },
    );
  }
  const content = await call.bound.ctx.files.get(file.hash);
  return content === null ? false : Buffer.from(content).toString('base64');
}

/** As shown by Odoo's clients: `12.34 Kb`. */
function humanSize(bytes: number): string {
  const units = ['bytes', 'Kb', 'Mb', 'Gb', 'Tb'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(2)} ${units[unit]}`;
}

/** Converts the return value of a public method to JSON values. */
export function anythingToWire(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return momentToWire(value);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), anythingToWire(item)]));
  if (value instanceof Set || Array.isArray(value)) return [...value].map(anythingToWire);
  if (typeof value !== 'object') return typeof value === 'bigint' ? Number(value) : value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return anythingToWire(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, anythingToWire(item)]));
}
