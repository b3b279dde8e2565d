import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApplication } from '../../../core/app/generation-builder.ts';
import { allPoints } from '../../../core/app/points.ts';
import { type Config, loadConfig } from '../../../core/base/config.ts';
import { createLog, type Log } from '../../../core/base/log.ts';
import type { Ctx } from '../../../core/context/context.ts';
import { contexts } from '../../../core/context/contexts.ts';
import { addonStorage, languageSource } from '../../../core/kernel/application-keys.ts';
import { type Discovery, discover } from '../../../core/kernel/discover.ts';
import type { Generation } from '../../../core/kernel/generation.ts';
import { createGenerationHolder, type GenerationHolder } from '../../../core/kernel/generation-holder.ts';
import { createLifecycle, type Lifecycle } from '../../../core/kernel/lifecycle.ts';
import { Parts } from '../../../core/part/host.ts';
import { parts } from '../../../parts.ts';
import type { Nodes } from '../../cluster/nodes.ts';
import { createClusterPart, nodes } from '../../cluster/part.ts';
import { database } from '../../db/session.ts';
import type { Database } from '../../db/types.ts';
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

/** Nodes that report more often than usual. */
const quickCluster = createClusterPart({ everyMs: 200 });

/** Opens a process on a database; it serves nothing before `lifecycle.start`. */
export async function openNode(url: string, options: NodeOptions = {}): Promise<Node> {
  const {
    roots = [fixtures],
    dataDir = mkdtempSync(join(tmpdir(), 'data-')),
    name = 'test',
    log = createLog('silent'),
  } = options;
  const config = loadConfig(
    { DATA_DIR: dataDir, DATABASE_URL: url, NODE_ENV: 'test', DEMO: 'false', NODE_ID: name },
    parts,
  );
  const host = new Parts(config, log, [...parts.filter(({ name: part }) => part !== 'cluster'), quickCluster]);
  const discovery = await discover(roots, log, allPoints(host.parts));
  const holder = createGenerationHolder<Generation>({ log, dispose: (generation) => generation.dispose() });
  await host.provide({ addons: discovery, holder });
  await host.begin('start');
  const runner = host.get(contexts);
  const environment = { parts: host, roots };
  const switching = createLifecycle({
    storage: host.get(addonStorage),
    log,
    holder,
    discovery,
    demo: false,
    build: (record, addons) => buildApplication({ record, addons, allAddons: discovery.addons, environment }),
    languages: async () => null,
    likelyLanguages: (addons) => host.get(languageSource).likely(addons),
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
    database: host.get(database),
    config,
    discovery,
    holder,
    lifecycle: switching,
    nodes: host.get(nodes),
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
      while ((await once()) === 'later' && !signal.aborted) await switching.follower.check();
      await switching.follower.check();
    },
    async close() {
      await switching.follower.stop();
      await host.end('stop');
      await holder.close();
      await host.end('close');
    },
  };
}
