import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { type Cluster, startCluster } from './cluster.ts';

/** Server data that a test needs to create a database. */
export interface TestServer {
  /** URL of a database to connect to for creating others */
  readonly url: string;
  /** name of the template database: empty, with the extensions that Pergola uses */
  readonly template: string;
  /** prefix for the names of all databases of this run */
  readonly prefix: string;
}

const extensions = ['pg_trgm', 'unaccent'];

/**
 * Opens a PostgreSQL server with a template database: a new one in `folder`, or an existing one if its URL is given. `stop` removes
 * everything created, including databases of aborted tests.
 */
export async function openTestServer(
  folder: string,
  existingUrl?: string,
): Promise<TestServer & { stop(): Promise<void> }> {
  const cluster: Cluster =
    existingUrl === undefined ? await startCluster(folder) : { url: existingUrl, stop: async () => {} };
  const prefix = `pergola_test_${randomBytes(4).toString('hex')}_`;
  const template = `${prefix}template`;
  try {
    await query(cluster.url, [`CREATE DATABASE ${template} ENCODING 'UTF8' TEMPLATE template0`]);
    const url = withDatabase(cluster.url, template);
    await query(
      url,
      extensions.map((name) => `CREATE EXTENSION ${name}`),
    );
  } catch (error) {
    await cluster.stop();
    const origin = existingUrl === undefined ? 'started for the tests' : 'of TEST_PG_URL';
    throw new Error(
      `Can't use the PostgreSQL server ${origin}: ${error instanceof Error ? error.message : error}. ` +
        `Its user must be able to connect, create databases, and create the extensions ${extensions.join(' and ')}.`,
    );
  }
  return {
    url: cluster.url,
    template,
    prefix,
    async stop() {
      if (existingUrl !== undefined) await dropAll(existingUrl, prefix);
      await cluster.stop();
    },
  };
}

/** URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs these statements one after another on a new connection, outside of any transaction. */
export async function query(url: string, statements: readonly string[]): Promise<void> {
  await connected(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function dropAll(url: string, prefix: string): Promise<void> {
  await connected(url, async (client) => {
    const like = `${prefix.replaceAll('_', '\\_')}%`;
    const find = 'SELECT datname FROM pg_database WHERE datname LIKE $1';
    const { rows } = await client.query<{ datname: string }>(find, [like]);
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}

/** Runs work on a new connection. */
export async function connected(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  // Loaded lazily, because many tests that could create a database don't.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
