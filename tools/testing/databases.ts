import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { repository } from '@pergola/core';
import { knock } from './postgres/door.ts';
import { query, withDatabase } from './postgres/server.ts';

/** Databases that Pergola supports. */
export type TestDialect = 'sqlite' | 'postgres';

/** An empty database for one test. */
export interface TestDatabase {
  /** as in `DATABASE_URL` */
  readonly url: string;
  /** Deletes it and disconnects its clients. */
  drop(): Promise<void>;
}

/** All supported databases. */
export const testDatabases: readonly TestDialect[] = ['sqlite', 'postgres'];

/**
 * Creates an empty database, in a few milliseconds (PostgreSQL: about 30, plus a second for the first one in a run). PostgreSQL databases
 * have the extensions that Pergola uses. With `template`, the URL of another database without open connections, it is a copy of that.
 * Databases that aren't dropped are deleted when the run ends.
 *
 * @throws Error if PostgreSQL can't be started; tests are never skipped
 */
export async function createTestDatabase(dialect: TestDialect, template?: string): Promise<TestDatabase> {
  return dialect === 'sqlite' ? createFile(template) : createInServer(template);
}

/** Declares a test like `test`. */
export type DeclareTest = ((name: string, run: jest.ProvidesCallback) => void) & Pick<jest.It, 'each'>;

/**
 * Runs the same tests on each database. Tests that don't depend on SQL, column types or locks are declared with `once`: they run on one
 * database per file, chosen by its path, or on both with `DATABASES=both`. With `DATABASES=sqlite` (or `postgres`) all tests run on that
 * one.
 *
 * ```ts
 * eachDatabase('A cart', (dialect, once) => {
 *   test('has one line for two requests at once', async () => { const database = await createTestDatabase(dialect); … });
 *   once('speaks French', async () => { … });
 * });
 * ```
 */
export function eachDatabase(name: string, tests: (dialect: TestDialect, once: DeclareTest) => void): void {
  const selectedDialects = usualDatabases();
  for (const dialect of requestedDialects() ?? testDatabases)
    describe(`${name} (${dialect})`, () => tests(dialect, selectedDialects.includes(dialect) ? test : noTest));
}

/**
 * Declares tests that don't depend on SQL, column types or locks: all of them run like those declared with `once` in {@link eachDatabase}.
 *
 * ```ts
 * someDatabase('A receipt', (dialect) => {
 *   test('names the shop', async () => { const app = await createTestApp({ addons: ['sale'], database: dialect }); … });
 * });
 * ```
 */
export function someDatabase(name: string, tests: (dialect: TestDialect) => void): void {
  for (const dialect of usualDatabases()) describe(`${name} (${dialect})`, () => tests(dialect));
}

const noTest: DeclareTest = Object.assign(() => {}, { each: () => () => {} });

/** Databases selected by `DATABASES`, or null. */
function requestedDialects(): readonly TestDialect[] | null {
  const { DATABASES: databases } = process.env;
  if (databases === 'both') return testDatabases;
  return databases === 'sqlite' || databases === 'postgres' ? [databases] : null;
}

/** Assigns half of the test files to each database, by their paths. */
function usualDatabases(): readonly TestDialect[] {
  const dialects = requestedDialects();
  if (dialects) return dialects;
  const file = relative(repository, expect.getState().testPath ?? '');
  return [createHash('sha256').update(file).digest().readUInt8() % 2 === 0 ? 'sqlite' : 'postgres'];
}

function createFile(template?: string): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  if (template) copyFileSync(template.slice('sqlite:'.length), join(folder, 'test.db'));
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    async drop() {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function createInServer(copyOf?: string): Promise<TestDatabase> {
  const port = Number(process.env.PERGOLA_TEST_POSTGRES);
  if (!port) throw new Error('createTestDatabase("postgres") works in jest only; elsewhere call startPostgres().');
  const { url, template, prefix } = await knock(port);
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const source = copyOf ? new URL(copyOf).pathname.slice(1) : template;
  await query(url, [`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`]);
  return {
    url: withDatabase(url, name),
    drop: () => query(url, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]),
  };
}
