import { WrongCode } from '@pergola/core';
import { mayReadField, requireFields, requireRight } from '../access/rights.ts';
import { bindOther, bindSudo, unscoped } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { computeOnRead, relatedOnRead } from '../compute/on-read.ts';
import { parseDomain } from '../domain/parse.ts';
import type { Id, Ids } from '../fields.ts';
import { META } from '../meta.ts';
import type { RawDomain } from '../types.ts';
import { prepare } from './prepare.ts';
import { fetchRows } from './rows.ts';
import { deeper, type PlainRow, type SelectPlan, type SelectSpec, selected } from './select.ts';

/** Records by id, in the order of the ids; see `Model.read`. */
export async function readRecords(bound: BoundModel, ids: Ids, select: SelectSpec): Promise<PlainRow[]> {
  requireRight(bound, 'read');
  const asked = selected(bound, select);
  requireFields(bound.ctx, asked.plan.restricted, mayReadField);
  const rows = await rowsById(bound, ids, select, asked);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Those of the ids that the reader sees; nothing at all without the right to read the model. */
async function rowsById(
  bound: BoundModel,
  ids: Ids,
  select: SelectSpec,
  { shape, plan } = selected(bound, select),
): Promise<Map<Id, PlainRow>> {
  if (ids.length === 0) return new Map();
  const query = await prepare(bound, { order: null, reads: plan.behind });
  if (!query) return new Map();
  const each = [...new Set(ids)];
  const [{ rows }, several] = await Promise.all([
    fetchRows(bound, query, { anchor: { kind: 'ids' }, ids: each, shape, plan }),
    readSeveral(bound, select, plan, each),
  ]);
  await complete(bound, select, plan, rows, several);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Adds to the rows of a level what their own table does not hold: names, computed and related values, and what stands behind relations. Lines and links may have
 * been read along with the rows.
 */
export async function complete(
  bound: BoundModel,
  select: SelectSpec,
  plan: SelectPlan,
  rows: PlainRow[],
  readAlong?: Several,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  if (plan.related.length > 0) fill(rows, await relatedOnRead(bound, plan.related, ids, readRecords));
  if (plan.computed.length > 0) fill(rows, await computeOnRead(bound, plan.computed, ids));
  if (plan.displayName !== null) await addNames(bound, plan, rows, ids);
  for (const name of plan.empty) for (const row of rows) row[name] = null;
  const several = readAlong ?? (await readSeveral(bound, select, plan, ids));
  for (const field of plan.relations) {
    const groups = several.get(field.name);
    const deep = deeper(select[field.name]);
    if (groups) for (const row of rows) row[field.name] = groups.get(row.id) ?? [];
    else if (deep && field.relation) await followIds(bindOther(bound, field.relation.to), field, deep, rows);
  }
}

function fill(rows: readonly PlainRow[], values: ReadonlyMap<string, ReadonlyMap<Id, unknown>>): void {
  for (const [name, byId] of values) for (const row of rows) row[name] = byId.get(row.id) ?? null;
}

async function addNames(bound: BoundModel, plan: SelectPlan, rows: readonly PlainRow[], ids: Ids): Promise<void> {
  const { displayName } = plan;
  const names = displayName === 'method' ? await unscoped(bound).self.displayNames(ids) : null;
  for (const row of rows) {
    const name = names
      ? names.get(row.id)
      : typeof displayName === 'object' && displayName
        ? row[displayName.name]
        : null;
    row.display_name = name === null || name === undefined || name === '' ? String(row.id) : String(name);
    if (plan.hiddenName && typeof displayName === 'object' && displayName) delete row[displayName.name];
  }
}

/** Lines and links by the records they stand behind, for each field that has any: ids, or rows of their own when the select goes deeper. */
type Several = ReadonlyMap<string, ReadonlyMap<Id, unknown[]>>;

/** The lines and links of all these records, in one query for each field. */
async function readSeveral(bound: BoundModel, select: SelectSpec, plan: SelectPlan, ids: Ids): Promise<Several> {
  const fields = plan.relations.filter(isInTable);
  return new Map(
    await Promise.all(
      fields.map(async (field) => [field.name, await linesOf(bound, field, deeper(select[field.name]), ids)] as const),
    ),
  );
}

/** Whether a table holds what stands behind it: not where it is worked out. */
function isInTable({ relation, stored, related, compute }: CompiledField): boolean {
  if (relation?.kind !== 'one2many' && relation?.kind !== 'many2many') return false;
  return stored === (relation.kind === 'many2many') && !related && !compute;
}

/** Ids behind a relation to several, at most `limit` altogether; see `Model.linked`. */
export async function readLinked(
  bound: BoundModel,
  ids: Ids,
  name: string,
  matching: { readonly domain: RawDomain; readonly limit: number },
): Promise<Map<Id, Id[]>> {
  const field = bound.compiled.fields.get(name);
  if (!bound.ctx.su || !field || !isInTable(field))
    throw new WrongCode(`“linked” needs rights lifted and a field with lines or links; “${name}” was given.`);
  return linesOf(bound, field, null, ids, matching) as Promise<Map<Id, Id[]>>;
}

async function linesOf(
  bound: BoundModel,
  { relation, options }: CompiledField,
  select: SelectSpec | null,
  ids: Ids,
  { domain, limit }: { readonly domain?: RawDomain; readonly limit?: number } = {},
): Promise<Map<Id, unknown[]>> {
  const groups = new Map<Id, unknown[]>(ids.map((id) => [id, []]));
  if (!relation || relation.kind === 'many2one') return groups;
  const target = bindOther(bound, relation.to);
  const wanted = select ?? {};
  const { shape, plan } = selected(target, wanted);
  requireReadable(target, plan);
  const query = await prepare(target, {
    ...(domain ? { domain: parseDomain(domain) } : {}),
    order: options.order,
    onlyActive: relation.kind === 'one2many',
    reads: plan.behind,
  });
  if (!query) return groups;
  const anchor =
    relation.kind === 'one2many'
      ? ({ kind: 'lines', inverse: relation.inverseColumn } as const)
      : ({ kind: 'links', relation } as const);
  const fetched = await fetchRows(target, query, {
    anchor,
    ids,
    shape,
    plan,
    ...(limit === undefined ? {} : { limit }),
  });
  await complete(target, wanted, plan, fetched.rows);
  for (const [position, row] of fetched.rows.entries()) {
    groups.get(fetched.parents[position] ?? 0)?.push(select ? row : row.id);
  }
  return groups;
}

/** Rows for ids that are already there: of many2one fields, and of computed or related ones. */
async function followIds(
  target: BoundModel,
  field: CompiledField,
  select: SelectSpec,
  rows: PlainRow[],
): Promise<void> {
  const ids = new Set(rows.flatMap((row) => idsIn(row[field.name])));
  const found = isNameOnly(select)
    ? await namesOnly(target, [...ids], select)
    : await readable(target, [...ids], select);
  for (const row of rows) {
    const value = row[field.name];
    row[field.name] = Array.isArray(value)
      ? value.flatMap((id: Id) => found.get(id) ?? [])
      : (found.get(Number(value)) ?? null);
  }
}

async function readable(target: BoundModel, ids: Ids, select: SelectSpec): Promise<Map<Id, PlainRow>> {
  const asked = selected(target, select);
  requireReadable(target, asked.plan);
  return rowsById(target, ids, select, asked);
}

function idsIn(value: unknown): Id[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'number' ? [value] : [];
}

/** The name behind a many2one of a readable record may be read even when the record it leads to is hidden. */
function isNameOnly(select: SelectSpec): boolean {
  return 'display_name' in select && Object.keys(select).every((name) => name === 'display_name' || name === 'id');
}

async function namesOnly(target: BoundModel, ids: Ids, select: SelectSpec): Promise<Map<Id, PlainRow>> {
  // Rights are lifted for the name alone.
  const rows = await rowsById(bindSudo(target), ids, select);
  for (const row of rows.values()) {
    const meta = row[META];
    if (!target.ctx.su && typeof meta === 'object') row[META] = { ...meta, mayWrite: false };
  }
  return rows;
}

/** Naming a field in a select that one may not read is refused; leaving it out is not. */
function requireReadable({ ctx }: BoundModel, { restricted }: SelectPlan): void {
  requireFields(ctx, restricted, mayReadField);
}

/**
 * Names of those of the records that the reader sees: what their naming field holds, the name of the record it leads to where it is a relation, else
 * the id; see `Model.displayNames`.
 */
export async function displayNamesOf(bound: BoundModel, ids: Ids): Promise<Map<Id, string>> {
  const { nameField } = bound.compiled;
  const wanted = nameField?.relation?.kind === 'many2one' ? ({ display_name: true } as const) : true;
  const rows = await rowsById(bound, ids, nameField ? { [nameField.name]: wanted } : {});
  return new Map([...rows.values()].map((row) => [row.id, nameOf(nameField ? row[nameField.name] : null, row.id)]));
}

function nameOf(held: unknown, id: Id): string {
  const value = typeof held === 'object' && held !== null && 'display_name' in held ? held.display_name : held;
  return value === null || value === undefined || value === '' ? String(id) : String(value);
}
