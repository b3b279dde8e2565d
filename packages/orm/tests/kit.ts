import { createHash } from 'node:crypto';
import { describeProblem, PergolaError } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { Now } from '../../../core/base/now.ts';
import type { Ctx, Identity } from '../../../core/context/context.ts';
import { contextTools } from '../../../core/context/context-tools.ts';
import type { Tracker } from '../../../core/context/tracker.ts';
import type { Generation } from '../../../core/kernel/generation.ts';
import { type Key, type KeyClass, keyOf } from '../../../core/kernel/key.ts';
import { CallError } from '../../../tools/testing/client.ts';
import { createTestDatabase, type TestDialect } from '../../../tools/testing/databases.ts';
import { testGeneration } from '../../../tools/testing/generation.ts';
import { openDatabase } from '../../db/index.ts';
import { databaseSession } from '../../db/session.ts';
import type { Connection, Database, Row, Statement, Transaction } from '../../db/types.ts';
import { openedBytes } from '../../files/tests/opened-bytes.ts';
import type { FileStore } from '../../files/types.ts';
import { tables as addonTables } from '../../switching/tables.ts';
import { createCatalogs } from '../../texts/catalog.ts';
import { boundOf } from '../bind.ts';
import { type AddonModels, buildRegistry, type RegistryOptions } from '../build-registry.ts';
import { tables as dataTables } from '../data/tables.ts';
import { models as modelPoint } from '../points.ts';
import type { RecordModel } from '../record-model.ts';
import type { ModelRegistry } from '../registry.ts';
import { tablesOf } from '../schema.ts';
import type { ModelRef } from '../types.ts';

/** Who a test's context belongs to, and how it looks at things. */
export interface Viewer {
  readonly id?: number | null;
  readonly partnerId?: number | null;
  readonly groups?: readonly string[];
  readonly lang?: string;
  readonly timezone?: string;
  readonly su?: boolean;
  readonly tracker?: Tracker;
  /** What `ctx.now()` answers. */
  readonly now?: Now;
}

/** A statement as it ran. */
interface Ran extends Statement {
  readonly rows: number;
}

/** A database with the models of a few addons, and contexts to use them in. */
export interface ModelKit {
  readonly registry: ModelRegistry;
  readonly database: Database;
  /** Every statement that contexts of this kit ran, in order; empty it to count anew. */
  readonly ran: Ran[];
  /** A context that reads. */
  ctx(viewer?: Viewer): Ctx;
  /** Runs work in a context that writes, in one transaction. */
  write<T>(work: (ctx: Ctx) => Promise<T>, viewer?: Viewer): Promise<T>;
  /** Inserts rows by SQL, values as the columns take them. */
  insert(table: string, ...rows: readonly Row[]): Promise<void>;
  /** SQL with `?`, outside any context. */
  sql(text: string, ...bindings: readonly unknown[]): Promise<readonly Row[]>;
  /** The same database under other addons or options. */
  under(addons: readonly AddonModels[], options?: RegistryOptions): ModelKit;
  close(): Promise<void>;
}

/** Everybody may do everything with these models; for tests that are not about rights. */
export function openToAll(addons: readonly AddonModels[]): AddonModels[] {
  return addons.map((addon) => ({
    ...addon,
    access: (addon.models ?? []).map(({ modelName }) => ({ model: modelName, rights: { '*': 'rwcd' } })),
  }));
}

/** A model typed loosely, to be given what the compiler would refuse. */
export function loosely(ctx: Ctx, name: string): RecordModel {
  return boundOf(ctx.modelNamed(name)).self;
}

/**
 * The error that work ends in; of a call (`app.rpc`, `client.rpc`) with the same `code`, `message` and `fields` as on the server.
 *
 * @throws any error that is no refusal, and Error if the work succeeds
 */
export async function refusal(work: Promise<unknown>): Promise<PergolaError> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof PergolaError) return outcome.error;
  if ('error' in outcome && outcome.error instanceof CallError) {
    const { message, fields, data, cause } = outcome.error;
    return new PergolaError(message, { code: String(data.code), fields, cause });
  }
  throw 'error' in outcome ? outcome.error : new Error('It was not refused.');
}

/** A registry of these addons and a fresh database with its tables; `values` are of more points, by name. Throws when the addons have problems. */
export async function createModelKit(
  dialect: TestDialect,
  addons: readonly AddonModels[],
  options: RegistryOptions = {},
  values: PointValues = {},
): Promise<ModelKit> {
  const made = await createTestDatabase(dialect);
  const log = createLog('silent');
  const database = await openDatabase({ url: made.url, log, strict: true, patience: 20 });
  const kit = kitOn({ database, options, values }, addons, async () => {
    await database.close();
    await made.drop();
  });
  const tables = [...tablesOf(kit.registry), ...dataTables, ...addonTables];
  const { steps } = database.schema.plan(tables, await database.schema.introspect());
  await database.write((transaction) => database.schema.apply(transaction, steps));
  return kit;
}

type PointValues = Readonly<Record<string, unknown>>;

