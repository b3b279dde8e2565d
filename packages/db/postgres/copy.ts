import { randomBytes } from 'node:crypto';
import { dumpLines } from '../backup/dump.ts';
import { restoreTables } from '../backup/restore.ts';
import { openDatabase } from '../open.ts';
import { quoted } from '../schema/names.ts';
import type { DatabaseCopy, DatabaseLog } from '../types.ts';
import { PostgresConnection, StatementNames } from './connection.ts';

/** How long connecting may take, in milliseconds. */
const CONNECT_MS = 10_000;
/** Copies left by a killed process are dropped after this time, in milliseconds. */
const LEFTOVER_MS = 24 * 3_600_000;
/** Limit of PostgreSQL for names, in bytes. */
const MAX_NAME = 63;

/**
 * Copies a database on its server while others use it: from one snapshot, or as a template if no one is connected. The user needs the right
 * to create databases.
 */
export async function copyPostgres(url: string, log: DatabaseLog): Promise<DatabaseCopy> {
  const source = new URL(url);
  const sourceName = decodeURIComponent(source.pathname.slice(1));
  // A copy of a copy is named after the original.
  const prefix = `${sourceName.replace(/_copy_[a-z0-9]+_[0-9a-f]+$/, '').slice(0, MAX_NAME - 24)}_copy_`;
  const name = `${prefix}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;
  const copyUrl = Object.assign(new URL(url), { pathname: `/${encodeURIComponent(name)}` }).href;
  const remove = (): Promise<void> => administer(url, (connection) => drop(connection, name));
  await administer(url, (connection) => dropLeftovers(connection, prefix));
  try {
    await administer(withName(url, 'postgres'), (connection) =>
      connection.run(`create database ${quoted(name)} template ${quoted(sourceName)}`),
    );
    return { url: copyUrl, remove };
  } catch {
    // Others are connected to it, or we can't connect to another database.
  }
  await administer(url, (connection) => connection.run(`create database ${quoted(name)} template template0`));
  try {
    const [original, copy] = await Promise.all([openDatabase({ url, log }), openDatabase({ url: copyUrl, log })]);
    try {
      await restoreTables(copy, dumpLines(original));
    } finally {
      await Promise.all([original.close(), copy.close()]);
    }
    return { url: copyUrl, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function withName(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function administer(url: string, work: (connection: PostgresConnection) => Promise<unknown>): Promise<void> {
  const names = new StatementNames(1);
  const options = { url, readOnly: false, statements: 1, connectMs: CONNECT_MS, names, onLost: () => {} };
  const connection = await PostgresConnection.open(options);
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

async function dropLeftovers(connection: PostgresConnection, prefix: string): Promise<void> {
  const { rows } = await connection.query({ sql: 'select datname from pg_database', bindings: [] });
  for (const name of rows.map(({ datname }) => String(datname))) {
    const [, createdAt] = name.startsWith(prefix)
      ? (/^([a-z0-9]+)_[0-9a-f]{8}$/.exec(name.slice(prefix.length)) ?? [])
      : [];
    if (createdAt !== undefined && Date.now() - Number.parseInt(createdAt, 36) > LEFTOVER_MS)
      await drop(connection, name);
  }
}

async function drop(connection: PostgresConnection, name: string): Promise<void> {
  await connection.run(`drop database if exists ${quoted(name)} with (force)`);
}
