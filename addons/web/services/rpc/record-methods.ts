import { type Id, InvalidInput, NotAllowed } from 'pergola';
import { type BoundModel, checkFields, checkOrder, mayOperate, noRecord, Problems } from 'pergola/orm';
import type { Call } from './call-context.ts';
import { domainFromWire } from './domain.ts';
import { fieldsGet } from './fields-get.ts';
import { fieldFor } from './from-wire.ts';
import { type Relations, rowsToWire, valueToWire, type WireRow, wireSelect } from './to-wire.ts';

/** Maximum number of records returned or named by one call. */
export const maxRecords = 10_000;

/** Returns one or several ids as a list without duplicates. */
export function list(idOrIds: Id | readonly Id[]): Id[] {
  return [...new Set(typeof idOrIds === 'number' ? [idOrIds] : idOrIds)];
}

interface Reading {
  readonly fields?: readonly string[] | false | null;
  readonly load?: string | false | null;
}

/** Returns the format of many2one fields: Odoo includes names unless `load` is something other than `_classic_read`. */
function relationsFor(load: Reading['load']): Relations {
  return load === undefined || load === '_classic_read' ? 'named' : 'ids';
}

interface Listing {
  readonly offset?: number | null;
  readonly limit?: number | false | null;
  readonly order?: string | false | null;
}

/** Sorting and paging. Requests one record more than the maximum, to detect that there are more. */
function listingOf(bound: BoundModel, { offset, limit, order }: Listing) {
  return {
    ...(order ? { order: checkOrder(bound, order) } : {}),
    ...(offset ? { offset } : {}),
    limit: limit || maxRecords + 1,
  };
}

function refuseTooMany(rows: readonly unknown[]): void {
  if (rows.length <= maxRecords) return;
  throw new InvalidInput('More than {most} records match. Page through them with offset and limit.', {
    code: 'core.too_many_records',
    params: { most: maxRecords },
  });
}

/** `search`: returns matching ids in order, or their number if `count` is set. */
export async function search(
  call: Call,
  { args, count: onlyCount, ...rest }: Listing & { args?: unknown; count?: boolean | null },
): Promise<Id[] | number> {
  if (onlyCount) return count(call, args);
  const matches = await call.bound.self.search(await domainFromWire(call, args), listingOf(call.bound, rest));
  refuseTooMany(matches);
  return matches;
}

/** `search_count` */
export async function count(call: Call, domain: unknown): Promise<number> {
  return call.bound.self.count(await domainFromWire(call, domain));
}

/** `search_read` */
export async function searchRead(
  call: Call,
  { domain, fields, load, ...rest }: Listing & Reading & { domain?: unknown },
): Promise<WireRow[]> {
  const { bound } = call;
  const names = checkFields(bound, fields || null);
  const relations = relationsFor(load);
  const options = { ...listingOf(bound, rest), select: wireSelect(bound, names, relations) };
  const rows = await bound.self.find(await domainFromWire(call, domain), options);
  refuseTooMany(rows);
  return rowsToWire(call, names, rows);
}

/** `read`: returns one record for an id, a list for ids. */
export async function read(
  call: Call,
  { ids, fields, load }: Reading & { ids: Id | readonly Id[] },
): Promise<WireRow | WireRow[] | undefined> {
  const { bound } = call;
  const names = checkFields(bound, fields || null);
  const requestedIds = list(ids);
  const rows = await bound.self.read(requestedIds, { select: wireSelect(bound, names, relationsFor(load)) });
  refuseMissing(
    bound,
    requestedIds,
    rows.map((row) => row.id),
  );
  const wire = await rowsToWire(call, names, rows);
  return typeof ids === 'number' ? wire[0] : wire;
}

function refuseMissing(bound: BoundModel, requestedIds: readonly Id[], foundIds: readonly Id[]): void {
  const existing = new Set(foundIds);
  const missing = requestedIds.find((id) => !existing.has(id));
  if (missing !== undefined) throw noRecord(bound, missing);
}

/** Returns the ids if the caller may read all of them. Throws NotFound for the first missing one. */
export async function readable(bound: BoundModel, ids: readonly Id[]): Promise<readonly Id[]> {
  refuseMissing(bound, ids, await bound.self.allowed(ids, 'read'));
  return ids;
}