function kitOn(
  about: { readonly database: Database; readonly options: RegistryOptions; readonly values: PointValues },
  addons: readonly AddonModels[],
  close: () => Promise<void>,
): ModelKit {
  const { database, options, values } = about;
  const { registry, problems } = buildRegistry(addons, options);
  if (problems.length > 0) throw new Error(problems.map(describeProblem).join('\n'));
  const ran: Ran[] = [];
  const generation = testGeneration({
    addons,
    values: {
      'change recording': null,
      ...values,
      models: registry,
      groups: new Map(),
      languages: registry.languages,
      texts: createCatalogs([]),
    },
  });
  const files = memoryFiles();
  const context = (viewer: Viewer, connection: Connection, transaction: Transaction | null) =>
    bareContext({ generation, database, connection, transaction, viewer, files });
  const sql = async (text: string, ...bindings: readonly unknown[]) =>
    (await database.write((transaction) => transaction.query({ sql: native(database, text), bindings }))).rows;
  return {
    registry,
    database,
    ran,
    ctx: (viewer = {}) => context(viewer, listening(database.reader, ran), null),
    write: (work, viewer = {}) => database.write((transaction) => work(context(viewer, transaction, transaction))),
    async insert(table, ...rows) {
      for (const row of rows) {
        const names = Object.keys(row);
        const places = names.map(() => '?').join(', ');
        await sql(
          `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${places})`,
          ...Object.values(row),
        );
      }
    },
    sql,
    under: (others, more = options) => kitOn({ ...about, options: more }, others, async () => {}),
    close,
  };
}

interface BareParts {
  readonly generation: Generation;
  readonly database: Database;
  readonly connection: Connection;
  readonly transaction: Transaction | null;
  readonly viewer: Viewer;
  readonly files: FileStore;
}

/** As much of a context as models need. */
function bareContext(parts: BareParts): Ctx {
  const { generation, database, connection, transaction, viewer } = parts;
  const models = generation.get(modelPoint);
  const derived = (changes: Viewer) => bareContext({ ...parts, viewer: { ...viewer, ...changes } });
  const needed = () => {
    if (!transaction) throw new Error('This context does not write.');
    return transaction;
  };
  const own: Readonly<Record<string, unknown>> = {
    [contextTools.name]: { generation, tracker: viewer.tracker ?? null, memo: new Map() },
    [databaseSession.name]: { database, connection, transaction },
  };
  const ctx: Partial<Ctx> = {
    user: identityOf(viewer),
    lang: viewer.lang ?? models.languages[0] ?? 'en_US',
    timezone: viewer.timezone ?? 'UTC',
    siteTimezone: 'UTC',
    attributes: {},
    config: { sessionSecret: 'a secret of sixteen letters' } as Ctx['config'],
    log: createLog('silent'),
    files: parts.files,
    writes: transaction !== null,
    su: viewer.su ?? false,
    get: <T>(key: Key<T> | KeyClass<T>): T => {
      const { name } = keyOf(key);
      return name in own ? (own[name] as T) : generation.get(key);
    },
    model: <I>(ref: ModelRef<I>) => models.model(ctx as Ctx, ref.modelName) as I,
    modelNamed: (name) => models.model(ctx as Ctx, name),
    has: (group) => Boolean(viewer.su || viewer.groups?.includes(group)),
    sudo: () => (viewer.su ? (ctx as Ctx) : derived({ su: true })),
    as: ({ lang, timezone, user }) =>
      derived({
        ...(lang ? { lang } : {}),
        ...(timezone ? { timezone } : {}),
        ...(user ? { ...user, groups: [...user.groups], su: false, lang: viewer.lang, timezone: viewer.timezone } : {}),
      }),
    now: () => viewer.now ?? new Now(),
    lock: (ref, ids) => needed().lock(models.need(typeof ref === 'string' ? ref : ref.modelName).table, ids),
    afterCommit: (effect) => needed().afterCommit(effect),
    savepoint: (work) => needed().savepoint(work),
  };
  return ctx as Ctx;
}

/** Files in memory; pictures are kept as they are. */
function memoryFiles(): FileStore {
  const kept = new Map<string, Uint8Array>();
  const put = async (content: Uint8Array, mimetype: string) => {
    const hash = createHash('sha256').update(content).digest('hex');
    kept.set(hash, content);
    return { hash, mimetype, size: content.length };
  };
  const files: FileStore = {
    of: () => files,
    used: () => {},
    usedBytes: async () => 0,
    put: (content) => put(content, 'application/octet-stream'),
    putImage: (content) => put(content, 'image/png'),
    get: async (hash) => kept.get(hash) ?? null,
    open: async (hash) => openedBytes(kept.get(hash)),
    resized: async (file) => file,
    smallest: async (file) => ({ file, isPending: false }),
  };
  return files;
}

function identityOf({ id = null, partnerId = null, groups = [] }: Viewer): Identity {
  return { id, partnerId, name: 'Somebody', login: null, groups: new Set(groups), lang: null, timezone: null };
}

/** The connection, with a list of what ran on it. */
function listening(connection: Connection, ran: Ran[]): Connection {
  return {
    dialect: connection.dialect,
    writable: connection.writable,
    plans: connection.plans,
    async query(statement) {
      const result = await connection.query(statement);
      ran.push({ ...statement, rows: result.rows.length });
      return result;
    },
  };
}

function native({ dialect }: Database, text: string): string {
  let position = 0;
  return dialect === 'sqlite' ? text : text.replaceAll('?', () => `$${++position}`);
}
