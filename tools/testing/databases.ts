import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { repository } from '@pergola/core';
import { knock } from './postgres/door.ts';
import { query, withDatabase } from './postgres/server.ts';

/** The databases that everything works on. */
export type TestDialect = 'sqlite' | 'postgres';

/** An empty database for one test. */
export interface TestDatabase {
  /** as in `DATABASE_URL` */
  readonly url: string;
  /** Removes it; whoever is still connected to it loses the connection. */
  drop(): Promise<void>;
}

/** Both of them. */
export const testDatabases: readonly TestDialect[] = ['sqlite', 'postgres'];

/**
 * Makes an empty database, in a few milliseconds (PostgreSQL: some 30, and about a second more for the first one of a run). PostgreSQL's has
 * the extensions Pergola uses. With `template`, the url of another one that nobody uses now, it is a copy of that. What is not dropped is gone when the run ends. Throws, and never skips, when PostgreSQL cannot be started.
 */
export async function createTestDatabase(dialect: TestDialect, template?: string): Promise<TestDatabase> {
  return dialect === 'sqlite' ? createFile(template) : createInServer(template);
}

/** Declares a test, as `test` does. */
export type DeclareTest = ((name: string, run: jest.ProvidesCallback) => void) & Pick<jest.It, 'each'>;

/**
 * The same tests for each database. Tests of whose subject SQL, column types and locks are no part are declared with `once`: they run on one database
 * per file, which its path decides, or on each with `DATABASES=both`. With `DATABASES=sqlite` (or `postgres`) all run on that one.
 *
 * ```ts
 * eachDatabase('A cart', (dialect, once) => {
 *   test('has one line for two requests at once', async () => { const database = await createTestDatabase(dialect); … });
 *   once('speaks French', async () => { … });
 * });
 * ```
 */
export function eachDatabase(name: string, tests: (dialect: TestDialect, once: DeclareTest) => void): void {
  const usual = usualDatabases();
  for (const dialect of wanted() ?? testDatabases)
    describe(`${name} (${dialect})`, () => tests(dialect, usual.includes(dialect) ? test : noTest));
}

/**
 * Tests whose subject is neither SQL, nor column types, nor locks: all of them run as those declared with `once` in {@link eachDatabase}.
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

/** The databases that `DATABASES` names, if it does. */
function wanted(): readonly TestDialect[] | null {
  const { DATABASES: named } = process.env;
  if (named === 'both') return testDatabases;
  return named === 'sqlite' || named === 'postgres' ? [named] : null;
}

/** Half of the test files, by their paths, are served by each database. */
function usualDatabases(): readonly TestDialect[] {
  const dialects = wanted();
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
