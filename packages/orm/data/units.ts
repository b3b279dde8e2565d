import { createHash } from 'node:crypto';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { selectRows } from '../write/sql.ts';
import { decodeValue, textsOf } from '../write/stored.ts';
import { type Entry, replaceRefs } from './entries.ts';
import type { Checksums } from './external-ids.ts';
import type { Load } from './load.ts';

/** Language of plain texts in shipped data, as in templates and code. */
export const sourceLanguage = 'en_US';

/** A separately compared part of a shipped record: a value, or a text in one language. */
export interface ShippedUnit {
  readonly field: CompiledField;
  /** `name`, `name:fr_FR` */
  readonly unit: string;
  readonly lang: string | null;
  readonly value: unknown;
  readonly hash: string;
}

/** Returns the parts of a shipped record that upgrades may change. Upgrades leave the lines created along with it alone. */
export function shippedUnits(load: Load, { model, values }: Entry): ShippedUnit[] {
  return Object.entries(values).flatMap(([name, shippedValue]) => {
    const field = model.fields.get(name);
    if (!field || shippedValue === undefined || !isComparable(field, shippedValue)) return [];
    const value = replaceRefs(shippedValue, (externalId) => load.ids.get(externalId) ?? 0);
    const texts = field.translated && typeof value === 'string' ? { [sourceLanguage]: value } : value;
    return unitsOf(field, texts).map(([unit, part]) => ({
      field,
      unit,
      lang: unit.includes(':') ? unit.slice(unit.indexOf(':') + 1) : null,
      value: part,
      hash: checksum(part),
    }));
  });
}

function isComparable(field: CompiledField, value: unknown): boolean {
  if (field.relation?.kind === 'one2many') return false;
  if (field.relation?.kind !== 'many2many' || !Array.isArray(value)) return true;
  return !value.some(
    (item) => typeof item === 'object' && item !== null && ('create' in item || 'update' in item || 'delete' in item),
  );
}

/** Returns the hashes to store for the current values of records. */
export async function unitChecksums(
  load: Load,
  model: CompiledModel,
  records: readonly { readonly entry: Entry; readonly recordId: Id }[],
): Promise<Map<Id, Checksums>> {
  const names = new Set(records.flatMap(({ entry }) => Object.keys(entry.values)));
  const ids = records.map(({ recordId }) => recordId);
  const stored = await storedUnits(load, model, ids, names);
  return new Map(
    records.map(({ entry, recordId }) => {
      const recordUnits = stored.get(recordId) ?? new Map();
      const hashes = shippedUnits(load, entry).map(
        ({ unit, hash }) => [unit, [checksum(recordUnits.get(unit)), hash]] as const,
      );
      return [recordId, Object.fromEntries(hashes)];
    }),
  );
}

/**
 * Returns the stored values of records, regardless of rights: by record id, then by field (`field:language` for translated ones). Values of
 * `writable` related fields are those of the related record; of fields with an `inverse`, those that are calculated from it.
 */
export async function storedUnits(
  load: Load,
  { name: model }: CompiledModel,
  ids: readonly Id[],
  names: Iterable<string>,
): Promise<Map<Id, Map<string, unknown>>> {
  const bound = load.bound(model);
  const { compiled, codec, connection } = bound;
  const fields = [...new Set(names)].flatMap((name) => compiled.fields.get(name) ?? []);
  const columns = fields.flatMap(({ column }) => column ?? []);
  const rows = await selectRows(connection, compiled.table, ['id', ...columns], { column: 'id', ids });
  const units = new Map<Id, Map<string, unknown>>();
  for (const row of rows) {
    const recordUnits = new Map<string, unknown>();
    for (const field of fields) {
      if (field.column === null) continue;
      const value = decodeValue(codec, field, row[field.column]);
      for (const [unit, part] of unitsOf(field, value)) recordUnits.set(unit, part);
    }
    units.set(Number(row.id), recordUnits);
  }
  for (const field of fields) {
    if (field.related) await addRelated(load, bound, field, ids, units);
    else if (field.compute && field.column === null) await addCalculated(bound, field, ids, units);
    else await addLinks(bound, field, ids, units);
  }
  return units;
}

async function addRelated(
  load: Load,
  { compiled, connection }: BoundModel,
  field: CompiledField,
  ids: readonly Id[],
  units: Map<Id, Map<string, unknown>>,
): Promise<void> {
  const [through = '', target = ''] = field.related ?? [];
  const { relation, column } = compiled.fields.get(through) ?? {};
  const related = relation?.kind === 'many2one' && load.bound(relation.to).compiled;
  if (!related || !column) return;
  const rows = await selectRows(connection, compiled.table, ['id', column], { column: 'id', ids });
  const relatedIds = rows.flatMap((row) => row[column] ?? []).map(Number);
  const relatedUnits = await storedUnits(load, related, relatedIds, [target]);
  for (const row of rows)
    for (const [unit, value] of relatedUnits.get(Number(row[column])) ?? [])
      units.get(Number(row.id))?.set(field.name + unit.slice(target.length), value);
}

async function addCalculated(
  { self }: BoundModel,
  { name }: CompiledField,
  ids: readonly Id[],
  units: Map<Id, Map<string, unknown>>,
): Promise<void> {
  const records = await self.find([['id', 'in', ids]], { select: { [name]: true } });
  for (const { id, [name]: value } of records) units.get(id)?.set(name, value);
}

async function addLinks(
  { connection }: BoundModel,
  { name, relation }: CompiledField,
  ids: readonly Id[],
  units: Map<Id, Map<string, unknown>>,
): Promise<void> {
  if (relation?.kind !== 'many2many') return;
  const { table, from, toColumn } = relation;
  const links = new Map<Id, Id[]>(ids.map((id) => [id, []]));
  for (const row of await selectRows(connection, table, [from, toColumn], { column: from, ids })) {
    links.get(Number(row[from]))?.push(Number(row[toColumn]));
  }
  for (const [id, linked] of links)
    units.get(id)?.set(
      name,
      linked.sort((a, b) => a - b),
    );
}

/** Splits a value into separately compared parts: the texts of a translated field, or the value itself. */
function unitsOf(field: CompiledField, value: unknown): [unit: string, value: unknown][] {
  if (!field.translated || typeof value === 'string') return [[field.name, value]];
  return Object.entries(textsOf(value)).map(([lang, text]) => [`${field.name}:${lang}`, text]);
}

/** Returns a short hash of a value; equal for equal values. */
export function checksum(value: unknown): string {
  return createHash('sha256').update(stable(value)).digest('base64url').slice(0, 16);
}

function stable(value: unknown): string {
  if (value instanceof Date) return `@${value.toISOString()}`;
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([name, item]) => `${JSON.stringify(name)}:${stable(item)}`).join(',')}}`;
}

/** Whether any shipped value was changed since. */
export function isChanged(checksums: Checksums, stored: ReadonlyMap<string, unknown>): boolean {
  return Object.entries(checksums).some(([unit, [hash]]) => checksum(stored.get(unit)) !== hash);
}
