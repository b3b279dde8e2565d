import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestDialect } from '../../../tools/testing/databases.ts';
import { createTestDatabase } from '../../../tools/testing/databases.ts';
import { openDatabase } from '../open.ts';
import type { Connection, Database, OpenOptions, Row, TableSpec } from '../types.ts';

export { until } from '../../../tools/testing/until.ts';

/** Log lines of the database, kept for looking at. */
export interface KeptLog {
  readonly lines: { level: string; details: object; message: string }[];
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export function createKeptLog(): KeptLog {
  const lines: KeptLog['lines'] = [];
  const keep = (level: string) => (details: object, message: string) => {
    lines.push({ level, details, message });
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}

export interface OpenTest {
  readonly url: string;
  readonly database: Database;
  readonly log: KeptLog;
  /** One more node on the same database. */
  another(options?: Partial<OpenOptions>): Promise<Database>;
  /** One more node in a process of its own; ended with the test at the latest. */
  otherProcess(): Promise<OtherProcess>;
  close(): Promise<void>;
}

/** A fresh database, opened; `close` drops it. */
export async function openTest(dialect: TestDialect, options: Partial<OpenOptions> = {}): Promise<OpenTest> {
  const made = await createTestDatabase(dialect);
  const log = createKeptLog();
  const nodes: Database[] = [];
  const processes: OtherProcess[] = [];
  const another = async (more: Partial<OpenOptions> = {}) => {
    const node = await openDatabase({ url: made.url, log, ...options, ...more });
    nodes.push(node);
    return node;
  };
  const database = await another();
  return {
    url: made.url,
    database,
    log,
    another,
    async otherProcess() {
      const other = await startOtherProcess(made.url);
      processes.push(other);
      return other;
    },
    async close() {
      for (const { child } of processes) child.kill('SIGKILL');
      await Promise.all(nodes.map((node) => node.close()));
      await made.drop();
    },
  };
}

/** Runs SQL written with `?`, whichever the dialect. */
export async function sql(connection: Connection, text: string, ...bindings: unknown[]): Promise<readonly Row[]> {
  let position = 0;
  const native = connection.dialect === 'sqlite' ? text : text.replaceAll('?', () => `$${++position}`);
  return (await connection.query({ sql: native, bindings })).rows;
}

/** Makes the tables of the specs. */
export async function make(database: Database, ...tables: TableSpec[]): Promise<void> {
  const { steps, problems } = database.schema.plan(tables, await database.schema.introspect());
  expect(problems.filter((problem) => problem.level === 'error')).toEqual([]);
  await database.write((transaction) => database.schema.apply(transaction, steps));
}

/** A table of seats, the usual subject. */
export const seats: TableSpec = {
  name: 'seat',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'text', notNull: true },
    { name: 'taken', kind: 'integer', default: 0 },
  ],
  indexes: [{ name: 'seat_name', columns: ['name'], unique: true }],
};

/** Teams and players that point at each other, with a column of every kind and every sort of index. */
export const team: TableSpec = {
  name: 'team',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'text', notNull: true, default: "l'équipe" },
    { name: 'captain_id', kind: 'bigint', references: { table: 'player', onDelete: 'set null' } },
    { name: 'budget', kind: 'bigint', default: 12 },
    { name: 'share', kind: 'float', default: -0.5 },
    { name: 'active', kind: 'boolean', notNull: true, default: true },
    { name: 'founded', kind: 'date', default: '1904-05-21' },
    { name: 'seen_at', kind: 'datetime', default: '2024-02-29T12:30:00.250Z' },
    { name: 'options', kind: 'json', default: '{"a": [1]}' },
    { name: 'search', kind: 'text' },
    { name: 'words', kind: 'words' },
    { name: 'more', kind: 'words' },
  ],
  indexes: [
    { name: 'team_active_name', columns: ['active', 'name'] },
    { name: 'team_captain_once', columns: ['captain_id'], unique: true, where: 'captain_id is not null' },
    { name: 'team_fts', columns: ['words', 'more'], using: 'fulltext' },
    { name: 'team_search', columns: ['search'], using: 'trgm' },
  ],
};

export const player: TableSpec = {
  name: 'player',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'team_id', kind: 'bigint', notNull: true, references: { table: 'team', onDelete: 'cascade' } },
    { name: 'mentor_id', kind: 'bigint', references: { table: 'player', onDelete: 'restrict' } },
  ],
  indexes: [],
};

export const playerTags: TableSpec = {
  name: 'player_tag',
  columns: [
    { name: 'player_id', kind: 'bigint', notNull: true, references: { table: 'player', onDelete: 'cascade' } },
    { name: 'tag', kind: 'text', notNull: true },
  ],
  indexes: [],
  primaryKey: ['player_id', 'tag'],
};

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A process of its own on the same database; see other-process.ts. */
interface OtherProcess {
  /** Sends a line and answers the next line that comes back. */
  ask(line: string): Promise<string>;
  next(): Promise<string>;
  readonly child: ChildProcess;
  close(): Promise<void>;
}

async function startOtherProcess(url: string): Promise<OtherProcess> {
  const script = new URL('./other-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if ((await next()) !== 'ready') throw new Error('the other process did not start');
  return {
    child,
    next,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return next();
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
