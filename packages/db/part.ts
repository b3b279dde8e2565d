import { join } from 'node:path';
import { type Ctx, contextTools, definePart, partConfig, unitOfWork } from '@pergola/core';
import type { Knex } from 'knex';
import { z } from 'zod';
import { knexOn } from './knex-on.ts';
import { openDatabase } from './open.ts';
import { ensureTables } from './part-tables.ts';
import { database, databaseSession, sessionOn, transactionOf } from './session.ts';
import type { ReadBounds, TableSpec, WriteOptions } from './types.ts';

/** SQLite or PostgreSQL: the connections of the process, and the transaction of each context. */
export const dbPart = definePart({
  name: 'db',
  config: partConfig(
    {
      DATABASE_URL: z
        .string()
        .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'must be sqlite:<path of the file> or postgres://…')
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
      write: ({ label }, how, work) =>
        opened.write((transaction) => work(sessionOn(opened, transaction)), { label, ...how }),
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
    // The tables that any SQL reads can't be told from its text.
    tracker?.personal('reads with ctx.db');
  });
}

function afterCommit(ctx: Ctx, effect: () => void | Promise<void>): void {
  const { transaction } = ctx.get(databaseSession);
  if (transaction) {
    transaction.afterCommit(effect);
    return;
  }
  // Nothing is being written, so there is nothing to wait for; a failure belongs in the log like one after a commit.
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
    /** How long statements may take if the context only reads, and what ends them. */
    readonly bounds?: ReadBounds;
  }
}

declare module '@pergola/core/context' {
  interface Ctx {
    /**
     * knex in the request's transaction (or on its read connections, where nothing is written), for reports and migrations:
     * `await ctx.db('sale_order').where({ state: 'sale' }).sum({ total: 'amount_total' })`.
     *
     * **No rights are applied**, no hooks run, and computed fields are not worked out: tables and columns are read and written as they stand, in the
     * database's own values (SQLite has 0 and 1 for booleans and milliseconds for moments). Whoever shows what it answers has to check first who asks, as
     * with `sudo()`. A page that reads with it is not kept. What it writes takes part in the transaction; other nodes hear of the table of an insert, update or delete.
     */
    readonly db: Knex;

    /** Whether this context may write (its route or method says `writes: true`). */
    readonly writes: boolean;
    /** Runs after the commit; for effects outside the database. Run at once where nothing is written. */
    afterCommit(effect: () => void | Promise<void>): void;
    /** Work that is undone alone when it throws. */
    savepoint<T>(work: () => Promise<T>): Promise<T>;
  }
}

declare module '@pergola/core/config' {
  interface Config {
    readonly databaseUrl: string;
    /** How long one statement that reads may take for a request, in milliseconds. */
    readonly readMs: number;
  }
}
