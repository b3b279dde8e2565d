import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { GenerationHolder } from '@pergola/core';
import { type Log, Unavailable } from '@pergola/core';
import { type Connection, changesOf, type Database, rowsOf, type Transaction } from '@pergola/db';
import { databaseTime } from './clock.ts';
import { isGone, machine } from './machine.ts';

/** A process that serves this site, as recorded in the database. */
export interface NodeInfo {
  readonly instance: string;
  /** Its NODE_ID. */
  readonly node: string;
  readonly host: string;
  readonly pid: number;
  readonly started: Date;
  /** Generation it serves; null during startup. */
  readonly generation: number | null;
  /** Oldest generation still in use by a request or job. */
  readonly oldest: number | null;
  /** Versions of the addons loaded by the process. */
  readonly versions: Readonly<Record<string, string>>;
  readonly draining: boolean;
}

export interface Nodes {
  /** Unique id of this process. */
  readonly instance: string;
  /** False if other processes may consider this one dead: its last heartbeat is older than the lease. */
  readonly healthy: boolean;
  /** Registers this process and sends heartbeats until `stop`. */
  start(): Promise<void>;
  /** Records immediately which generation is served; `draining` if new requests are no longer accepted. */
  report(changes?: { draining?: boolean }): Promise<void>;
  /** Removes this process from the list. */
  stop(): Promise<void>;
  /** All processes with a valid lease, except killed ones on this machine. */
  live(): Promise<NodeInfo[]>;
  /**
   * Resolves when no live process has a request or job on a generation older than `number`; a dead one on another machine counts until its
   * lease expires. Throws Unavailable, naming the remaining processes, after `timeoutMs` (default 60,000).
   */
  acknowledged(
    number: number,
    options?: { timeoutMs?: number; onWait?: (waiting: readonly NodeInfo[]) => void },
  ): Promise<void>;
}

export interface NodesOptions {
  readonly database: Database;
  readonly log: Log;
  /** NODE_ID. */
  readonly node: string;
  readonly holder: Pick<GenerationHolder<{ readonly number: number }>, 'current' | 'ready' | 'oldest' | 'subscribe'>;
  /** Versions of the addons loaded by this process. */
  readonly versions: () => Readonly<Record<string, string>>;
  /** Heartbeat interval in ms. Default 1,000; 2,000 on SQLite, where each heartbeat takes the only write connection. */
  readonly everyMs?: number;
}

const TABLE = 'core_node';

/** Registration of this process among the nodes of the site. */
export function createNodes(options: NodesOptions): Nodes {
  const { database, log, holder } = options;
  const everyMs = options.everyMs ?? (database.dialect === 'sqlite' ? 2000 : 1000);
  const ttlMs = everyMs * 5;
  const instance = randomUUID();
  const started = new Date();
  let draining = false;
  let stopped = true;
  let lastSign = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: () => void = () => {};
  let turn: Promise<void> = Promise.resolve();

  const row = () => ({
    lease_until: databaseTime(database, ttlMs),
    generation: holder.ready ? Math.floor(holder.current.number) : null,
    oldest: holder.ready ? Math.floor(holder.oldest) : null,
    versions: database.codec.encode('json', options.versions()),
    draining: database.codec.encode('boolean', draining),
  });
  const write = async (transaction: Transaction): Promise<void> => {
    const { knex, codec } = database;
    const updatedRows = await changesOf(transaction, knex(TABLE).where({ instance }).update(row()));
    if (updatedRows > 0) return;
    const identity = {
      instance,
      node: options.node,
      host: hostname(),
      pid: process.pid,
      machine,
      started: codec.encode('datetime', started),
    };
    await rowsOf(transaction, knex(TABLE).insert({ ...identity, ...row() }));
    await forgetTheDead(database, transaction);
  };
  // One heartbeat at a time, in order: an older one must not overtake a newer one. No `touch`: nothing cached depends on this table.
  const sign = (): Promise<void> => {
    turn = turn.then(async () => {
      if (stopped) return;
      const startedAt = performance.now();
      try {
        await database.write(write, { label: 'heartbeat', deadlineMs: ttlMs / 2 });
        lastSign = startedAt;
      } catch (error) {
        log.warn({ err: error }, 'This node could not send its heartbeat');
      }
    });
    return turn;
  };

  return {
    instance,
    get healthy() {
      return performance.now() - lastSign < ttlMs;
    },
    async start() {
      stopped = false;
      await sign();
      timer = setInterval(() => void sign(), everyMs);
      timer.unref();
      unsubscribe = holder.subscribe(() => void sign());
    },
    async report(changes = {}) {
      draining = changes.draining ?? draining;
      await sign();
    },
    async stop() {
      if (stopped) return;
      clearInterval(timer);
      unsubscribe();
      await turn;
      stopped = true;
      const remove = database.knex(TABLE).where({ instance }).delete();
      await database.write((transaction) => rowsOf(transaction, remove), { label: 'node shutdown' });
    },
    live: () => liveNodes(database),
    async acknowledged(number, { timeoutMs = 60_000, onWait } = {}) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        // A node without a generation yet will load the newest one.
        const nodesLeft = await nodesBehind(database, number);
        if (nodesLeft.length === 0) return;
        onWait?.(nodesLeft);
        if (performance.now() > end) throw stillBehind(number, nodesLeft);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

/** Live processes with a request or job on a generation older than `number`. */
export async function nodesBehind(database: Database, number: number): Promise<NodeInfo[]> {
  return (await liveNodes(database)).filter(({ oldest }) => oldest !== null && oldest < number);
}

/** All processes with a valid lease, except killed ones on this machine. */
export async function liveNodes(database: Database): Promise<NodeInfo[]> {
  const { knex, codec } = database;
  const query = knex(TABLE).select().where('lease_until', '>', databaseTime(database)).orderBy('id');
  const rows = await rowsOf(database.reader, query);
  const alive = rows.filter((row) => !isGone(row.machine, row.pid));
  return alive.map((row) => ({
    instance: String(row.instance),
    node: String(row.node),
    host: String(row.host),
    pid: Number(row.pid),
    started: codec.decode('datetime', row.started) as Date,
    generation: row.generation === null ? null : Number(row.generation),
    oldest: row.oldest === null ? null : Number(row.oldest),
    versions: codec.decode('json', row.versions) as Record<string, string>,
    draining: codec.decode('boolean', row.draining) as boolean,
  }));
}

/** Deletes rows of crashed processes after a day, which leaves time to investigate. */
async function forgetTheDead(database: Database, connection: Connection): Promise<void> {
  const dead = database.knex(TABLE).where('lease_until', '<', databaseTime(database, -86_400_000)).delete();
  await rowsOf(connection, dead);
}

function stillBehind(number: number, nodesLeft: readonly NodeInfo[]): Unavailable {
  const names = nodesLeft.map(({ node, host, pid }) => `${node} (${host}, process ${pid})`).join(', ');
  return new Unavailable(
    'Some nodes are still running requests or jobs from before the change: {nodes}. Nothing was deleted. Try again when they’re finished, or stop those nodes.',
    { code: 'core.nodes_behind', params: { nodes: names, generation: number }, retryAfter: 30 },
  );
}
