import { join } from 'node:path';
import { type Ctx, contextTools, definePart, partConfig, unitOfWork } from '@pergola/core';
import type { Knex } from 'knex';
import { z } from 'zod';
import { knexOn } from './knex-on.ts';
import { openDatabase } from './open.ts';
import { ensureTables } from './part-tables.ts';
import { database, databaseSession, sessionOn, transactionOf } from './session.ts';
import type { ReadBounds, TableSpec, WriteOptions } from './types.ts';

/** SQLite or PostgreSQL: the connections of the process, and each context's transaction. */
export const dbPart = definePart({
  name: 'db',
  config: partConfig(
    {
      DATABASE_URL: z
        .string()
        .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:<file path> or postgres://…')
        .optional()
        .describe('sqlite:<path of the file> or postgres://…; default a file in DATA_DIR'),
      READ_SECONDS: z.coerce
        .number()
        .positive()
        .max(30)
        .default(10)
        .describe('How long one statement that reads may take for a page or call, in seconds; 30 at most'),
    },
    ({ DATABASE_URL, READ_SECONDS }, { dataDir }) => ({
      databaseUrl: DATABASE_URL ?? `sqlite:${join(dataDir, 'pergola.db')}`,
      readMs: READ_SECONDS * 1_000,
    }),
  ),
  async provide({ config, log, set }) {
    const { databaseUrl: url, strict, patience } = config;
    const opened = await openDatabase({ url, log, strict, patience });
    set(database, opened);
    set(unitOfWork, {
      read: ({ bounds }, work) => work(sessionOn(opened, bounds ? opened.reading(bounds) : opened.reader)),
      write: ({ label }, options, work) =>
        opened.write((transaction) => work(sessionOn(opened, transaction)), { label, ...options }),
    });
  },
  context: {
    db: knexOf,
    writes: (ctx) => ctx.get(databaseSession).transaction !== null,
    afterCommit: (ctx) => (effect) => afterCommit(ctx, effect),
    savepoint: (ctx) => (work) => transactionOf(ctx).savepoint(work),
  },
  phases: {
    start: ({ parts, get }) =>
      ensureTables(
        get(database),
        parts.flatMap(({ tables = [] }) => tables),
      ),
    close: ({ get }) => get(database).close(),
  },
});

function knexOf(ctx: Ctx): Knex {
  const { database: opened, connection, transaction } = ctx.get(databaseSession);
  const { tracker } = ctx.get(contextTools);
  return knexOn(opened.knex, connection, ({ writes, table }) => {
    if (writes && table) transaction?.touch(table);
    // The tables read by arbitrary SQL are unknown.
    tracker?.personal('reads with ctx.db');
  });
}

function afterCommit(ctx: Ctx, effect: () => void | Promise<void>): void {
  const { transaction } = ctx.get(databaseSession);
  if (transaction) {
    transaction.afterCommit(effect);
    return;
  }
  // Nothing is written, so the effect runs at once; a failure is logged like one after a commit.
  Promise.resolve()
    .then(effect)
    .catch((error: unknown) => ctx.log.error({ err: error }, 'An effect failed'));
}

declare module '@pergola/core/part' {
  interface PartOptions {
    /** Tables of the part itself, created before the first generation. */
    readonly tables?: readonly TableSpec[];
  }
}

declare module '@pergola/core/unit-of-work' {
  interface WriteHow extends WriteOptions {}
}

declare module '@pergola/core/context-options' {
  interface ContextOptions {
    /** Time limit and abort signal for statements of a read-only context. */
    readonly bounds?: ReadBounds;
  }
}

declare module '@pergola/core/context' {
  interface Ctx {
    /**
     * knex in the request's transaction (or on its read connections, in a read-only context), for reports and migrations: `await
     * ctx.db('sale_order').where({ state: 'sale' }).sum({ total: 'amount_total' })`.
     *
     * **Applies no access rights**, runs no hooks, and calculates no computed fields: tables and columns are read and written directly,
     * with the database's raw values (SQLite uses 0 and 1 for booleans and milliseconds for datetimes). The caller has to check access
     * before showing results, as with `sudo()`. A page that uses it isn't cached. Writes are part of the transaction; other nodes are
     * notified of the table of an insert, update or delete.
     */
    readonly db: Knex;

    /** Whether this context can write (its route or method has `writes: true`). */
    readonly writes: boolean;
    /** Runs after the commit, for effects outside the database; at once in a read-only context. */
    afterCommit(effect: () => void | Promise<void>): void;
    /** Runs work that is rolled back separately if it throws. */
    savepoint<T>(work: () => Promise<T>): Promise<T>;
  }
}

declare module '@pergola/core/config' {
  interface Config {
    readonly databaseUrl: string;
    /** Time limit for a single read statement of a request, in milliseconds. */
    readonly readMs: number;
  }
}
