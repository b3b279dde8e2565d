import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCoreTables } from '../../app/core-tables.ts';
import { buildApplication } from '../../app/generation-builder.ts';
import { corePoints } from '../../app/points.ts';
import { Runner } from '../../app/runner.ts';
import { type Config, loadConfig } from '../../base/config.ts';
import { createLog, type Log } from '../../base/log.ts';
import { createLeases } from '../../cluster/lease.ts';
import { createNodes, type Nodes } from '../../cluster/nodes.ts';
import type { Ctx } from '../../context/context.ts';
import { openDatabase } from '../../db/open.ts';
import type { Database } from '../../db/types.ts';
import type { FileStore } from '../../files/types.ts';
import { likelyLanguages } from '../../i18n/likely-languages.ts';
import { type Discovery, discover } from '../../kernel/discover.ts';
import type { Generation } from '../../kernel/generation.ts';
import { createGenerationHolder, type GenerationHolder } from '../../kernel/generation-holder.ts';
import { createLifecycle, type Lifecycle } from '../../kernel/lifecycle.ts';
import { loadedVersions } from '../../kernel/start-up.ts';
import { SettingStore } from '../../settings/store.ts';
import type { InstallHost } from '../host.ts';
import { notesOn } from '../plan-notes.ts';
import { DatabaseAddonStorage } from '../storage.ts';
import { runTasks } from '../task-runner.ts';

/** A process as far as switching goes: everything but the sockets and the job queue. */
export interface Node {
  readonly database: Database;
  readonly config: Config;
  readonly discovery: Discovery;
  readonly holder: GenerationHolder<Generation>;
  readonly lifecycle: Lifecycle;
  readonly nodes: Nodes;
  /** The system's context on the current generation. */
  read<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  write<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Does what switches left, as the job would. */
  finish(options?: { signal?: AbortSignal; onWrite?: (count: number) => void }): Promise<void>;
  close(): Promise<void>;
}

/** The fixture addons. */
export const fixtures: string = join(import.meta.dirname, '../../../tools/testing/fixtures');

export interface NodeOptions {
  readonly roots?: readonly string[];
  readonly dataDir?: string;
  readonly name?: string;
  readonly log?: Log;
  readonly onOutdated?: () => void;
}

/** Opens a process on a database; it serves nothing before `lifecycle.start`. */
export async function openNode(url: string, options: NodeOptions = {}): Promise<Node> {
  const {
    roots = [fixtures],
    dataDir = mkdtempSync(join(tmpdir(), 'data-')),
    name = 'test',
    log = createLog('silent'),
  } = options;
  const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url, NODE_ENV: 'test', DEMO: 'false' });
  const database = await openDatabase({ url, log });
  await ensureCoreTables(database);
  const discovery = await discover(roots, log, corePoints);
  const files = {} as FileStore;
  const holder = createGenerationHolder<Generation>({ log, dispose: (generation) => generation.dispose() });
  const nodes = createNodes({
    database,
    log,
    node: name,
    holder,
    versions: () => loadedVersions(discovery),
    everyMs: 200,
  });
  const runner = new Runner({
    config,
    log,
    database,
    files,
    settings: new SettingStore(database),
  } as ConstructorParameters<typeof Runner>[0]);
  const environment = { config, log, files, roots };
  const host: InstallHost = {
    database,
    databaseUrl: url,
    dataDir,
    log,
    holder,
    nodes,
    discovery,
    leases: createLeases(database, name, log),
    context: (generation, connection) => runner.systemContext(generation, connection),
  };
  const lifecycle = createLifecycle({
    storage: new DatabaseAddonStorage(host),
    log,
    holder,
    discovery,
    demo: false,
    build: (record, addons) => buildApplication({ record, addons, known: discovery.addons, environment }),
    languages: async () => null,
    likelyLanguages,
    notes: (plan) => notesOn(host, plan),
    onOutdated: options.onOutdated,
  });
  const within = async <T>(work: (generation: Generation) => Promise<T>): Promise<T> => {
    const stay = holder.acquire();
    try {
      return await work(stay.generation);
    } finally {
      stay.release();
    }
  };
  const read: Node['read'] = (work) => within((generation) => runner.read(runner.systemOptions(generation), work));
  const write: Node['write'] = (work) => within((generation) => runner.write(runner.systemOptions(generation), work));
  return {
    database,
    config,
    discovery,
    holder,
    lifecycle,
    nodes,
    read,
    write,
    async finish({ signal = new AbortController().signal, onWrite } = {}) {
      let count = 0;
      const once = (): Promise<'done' | 'later'> =>
        within((generation) =>
          runner.read(runner.systemOptions(generation), (ctx) =>
            runTasks({
              ctx,
              signal,
              write: async (work) => {
                const result = await runner.write(runner.systemOptions(generation), work);
                count += 1;
                onWrite?.(count);
                return result;
              },
            }),
          ),
        );
      while ((await once()) === 'later' && !signal.aborted) await lifecycle.follower.check();
      await lifecycle.follower.check();
    },
    async close() {
      await lifecycle.follower.stop();
      await nodes.stop();
      await holder.close();
      await database.close();
    },
  };
}
