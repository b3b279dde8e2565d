import { z } from 'zod';
import { InvalidInput, NotAllowed } from '../../errors.ts';
import { mayOperate } from '../access/rights.ts';
import type { BoundModel } from '../compiled.ts';
import { checkFields, checkOrder } from '../domain/outside.ts';
import type { Id } from '../fields.ts';
import { noRecord } from '../read/need.ts';
import type { Call } from './call-context.ts';
import { domainFromWire } from './domain.ts';
import { fieldsGet } from './fields-get.ts';
import { fieldFor } from './from-wire.ts';
import { readGroup } from './read-group.ts';
import { rowsToWire, valueToWire, wireSelect } from './to-wire.ts';
import { copyFromWire, createFromWire, writeFromWire } from './write-methods.ts';

/** Records that one call answers or names at most. */
export const mostRecords = 10_000;

/** A method of every model that calls from outside may use. */
export interface WireMethod {
  readonly writes: boolean;
  /** Names of the arguments in the order in which they may also be given by place. */
  readonly params: readonly string[];
  /** Which argument carries values of records, if any: files in it are stored first. */
  readonly values?: string;
  run(call: Call, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const ids = z.array(id).max(mostRecords);
const idOrIds = z.union([id, ids]);
const listing = {
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  // Odoo's clients write false (or 0) for "no limit".
  limit: z.union([z.number().int().min(0).max(mostRecords), z.literal(false)]).nullish(),
  order: z.union([z.string(), z.literal(false)]).nullish(),
};
const anything = z.unknown().optional();
const fieldNames = z.union([z.array(z.string()), z.literal(false)]).nullish();
const record = z.record(z.string(), z.unknown());

function method<S extends z.ZodObject>(
  shape: S,
  run: (call: Call, args: z.infer<S>) => Promise<unknown>,
  about: { writes?: boolean; values?: string } = {},
): WireMethod {
  return {
    writes: about.writes ?? false,
    params: Object.keys(shape.shape),
    ...(about.values ? { values: about.values } : {}),
    run: (call, args) => run(call, parse(shape, args)),
  };
}

/** @throws InvalidInput naming the arguments that do not fit. */
function parse<S extends z.ZodObject>(shape: S, args: Readonly<Record<string, unknown>>): z.infer<S> {
  const parsed = shape.safeParse(args);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InvalidInput('The arguments do not fit. {faults}', {
    code: 'core.bad_arguments',
    params: { faults: faults.join('; ').slice(0, 500) },
  });
}

/** By name; a Map, so that no inherited name is ever found. */
export const methods: ReadonlyMap<string, WireMethod> = new Map([
  ['search', method(z.object({ args: anything, ...listing, context: anything, count: z.boolean().nullish() }), search)],
  ['search_count', method(z.object({ args: anything }), (call, { args }) => count(call, args))],
  ['search_read', method(z.object({ domain: anything, fields: fieldNames, ...listing }), searchRead)],
  ['read', method(z.object({ ids: idOrIds, fields: fieldNames, context: anything, load: anything }), read)],
  [
    'read_group',
    method(
      z.object({
        domain: anything,
        fields: z.array(z.string()).nullish(),
        groupby: z.union([z.string(), z.array(z.string())]),
        offset: listing.offset,
        limit: listing.limit,
        context: anything,
        orderby: z.union([z.string(), z.literal(false)]).nullish(),
        lazy: z.boolean().nullish(),
      }),
      (call, args) => readGroup(call, args),
    ),
  ],
  [
    'fields_get',
    method(
      z.object({
        allfields: fieldNames,
        context: anything,
        write_access: anything,
        attributes: z.array(z.string()).nullish(),
      }),
      describeFields,
    ),
  ],
  [
    'name_search',
    method(
      z.object({
        name: z.string().max(1000).nullish(),
        args: anything,
        operator: z.enum(['ilike', 'like', '=', '=ilike', '=like', 'not ilike', 'not like', '!=']).nullish(),
        context: anything,
        limit: listing.limit,
      }),
      nameSearch,
    ),
  ],
  [
    'name_get',
    method(z.object({ ids: idOrIds }), async (call, args) =>
      namesOf(call.bound, await readable(call.bound, list(args.ids))),
    ),
  ],
  ['name_create', method(z.object({ name: z.string() }), nameCreate, { writes: true })],
  ['default_get', method(z.object({ fields_list: z.array(z.string()).max(500) }), defaultGet)],
  ['exists', method(z.object({ ids: idOrIds }), async ({ bound }, args) => bound.self.allowed(list(args.ids), 'read'))],
  [
    'check_access_rights',
    method(
      z.object({ operation: z.enum(['read', 'write', 'create', 'unlink']), raise_exception: z.boolean().nullish() }),
      checkAccessRights,
    ),
  ],
  [
    'create',
    method(
      z.object({ vals: z.union([record, z.array(record).max(1_000)]) }),
      (call, { vals }) => createFromWire(call, vals),
      { writes: true, values: 'vals' },
    ),
  ],
  [
    'write',
    method(
      z.object({ ids: idOrIds, vals: record }),
      (call, { ids: given, vals }) => writeFromWire(call, list(given), vals),
      { writes: true, values: 'vals' },
    ),
  ],
  [
    'copy',
    method(
      z.object({ id: z.union([id, z.tuple([id])]), default: record.nullish() }),
      (call, args) => copyFromWire(call, list(args.id)[0] ?? 0, args.default ?? {}),
      { writes: true, values: 'default' },
    ),
  ],
  ['unlink', method(z.object({ ids: idOrIds }), unlink, { writes: true })],
]);

function list(given: Id | readonly Id[]): Id[] {
  return [...new Set(typeof given === 'number' ? [given] : given)];
}

interface Listing {
  readonly offset?: number | null;
  readonly limit?: number | false | null;
  readonly order?: string | false | null;
}

/** Sorting and paging; one record more than may be answered is asked for, to notice that there are more. */
function listingOf(bound: BoundModel, { offset, limit, order }: Listing) {
  return {
    ...(order ? { order: checkOrder(bound, order) } : {}),
    ...(offset ? { offset } : {}),
    limit: limit || mostRecords + 1,
  };
}

function refuseTooMany(rows: readonly unknown[]): void {
  if (rows.length <= mostRecords) return;
  throw new InvalidInput('More than {most} records match. Ask for them in pages, with offset and limit.', {
    code: 'core.too_many_records',
    params: { most: mostRecords },
  });
}

async function search(
  call: Call,
  { args, count: onlyCount, ...rest }: Listing & { args?: unknown; count?: boolean | null },
) {
  if (onlyCount) return count(call, args);
  const found = await call.bound.self.search(await domainFromWire(call, args), listingOf(call.bound, rest));
  refuseTooMany(found);
  return found;
}

async function count(call: Call, given: unknown): Promise<number> {
  return call.bound.self.count(await domainFromWire(call, given));
}

async function searchRead(call: Call, args: Listing & { domain?: unknown; fields?: readonly string[] | false | null }) {
  const { bound } = call;
  const names = checkFields(bound, args.fields || null);
  const options = { ...listingOf(bound, args), select: wireSelect(bound, names) };
  const rows = await bound.self.find(await domainFromWire(call, args.domain), options);
  refuseTooMany(rows);
  return rowsToWire(call, names, rows);
}

/** One record for an id, a list for ids. */
async function read(call: Call, args: { ids: Id | readonly Id[]; fields?: readonly string[] | false | null }) {
  const { bound } = call;
  const names = checkFields(bound, args.fields || null);
  const wanted = list(args.ids);
  const rows = await bound.self.read(wanted, { select: wireSelect(bound, names) });
  refuseMissing(
    bound,
    wanted,
    rows.map((row) => row.id),
  );
  const wire = await rowsToWire(call, names, rows);
  return typeof args.ids === 'number' ? wire[0] : wire;
}

function refuseMissing(bound: BoundModel, wanted: readonly Id[], found: readonly Id[]): void {
  const there = new Set(found);
  const missing = wanted.find((one) => !there.has(one));
  if (missing !== undefined) throw noRecord(bound, missing);
}

async function readable(bound: BoundModel, wanted: readonly Id[]): Promise<readonly Id[]> {
  refuseMissing(bound, wanted, await bound.self.allowed(wanted, 'read'));
  return wanted;
}

async function namesOf({ self }: BoundModel, wanted: readonly Id[]): Promise<[Id, string][]> {
  const names = await self.displayNames(wanted);
  return wanted.map((one) => [one, names.get(one) ?? String(one)]);
}

async function describeFields(
  { bound }: Call,
  { allfields, attributes }: { allfields?: readonly string[] | false | null; attributes?: readonly string[] | null },
) {
  if (!isKnown(bound)) throw new NotAllowed('You may not read “{model}”.', { params: { model: bound.compiled.name } });
  return fieldsGet(bound, allfields || null, attributes ?? null);
}

function isKnown({ ctx, registry, compiled }: BoundModel): boolean {
  return (['read', 'write', 'create'] as const).some((operation) =>
    mayOperate(ctx, registry, compiled.name, operation),
  );
}

async function nameSearch(
  call: Call,
  {
    name,
    args,
    operator,
    limit,
  }: { name?: string | null; args?: unknown; operator?: string | null; limit?: number | false | null },
) {
  const { bound } = call;
  const { nameField } = bound.compiled;
  const given = await domainFromWire(call, args);
  const named = name
    ? await domainFromWire(call, [
        [nameField?.name ?? 'id', nameField ? (operator ?? 'ilike') : '=', nameField ? name : Number(name)],
      ])
    : [];
  return namesOf(bound, await bound.self.search([...named, ...given], { limit: limit || 100 }));
}

async function nameCreate({ bound }: Call, { name }: { name: string }) {
  const { nameField } = bound.compiled;
  if (!nameField)
    throw new InvalidInput('Records of this model cannot be made from a name alone.', { code: 'core.no_name_field' });
  const field = fieldFor(bound, nameField.name);
  const made = await bound.self.create({ [field.name]: name });
  const [answer] = await namesOf(bound, [made]);
  return answer;
}

async function defaultGet({ bound }: Call, { fields_list: names }: { fields_list: readonly string[] }) {
  const readableNames = new Set(checkFields(bound, null));
  const wanted = names.filter((name) => readableNames.has(name));
  const defaults = await bound.self.defaults(wanted);
  const wire = Object.entries(defaults).flatMap(([name, value]) => {
    const field = bound.compiled.fields.get(name);
    // Amounts, files and lines are for the model to fill in.
    const isPlain = field && !['money', 'binary', 'image', 'one2many', 'many2many'].includes(field.type);
    return isPlain ? [[name, valueToWire(field, value)] as const] : [];
  });
  return Object.fromEntries(wire);
}

async function checkAccessRights(
  { bound }: Call,
  {
    operation,
    raise_exception: raises,
  }: { operation: 'read' | 'write' | 'create' | 'unlink'; raise_exception?: boolean | null },
): Promise<boolean> {
  const { ctx, registry, compiled } = bound;
  const isAllowed = mayOperate(ctx, registry, compiled.name, operation);
  if (isAllowed || raises === false) return isAllowed;
  throw new NotAllowed('You may not do this with “{model}”.', {
    code: 'core.access_denied',
    params: { model: compiled.name },
  });
}

async function unlink({ bound }: Call, args: { ids: Id | readonly Id[] }): Promise<true> {
  await bound.self.unlink(list(args.ids));
  return true;
}