/** Returns `[id, name]` for each record. */
export async function namesOf({ self }: BoundModel, ids: readonly Id[]): Promise<[Id, string][]> {
  const names = await self.displayNames(ids);
  return ids.map((id) => [id, names.get(id) ?? String(id)]);
}

/** `fields_get` */
export async function describeFields(
  { bound }: Call,
  { allfields, attributes }: { allfields?: readonly string[] | false | null; attributes?: readonly string[] | null },
): Promise<Record<string, Record<string, unknown>>> {
  if (!isKnown(bound))
    throw new NotAllowed('You don’t have permission to read “{model}”.', { params: { model: bound.compiled.name } });
  // An empty list means all, as in Odoo.
  return fieldsGet(bound, allfields && allfields.length > 0 ? allfields : null, attributes?.length ? attributes : null);
}

function isKnown({ ctx, registry, compiled }: BoundModel): boolean {
  return (['read', 'write', 'create'] as const).some((operation) =>
    mayOperate(ctx, registry, compiled.name, operation),
  );
}

/** `name_search` */
export async function nameSearch(
  call: Call,
  {
    name,
    args,
    operator,
    limit,
  }: { name?: string | null; args?: unknown; operator?: string | null; limit?: number | false | null },
): Promise<[Id, string][]> {
  const { bound } = call;
  const conditions = await domainFromWire(call, args);
  const nameConditions = name ? await domainFromWire(call, nameCondition(bound, operator ?? 'ilike', name)) : [];
  return namesOf(bound, await bound.self.search([...nameConditions, ...conditions], { limit: limit || 100 }));
}

/** Returns the condition on a record's name: any search field matches, or none for negative operators such as `not ilike`. */
function nameCondition({ compiled }: BoundModel, operator: string, name: string): readonly unknown[] {
  const leaves = compiled.nameSearch.map((field) => [field.name, operator, name]);
  if (leaves.length === 0) return [byNumber(name)];
  const isNegative = operator === '!=' || operator.startsWith('not ');
  return [...leaves.slice(1).map(() => (isNegative ? '&' : '|')), ...leaves];
}

/** Finds nameless records by id; a text that isn't a number matches nothing. */
function byNumber(text: string): readonly [field: 'id', operator: 'in', ids: readonly number[]] {
  const id = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : 0;
  return ['id', 'in', id > 0 ? [id] : []];
}

/** `name_create`: returns `[id, name]` of the new record. */
export async function nameCreate({ bound }: Call, { name }: { name: string }): Promise<[Id, string] | undefined> {
  const { nameField } = bound.compiled;
  if (!nameField)
    throw new InvalidInput('Records of this model can’t be created from a name alone.', { code: 'core.no_name_field' });
  const problems = new Problems(bound.ctx, bound.compiled);
  problems.during(nameField.name, () => fieldFor(bound, nameField.name));
  problems.throwIfAny();
  const newId = await bound.self.create({ [nameField.name]: name });
  const [answer] = await namesOf(bound, [newId]);
  return answer;
}

/** `default_get` */
export async function defaultGet(
  { bound }: Call,
  { fields_list: names }: { fields_list: readonly string[] },
): Promise<Record<string, unknown>> {
  const readableNames = new Set(checkFields(bound, null));
  const fieldNames = names.filter((name) => readableNames.has(name));
  const defaults = await bound.self.defaults(fieldNames);
  const wire = Object.entries(defaults).flatMap(([name, value]) => {
    const field = bound.compiled.fields.get(name);
    // The model fills in amounts, files and lines.
    const isPlain =
      field && !field.options.filled && !['money', 'binary', 'image', 'one2many', 'many2many'].includes(field.type);
    return isPlain ? [[name, valueToWire(field, value)] as const] : [];
  });
  return Object.fromEntries(wire);
}

/** `check_access_rights` */
export async function checkAccessRights(
  { bound }: Call,
  {
    operation,
    raise_exception: raises,
  }: { operation: 'read' | 'write' | 'create' | 'unlink'; raise_exception?: boolean | null },
): Promise<boolean> {
  const { ctx, registry, compiled } = bound;
  const isAllowed = mayOperate(ctx, registry, compiled.name, operation);
  if (isAllowed || raises === false) return isAllowed;
  throw new NotAllowed('You don’t have permission to do this with “{model}”.', {
    code: 'core.access_denied',
    params: { model: compiled.name },
  });
}
