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

/** Returns records by id, in the order of the ids; see `Model.read`. */
export async function readRecords(bound: BoundModel, ids: Ids, select: SelectSpec): Promise<PlainRow[]> {
  requireRight(bound, 'read');
  const selection = selected(bound, select);
  requireFields(bound.ctx, selection.plan.restricted, mayReadField);
  const rows = await rowsById(bound, ids, select, selection);
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Returns the rows of visible records by id; empty if the user may not read the model. */
async function rowsById(
  bound: BoundModel,
  ids: Ids,
  select: SelectSpec,
  { shape, plan } = selected(bound, select),
): Promise<Map<Id, PlainRow>> {
  if (ids.length === 0) return new Map();
  const query = await prepare(bound, { order: null, reads: plan.behind });
  if (!query) return new Map();
  const distinctIds = [...new Set(ids)];
  const [{ rows }, several] = await Promise.all([
    fetchRows(bound, query, { anchor: { kind: 'ids' }, ids: distinctIds, shape, plan }),
    readSeveral(bound, select, plan, distinctIds),
  ]);
  await complete(bound, select, plan, rows, several);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Adds values that aren't in the rows' own table: names, computed and related values, and related records. Lines and links may have been
 * read together with the rows.
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

/** Lines and links by field name and the id of their record: ids, or rows if the select is nested. */
type Several = ReadonlyMap<string, ReadonlyMap<Id, unknown[]>>;

/** Reads the lines and links of all these records, with one query per field. */
async function readSeveral(bound: BoundModel, select: SelectSpec, plan: SelectPlan, ids: Ids): Promise<Several> {
  const fields = plan.relations.filter(isInTable);
  return new Map(
    await Promise.all(
      fields.map(async (field) => [field.name, await linesOf(bound, field, deeper(select[field.name]), ids)] as const),
    ),
  );
}

/** Whether a table holds the field's lines or links, so that they aren't computed. */
function isInTable({ relation, stored, related, compute }: CompiledField): boolean {
  if (relation?.kind !== 'one2many' && relation?.kind !== 'many2many') return false;
  return stored === (relation.kind === 'many2many') && !related && !compute;
}

/** Returns ids in a one2many or many2many field, at most `limit` in total; see `Model.linked`. */
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
  const lineSelect = select ?? {};
  const { shape, plan } = selected(target, lineSelect);
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
  const lines = await fetchRows(target, query, {
    anchor,
    ids,
    shape,
    plan,
    ...(limit === undefined ? {} : { limit }),
  });
  await complete(target, lineSelect, plan, lines.rows);
  for (const [position, row] of lines.rows.entries()) {
    groups.get(lines.parents[position] ?? 0)?.push(select ? row : row.id);
  }
  return groups;
}

/** Replaces ids already in the rows (many2one, computed and related fields) by rows. */
async function followIds(
  target: BoundModel,
  field: CompiledField,
  select: SelectSpec,
  rows: PlainRow[],
): Promise<void> {
  const ids = new Set(rows.flatMap((row) => idsIn(row[field.name])));
  const targets = isNameOnly(select)
    ? await namesOnly(target, [...ids], select)
    : await readable(target, [...ids], select);
  for (const row of rows) {
    const value = row[field.name];
    row[field.name] = Array.isArray(value)
      ? value.flatMap((id: Id) => targets.get(id) ?? [])
      : (targets.get(Number(value)) ?? null);
  }
}

async function readable(target: BoundModel, ids: Ids, select: SelectSpec): Promise<Map<Id, PlainRow>> {
  const selection = selected(target, select);
  requireReadable(target, selection.plan);
  return rowsById(target, ids, select, selection);
}

function idsIn(value: unknown): Id[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'number' ? [value] : [];
}

/** The name behind a many2one of a readable record may be read even if the target record is hidden. */
function isNameOnly(select: SelectSpec): boolean {
  return 'display_name' in select && Object.keys(select).every((name) => name === 'display_name' || name === 'id');
}

async function namesOnly(target: BoundModel, ids: Ids, select: SelectSpec): Promise<Map<Id, PlainRow>> {
  // Rights are lifted only for the name.
  const rows = await rowsById(bindSudo(target), ids, select);
  for (const row of rows.values()) {
    const meta = row[META];
    if (!target.ctx.su && typeof meta === 'object') row[META] = { ...meta, mayWrite: false };
  }
  return rows;
}

/** A select that names an unreadable field is refused; a select without it isn't. */
function requireReadable({ ctx }: BoundModel, { restricted }: SelectPlan): void {
  requireFields(ctx, restricted, mayReadField);
}

/**
 * Returns the names of visible records: the value of the name field, or the name of its record if it is a relation, or else the id; see
 * `Model.displayNames`.
 */
export async function displayNamesOf(bound: BoundModel, ids: Ids): Promise<Map<Id, string>> {
  const { nameField } = bound.compiled;
  const nameSelect = nameField?.relation?.kind === 'many2one' ? ({ display_name: true } as const) : true;
  const rows = await rowsById(bound, ids, nameField ? { [nameField.name]: nameSelect } : {});
  return new Map([...rows.values()].map((row) => [row.id, nameOf(nameField ? row[nameField.name] : null, row.id)]));
}

function nameOf(nameValue: unknown, id: Id): string {
  const value =
    typeof nameValue === 'object' && nameValue !== null && 'display_name' in nameValue
      ? nameValue.display_name
      : nameValue;
  return value === null || value === undefined || value === '' ? String(id) : String(value);
}
