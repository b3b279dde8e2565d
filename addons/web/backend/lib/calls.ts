import { rpc } from 'pergola/browser';
import type { Domain, ModelInfo } from '../types.ts';
import { callRoute } from './call-route.ts';

/** A record as returned by calls: many2one as `[id, name]`, empty values as false, moments as UTC text. */
export type WireRecord = { readonly id: number } & Readonly<Record<string, unknown>>;

/** Options of a call: language of translated fields, inclusion of archived records, files by size only. */
export interface CallContext {
  readonly lang?: string;
  readonly active_test?: boolean;
  readonly bin_size?: boolean;
  /** Key by which the change can be undone; see `newChangeKey`. */
  readonly change_key?: string;
}

/**
 * Calls a model's method with the rights of the signed-in user.
 *
 * @throws RpcError
 */
export function callKw<T = unknown>(
  model: string,
  method: string,
  args: readonly unknown[] = [],
  kwargs: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  return rpc(`/web/dataset/call_kw/${model}/${method}`, { model, method, args, kwargs }) as Promise<T>;
}

/** Loads a model's definition for its screens. */
export function fetchModel(model: string): Promise<ModelInfo> {
  return callRoute('/web/backend/model', { model });
}

/** A page of a list. */
export interface Listing {
  readonly domain: Domain;
  readonly fields: readonly string[];
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly context?: CallContext;
}

export function searchRead(model: string, { domain, fields, order, limit, offset, context }: Listing) {
  return callKw<WireRecord[]>(model, 'search_read', [], {
    domain,
    fields,
    order: order || false,
    limit: limit ?? 80,
    offset: offset ?? 0,
    context: { bin_size: true, ...context },
  });
}

export function readRecords(model: string, ids: readonly number[], fields: readonly string[], context?: CallContext) {
  return callKw<WireRecord[]>(model, 'read', [ids, fields], { context: { bin_size: true, ...context } });
}

export function createRecord(model: string, values: object, context: CallContext = {}): Promise<number> {
  return callKw<number>(model, 'create', [values], { context });
}

export function writeRecords(model: string, ids: readonly number[], values: object, context: CallContext = {}) {
  return callKw<true>(model, 'write', [ids, values], { context });
}

/** A field changed by another user in the meantime. */
interface FieldConflict {
  readonly field: string;
  readonly label: string;
  readonly theirs: unknown;
}

/** Another user's changes that conflict with the current ones. */
export interface Conflicts {
  readonly fields: readonly FieldConflict[];
  readonly by: string | null;
  /** UTC, as the wire has it. */
  readonly at: string | null;
}

/**
 * Saves changes to a record if the fields still have the `seen` values. Returns null once it is saved. If another user has changed one of
 * them, saves nothing and returns the conflicts.
 *
 * @throws RpcError
 */
export async function saveOver(change: {
  readonly model: string;
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly seen: Readonly<Record<string, unknown>>;
  readonly changeKey?: string;
}): Promise<Conflicts | null> {
  return (await callRoute('/web/backend/save', change)).conflicts;
}

export function unlinkRecords(model: string, ids: readonly number[], context: CallContext = {}): Promise<true> {
  return callKw<true>(model, 'unlink', [ids], { context });
}

export function nameSearch(model: string, name: string, domain: Domain = [], limit = 8) {
  return callKw<[number, string][]>(model, 'name_search', [], { name, args: domain, limit });
}

/** Stores a preference of the user; null deletes it. */
export function remember(key: string, value: unknown): Promise<boolean> {
  return callKw<boolean>('web.preference', 'remember', [{ key, value }]);
}
