import type { Connection, Database, Row, Transaction } from '../db/index.ts';
import type { AddonManager, Generation } from '../kernel/index.ts';
import type { Ctx } from './context.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Tracker } from './tracker.ts';

/** Where a context keeps what only the core may touch. */
export const INTERNALS: unique symbol = Symbol('pergola.internals');

/** Rows that other readers may have asked for already. */
export interface RowReader {
  /**
   * The rows that a statement answers for these values; `read` asks the database where they are not known, and tells what it reads. Nobody changes them.
   */
  rows(
    statement: object,
    values: string,
    tracker: Tracker | null,
    read: (reads: Tracker) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]>;
}

/** The core's side of a context; its parts add what is theirs by declaration merging: `models`. */
export interface ContextInternals {
  readonly generation: Generation;
  /** For its query builder and codec; statements run on `connection`. */
  readonly database: Database;
  /** What statements run on: the open transaction where the context writes, else the read pool. */
  readonly connection: Connection;
  readonly transaction: Transaction | null;
  readonly tracker: Tracker | null;
  /** Where rows are read through; null where each statement asks the database. */
  readonly rowCache: RowReader | null;
  readonly limiter: RateLimiter;
  /** The system's context of the same generation: in the caller's transaction, or on the read pool. For values that are the same for everybody. */
  readonly system: (tracker: Tracker | null, here: boolean) => Ctx;
  /** The same context for code of another addon: texts are looked up among that one's first. */
  readonly inDomain: (addon: string) => Ctx;
  /** The same context for what is kept by itself within a page: `tracker` hears what is read, and what belongs to the visitor. */
  readonly followed: (addon: string, tracker: Tracker) => Ctx;
  /** Where addons are switched; there once the application is put together. */
  readonly addonManager?: () => AddonManager;
  /** Work as the system beside this context, in a transaction of its own; there once the application is put together. */
  readonly asSystem?: <T>(access: 'read' | 'write', work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Bound models and request services, by name; shared by nobody. */
  readonly bound: Map<string, unknown>;
}

/** The core's side of a context. */
export function internals(ctx: Ctx): ContextInternals {
  return (ctx as unknown as { readonly [INTERNALS]: ContextInternals })[INTERNALS];
}
