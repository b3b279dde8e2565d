import createKnex, { type Knex } from 'knex';
import { DatabaseMisuse } from './errors.ts';
import { inspect, type StatementFacts } from './statement.ts';
import type { Connection, Result } from './types.ts';

/** A statement as knex hands it to its client, and what came of it. */
interface KnexQuery {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  readonly method?: string;
  readonly pluck?: string;
  readonly returning?: unknown;
  result?: Result;
}

/**
 * knex whose queries run on this connection, and so under its locks, its time limits and in its transaction; awaiting one is enough. Of a query that
 * writes and returns nothing it answers how many rows it changed, of `raw` the rows, on both databases alike. Transactions, changes of the schema and streams are
 * refused: they are not for a part of somebody else's transaction.
 *
 * @param before hears of every statement before it runs
 */
export function knexOn(knex: Knex, connection: Connection, before?: (facts: StatementFacts) => void): Knex {
  // The dialect's own class, which knex exports under no name.
  const Dialect = knex.client.constructor as typeof createKnex.Client;
  class Client extends Dialect {
    override acquireConnection(): Promise<Connection> {
      return Promise.resolve(connection);
    }

    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }

    override async query(_: unknown, query: KnexQuery): Promise<KnexQuery> {
      const sql: string = this.positionBindings(query.sql);
      before?.(inspect(sql));
      query.result = await connection.query({ sql, bindings: this.prepBindings(query.bindings ?? []) });
      return query;
    }

    processResponse({ result, method, pluck, returning }: KnexQuery): unknown {
      if (!result) return undefined;
      if (method === 'first') return result.rows[0];
      if (method === 'pluck') return result.rows.map((row) => row[pluck ?? '']);
      const writes = method === 'insert' || method === 'update' || method === 'del' || method === 'counter';
      return writes && !returning ? result.changes : result.rows;
    }

    override transaction(): never {
      throw refused('transactions of its own; use ctx.savepoint');
    }

    override schemaBuilder(): never {
      throw refused('changes of the schema; models and the tools of migrations make them');
    }

    override stream(): never {
      throw refused('streams; read in parts');
    }
  }
  return createKnex({ client: Client, useNullAsDefault: true });
}

function refused(what: string): DatabaseMisuse {
  return new DatabaseMisuse(`ctx.db has no ${what}.`);
}
