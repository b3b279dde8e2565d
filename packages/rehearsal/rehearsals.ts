import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { type HeldLease, type Leases, leaseHolder } from '@pergola/cluster';
import {
  addonStorage,
  type Config,
  Conflict,
  type Ctx,
  fullMessage,
  type Log,
  neverKept,
  type Plan,
  value,
} from '@pergola/core';
import { type Database, databaseSession, rowsOf, type TableSpec } from '@pergola/db';
import { type DifferenceGroup, differenceGroups } from './fold.ts';
import type { RehearsalProgress } from './rehearse.ts';
import { forkRehearsal } from './side-process.ts';
import type { Rehearsal, RehearsedAction } from './types.ts';

const TABLE = 'core_rehearsal';
/** One rehearsal at a time: each needs space for two copies of the database. */
const LEASE = 'rehearsal';
const LEASE_MS = 30_000;
/** How often the progress of a running rehearsal is stored, in ms. */
const STORE_MS = 1_000;
/** Stored rehearsals; older ones are deleted. */
const KEPT = 20;
/** Stored groups of differences, and characters of each value. */
const MAX_GROUPS = 400;
const MAX_VALUE = 600;
/** Maximum number of characters kept of a process's error output. */
const MAX_OUTPUT = 2_000;

export const tables: readonly TableSpec[] = [
  {
    name: TABLE,
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'action', kind: 'text', notNull: true },
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'by', kind: 'text', notNull: true },
      { name: 'begun', kind: 'datetime', notNull: true },
      { name: 'state', kind: 'text', notNull: true },
      { name: 'progress', kind: 'json' },
      { name: 'report', kind: 'json' },
    ],
    indexes: [{ name: 'core_rehearsal_addon', columns: ['addon', 'action'] }],
  },
];

/** Result of a rehearsal, with equal differences folded into groups. */
export interface RehearsalReport extends Omit<Rehearsal, 'differences'> {
  readonly groups: readonly DifferenceGroup[];
  /** Number of differences in all groups. */
  readonly count: number;
}

/** A rehearsal on a screen. */
export interface ShownRehearsal {
  readonly id: number;
  readonly action: RehearsedAction;
  readonly addon: string;
  /** Login. */
  readonly by: string;
  readonly begun: Date;
  /** `broken`: its process ended early, for the reason in `trouble` if it is known. */
  readonly state: 'running' | 'done' | 'stopped' | 'broken';
  /** Null before the copies exist. */
  readonly progress: RehearsalProgress | null;
  readonly trouble: string;
  /** Null unless it is done. */
  readonly report: RehearsalReport | null;
}

/** Message of a process that rehearses to the process that started it. */
export type RehearsalMessage =
  | { readonly progress: RehearsalProgress }
  | { readonly rehearsal: Rehearsal }
  | { readonly trouble: string };

/** Rehearsals that this process started, each in a process of its own. */
export const rehearsals = value<Rehearsals>('rehearsals');

export class Rehearsals {
  readonly #config: Config;
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #log: Log;
  #running: { readonly child: ChildProcess; readonly ended: Promise<void> } | null = null;

  constructor(options: {
    readonly config: Config;
    readonly database: Database;
    readonly leases: Leases;
    readonly log: Log;
  }) {
    this.#config = options.config;
    this.#database = options.database;
    this.#leases = options.leases;
    this.#log = options.log;
  }

