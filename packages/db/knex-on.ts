import createKnex, { type Knex } from 'knex';
import { DatabaseMisuse } from './errors.ts';
import { inspect, type StatementFacts } from './statement.ts';
import type { Connection, Result } from './types.ts';

/** A statement passed by knex to its client, and its result. */
interface KnexQuery {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  readonly method?: string;
  readonly pluck?: string;
  readonly returning?: unknown;
  result?: Result;
}

/**
 * Creates a knex whose queries run on this connection, and so with its locks, time limits and transaction; awaiting a query is enough. A
 * write without returned rows resolves to the number of changed rows, `raw` to the rows, on both databases. Rejects transactions, schema
 * changes and streams, which would interfere with the surrounding transaction.
 *
 * @param onStatement called with every statement before it runs
 */
export function knexOn(knex: Knex, connection: Connection, onStatement?: (facts: StatementFacts) => void): Knex {
  // The dialect's class, which knex doesn't export.
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
      onStatement?.(inspect(sql));
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

function refused(feature: string): DatabaseMisuse {
  return new DatabaseMisuse(`ctx.db has no ${feature}.`);
}
