import { z } from 'pergola';
import { parseArguments } from './bad-arguments.ts';
import type { Call } from './call-context.ts';
import { previewFromWire } from './preview.ts';
import { readGroup } from './read-group.ts';
import {
  checkAccessRights,
  count,
  defaultGet,
  describeFields,
  list,
  maxRecords,
  nameCreate,
  nameSearch,
  namesOf,
  read,
  readable,
  search,
  searchRead,
} from './record-methods.ts';
import { copyFromWire, createFromWire, unlinkRecords, writeFromWire } from './write-methods.ts';

/** A method of every model that is available to external calls. */
export interface WireMethod {
  readonly writes: boolean;
  /** Names of the arguments in positional order. */
  readonly params: readonly string[];
  /** Argument that contains record values, if any. Files in it are stored first. */
  readonly values?: string;
  run(call: Call, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const integerId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** Programs that store ids as text, such as n8n, send them as text. */
const id = z.union([
  integerId,
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(integerId),
]);
export const ids = z.array(id).max(maxRecords);
export const idOrIds = z.union([id, ids]);
const listing = {
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  // Odoo's clients send false (or 0) for "no limit".
  limit: z.union([z.number().int().min(0).max(maxRecords), z.literal(false)]).nullish(),
  order: z.union([z.string(), z.literal(false)]).nullish(),
};
const anyValue = z.unknown().optional();
/** Names or paths of fields. */
export const names = z.array(z.string().max(200));
const fieldNames = z.union([z.array(z.string()), z.literal(false)]).nullish();
/** `_classic_read` returns many2one fields as `[id, name]`; any other value, or false, as the id only. */
const load = z.union([z.string().max(64), z.literal(false)]).nullish();
const record = z.record(z.string(), z.unknown());

function method<S extends z.ZodObject>(
  shape: S,
  run: (call: Call, args: z.infer<S>) => Promise<unknown>,
  options: { writes?: boolean; values?: string } = {},
): WireMethod {
  return {
    writes: options.writes ?? false,
    params: Object.keys(shape.shape),
    ...(options.values ? { values: options.values } : {}),
    run: (call, args) => run(call, parseArguments(call.bound.ctx, shape, args).data),
  };
}

/** By name; a Map, so that inherited names are never matched. */
export const methods: ReadonlyMap<string, WireMethod> = new Map([
  ['search', method(z.object({ args: anyValue, ...listing, context: anyValue, count: z.boolean().nullish() }), search)],
  ['search_count', method(z.object({ args: anyValue }), (call, { args }) => count(call, args))],
  [
    'search_read',
    method(z.object({ domain: anyValue, fields: fieldNames, ...listing, context: anyValue, load }), searchRead),
  ],
  ['read', method(z.object({ ids: idOrIds, fields: fieldNames, context: anyValue, load }), read)],
  [
    'read_group',
    method(
      z.object({
        domain: anyValue,
        fields: z.array(z.string()).nullish(),
        groupby: z.union([z.string(), z.array(z.string())]),
        offset: listing.offset,
        limit: listing.limit,
        context: anyValue,
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
        context: anyValue,
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
        args: anyValue,
        operator: z.enum(['ilike', 'like', '=', '=ilike', '=like', 'not ilike', 'not like', '!=']).nullish(),
        context: anyValue,
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
      (call, { ids: recordIds, vals }) => writeFromWire(call, list(recordIds), vals),
      { writes: true, values: 'vals' },
    ),
  ],
  [
    'preview',
    method(
      z.object({
        id: z.union([id, z.literal(false)]),
        vals: record,
        fields: z.record(z.string(), z.union([z.literal(true), z.array(z.string()).max(500)])),
        context: anyValue,
      }),
      previewFromWire,
      { writes: true },
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
  ['unlink', method(z.object({ ids: idOrIds }), (call, args) => unlinkRecords(call, list(args.ids)), { writes: true })],
]);
