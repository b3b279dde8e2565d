import { type Ctx, neverKept } from '@pergola/core';
import {
  type Connection,
  changesOf,
  type Database,
  databaseSession,
  type Row,
  rowsOf,
  type Transaction,
  transactionOf,
} from '@pergola/db';
import type { BreakerMemory, BreakerState } from './breaker.ts';

export const BREAKER_TABLE = 'core_breaker';

/** Kinds of parts that can be switched off alone. */
export type BreakerKind = 'block' | 'extension' | 'fragment' | 'island' | 'job' | 'patch' | 'route';

/** A part of an addon that is off, and why. */
export interface BreakerReport {
  readonly addon: string;
  readonly kind: BreakerKind;
  readonly name: string;
  readonly state: BreakerState;
  readonly errors: number;
  /** When it was switched off. */
  readonly since: Date;
  readonly message: string;
  /** Where it failed, relative to the folder of its addon; null if unknown. */
  readonly file: string | null;
  readonly line: number | null;
}

/** As stored: with the version of the addon, and the calls for which the part is off. */
export interface StoredBreaker extends BreakerReport, Pick<BreakerMemory, 'visitors' | 'inputs'> {
  readonly version: string;
}

/** Stored breakers, in a stable order. */
export async function readBreakers(database: Database, connection: Connection): Promise<readonly StoredBreaker[]> {
  const query = database.knex(BREAKER_TABLE).select('*').orderBy(['addon', 'kind', 'name']);
  return (await rowsOf(connection, query)).map((row) => decoded(database, row));
}

function decoded({ codec }: Database, row: Row): StoredBreaker {
  const list = (value: unknown): readonly string[] | null => codec.decode('json', value) as readonly string[] | null;
  return {
    addon: String(row.addon),
    version: String(row.version),
    kind: String(row.kind) as BreakerKind,
    name: String(row.name),
    state: String(row.state) as BreakerState,
    errors: Number(row.errors),
    since: codec.decode('datetime', row.since) as Date,
    message: String(row.message),
    file: row.file === null ? null : String(row.file),
    line: row.line === null ? null : Number(row.line),
    visitors: list(row.visitors),
    inputs: list(row.inputs),
  };
}

export async function writeBreaker({ knex, codec }: Database, transaction: Transaction, row: StoredBreaker) {
  const values = {
    ...row,
    since: codec.encode('datetime', row.since),
    visitors: codec.encode('json', row.visitors),
    inputs: codec.encode('json', row.inputs),
  };
  const insert = knex(BREAKER_TABLE).insert(values).onConflict(['addon', 'kind', 'name']).merge();
  await rowsOf(transaction, insert);
  transaction.touch(BREAKER_TABLE);
}

/** Deletes the breakers with these values. Returns their number. */
export async function deleteBreakers(
  { knex }: Database,
  transaction: Transaction,
  where: Partial<Pick<StoredBreaker, 'addon' | 'kind' | 'name' | 'version'>>,
): Promise<number> {
  const deleted = await changesOf(transaction, knex(BREAKER_TABLE).where(where).delete());
  if (deleted > 0) transaction.touch(BREAKER_TABLE);
  return deleted;
}

/** Parts of addons that are off. The caller checks access. */
export async function listBreakers(ctx: Ctx): Promise<readonly BreakerReport[]> {
  neverKept(ctx, 'it shows the state of the system');
  const { database, connection } = ctx.get(databaseSession);
  return (await readBreakers(database, connection)).map(({ version, visitors, inputs, ...report }) => report);
}

/** Switches all parts of an addon on again, on all processes. Returns how many were off. The caller checks access. */
export function resetBreakers(ctx: Ctx, addon: string): Promise<number> {
  return deleteBreakers(ctx.get(databaseSession).database, transactionOf(ctx), { addon });
}