  /**
   * Starts a rehearsal and returns its id.
   *
   * @throws Conflict if another one is running
   */
  async begin(action: RehearsedAction, addon: string, by: string): Promise<number> {
    const lease = await this.#leases.acquire(LEASE, { ttlMs: LEASE_MS, note: `${action} ${addon}` });
    if (!lease)
      throw new Conflict('Another rehearsal is running. Wait until it has finished, or stop it.', {
        code: 'core.rehearsal_running',
      });
    try {
      const id = await this.#add({ action, addon, by });
      const child = this.#start(action, addon);
      const ended = this.#follow(id, child, lease);
      this.#running = { child, ended };
      return id;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Ends a running rehearsal of this process. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (running?.child.connected) running.child.disconnect();
    await running?.ended;
  }

  async #add(rehearsal: Pick<ShownRehearsal, 'action' | 'addon' | 'by'>): Promise<number> {
    const { knex, codec } = this.#database;
    const row = { ...rehearsal, begun: codec.encode('datetime', new Date()), state: 'running' };
    return this.#database.write(
      async (transaction) => {
        const [added] = await rowsOf(transaction, knex(TABLE).insert(row).returning('id'));
        const id = Number(added?.id);
        await rowsOf(
          transaction,
          knex(TABLE)
            .where('id', '<=', id - KEPT)
            .delete(),
        );
        return id;
      },
      { label: `insert ${TABLE}` },
    );
  }

  #start(action: RehearsedAction, addon: string): ChildProcess {
    const { dataDir, databaseUrl, addonsPath } = this.#config;
    const { PERGOLA_TAKES_OVER: _, ...env } = process.env;
    return forkRehearsal([action, addon, '--followed', '--json'], {
      env: { ...env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ADDONS_PATH: addonsPath.join(delimiter) },
    });
  }

  /** Stores what the process reports until it ends, and ends it if someone stopped the rehearsal. */
  async #follow(id: number, child: ChildProcess, lease: HeldLease): Promise<void> {
    let progress: RehearsalProgress | null = null;
    let result: { readonly state: ShownRehearsal['state']; readonly report: object } | null = null;
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT);
    });
    child.on('message', (message: RehearsalMessage) => {
      if ('progress' in message) progress = message.progress;
      else if ('rehearsal' in message) result = { state: 'done', report: reportOf(message.rehearsal) };
      else result = { state: 'broken', report: { trouble: message.trouble } };
    });
    const timer = setInterval(() => {
      this.#store(id, { progress })
        .then((isRunning) => {
          if (!isRunning && child.connected) child.disconnect();
        })
        .catch((error: unknown) => this.#log.warn({ err: error }, 'The progress of a rehearsal could not be stored'));
    }, STORE_MS);
    // The channel closes once everything in it is read; `close` isn't emitted for a process whose channel this one closed.
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')]).catch((error: unknown) => {
      output += Error.isError(error) ? fullMessage(error) : String(error);
    });
    clearInterval(timer);
    this.#running = null;
    try {
      await this.#store(id, { progress, ...(result ?? { state: 'broken', report: { trouble: output.trim() } }) });
    } catch (error) {
      this.#log.warn({ err: error }, 'The report of a rehearsal could not be stored');
    } finally {
      // Expires by itself if the database can't be reached.
      await lease.release().catch(() => {});
    }
  }

  /** Updates a running rehearsal; returns false if it was stopped. */
  async #store(
    id: number,
    {
      progress,
      state,
      report,
    }: { progress: RehearsalProgress | null; state?: ShownRehearsal['state']; report?: object },
  ): Promise<boolean> {
    const { knex, codec } = this.#database;
    const update = {
      progress: codec.encode('json', progress),
      ...(state && { state }),
      ...(report && { report: codec.encode('json', report) }),
    };
    const query = knex(TABLE).where({ id, state: 'running' }).update(update).returning('id');
    const label = `update ${TABLE}`;
    return this.#database.write(async (transaction) => (await rowsOf(transaction, query)).length > 0, { label });
  }
}

function reportOf(rehearsal: Rehearsal): RehearsalReport {
  const { differences, ...rest } = rehearsal;
  const short = (text: string | null): string | null => (text === null ? null : text.slice(0, MAX_VALUE));
  const groups = differenceGroups(rehearsal).slice(0, MAX_GROUPS);
  return {
    ...rest,
    count: differences.length + rehearsal.omitted,
    groups: groups.map(({ example, ...group }) => ({
      ...group,
      example: { ...example, before: short(example.before), after: short(example.after) },
    })),
  };
}

/**
 * Rehearses an action on a copy of the site, in another process; `latestRehearsal` returns its progress and result. Not inside a
 * transaction. The caller checks access.
 *
 * @throws Conflict if another rehearsal is running
 */
export function beginRehearsal(ctx: Ctx, action: RehearsedAction, addon: string): Promise<number> {
  return ctx.get(rehearsals).begin(action, addon, ctx.user.login ?? '');
}

/** The latest rehearsal of an action, or null. The caller checks access. */
export async function latestRehearsal(
  ctx: Ctx,
  action: RehearsedAction,
  addon: string,
): Promise<ShownRehearsal | null> {
  neverKept(ctx, 'it shows a running process');
  const { database } = ctx.get(databaseSession);
  const { knex, codec } = database;
  const query = knex(TABLE).where({ addon, action }).orderBy('id', 'desc').limit(1);
  const [row] = await rowsOf(database.reader, query);
  if (!row) return null;
  const stored = (codec.decode('json', row.report) ?? {}) as Partial<RehearsalReport> & { readonly trouble?: string };
  const state = row.state as ShownRehearsal['state'];
  // Its process may have been killed before it could store anything.
  const isLost = state === 'running' && (await leaseHolder(database, LEASE)) === null;
  return {
    id: Number(row.id),
    action,
    addon,
    by: String(row.by),
    begun: codec.decode('datetime', row.begun) as Date,
    state: isLost ? 'broken' : state,
    progress: codec.decode('json', row.progress) as RehearsalProgress | null,
    trouble: stored.trouble ?? '',
    report: state === 'done' ? (stored as RehearsalReport) : null,
  };
}

/** Stops a running rehearsal, on whichever node it runs. The caller checks access. */
export async function stopRehearsal(ctx: Ctx, id: number): Promise<void> {
  const { database } = ctx.get(databaseSession);
  const query = database.knex(TABLE).where({ id, state: 'running' }).update({ state: 'stopped' }).returning('id');
  await database.write((transaction) => rowsOf(transaction, query), { label: `update ${TABLE}` });
}

/**
 * Whether anything that decides the effects of a plan has changed since its rehearsal. The switch itself checks it again.
 *
 * @param rehearsed fingerprint of the rehearsal
 */
export async function changedSinceRehearsal(ctx: Ctx, plan: Plan, rehearsed: string): Promise<boolean> {
  return (await ctx.get(addonStorage).fingerprint(plan)) !== rehearsed;
}
