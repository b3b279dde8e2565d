import { type LeaseInfo, leaseHolder, SWITCH_LEASE } from '../cluster/lease.ts';
import type { Ctx } from '../context.ts';
import type { Database } from '../db/types.ts';
import { Conflict } from '../errors.ts';
import { internals } from '../internals.ts';
import type { Log } from '../log.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Plan, Sentence, SwitchAction } from './plan.ts';
import type { AddonStatus } from './status.ts';
import type { SwitchOptions } from './switch.ts';
import { type PastSwitch, readSwitchLog } from './switch-log.ts';

/** A switch under way, wherever it runs. */
export interface RunningSwitch {
  /** `enable forum` */
  readonly note: string;
  readonly since: Date;
  /** How far it is; null when another process runs it. */
  readonly step: Sentence | null;
}

/** What an Apps screen asks for and does. Who may use it is the caller's matter. */
export interface SwitchDesk {
  list(): Promise<AddonStatus[]>;
  plan(action: SwitchAction, names: readonly string[]): Promise<Plan>;
  /**
   * Begins a switch beside the request that asks for it, and answers how it will end; rejected as `Lifecycle` says. An uninstall waits for the end of
   * all requests that began before it, so the one that asks must not wait for it.
   */
  begin(
    action: SwitchAction,
    names: readonly string[],
    options: Pick<SwitchOptions, 'by' | 'yes' | 'confirm'>,
  ): { readonly ended: Promise<Plan> };
  running(): Promise<RunningSwitch | null>;
  /** Switches that ended, the latest first. */
  history(limit: number): Promise<PastSwitch[]>;
}

/**
 * Where addons are switched from a screen. Never inside a write, since a switch has its own transactions: use it in pages and in `prepare`.
 *
 * ```ts
 * prepare: async ({ ctx, params }) => { await switchDesk(ctx).begin('enable', [params.name], { by: 'ada' }).ended; }
 * ```
 *
 * @throws Conflict where something is being written.
 */
export function switchDesk(ctx: Ctx): SwitchDesk {
  const { desk, transaction } = internals(ctx);
  if (transaction) {
    throw new Conflict('Addons cannot be switched inside a transaction.', { code: 'core.switch_in_transaction' });
  }
  if (!desk) throw new Error('This application has no switch desk.');
  return desk();
}

/** Makes the switch desk of an application. */
export function createSwitchDesk(parts: {
  readonly lifecycle: Lifecycle;
  readonly database: Database;
  readonly log: Log;
}): SwitchDesk {
  const { lifecycle, database, log } = parts;
  /** What this process does just now. */
  let step: Sentence | null = null;

  const run: SwitchDesk['begin'] = (action, names, options) => {
    const onProgress: SwitchOptions['onProgress'] = (progress) => {
      step = progress.sentence;
    };
    const ended = lifecycle.run(action, names, { ...options, onProgress }).finally(() => {
      step = null;
    });
    // Nobody may be waiting any more; the book of switches has the reason.
    ended.catch((error: unknown) => log.debug({ err: error, action, addons: names }, 'A switch did not succeed'));
    return { ended };
  };

  return {
    list: () => lifecycle.list(),
    plan: (action, names) => lifecycle.plan(action, names),
    begin: run,
    async running() {
      const holder: LeaseInfo | null = await leaseHolder(database, SWITCH_LEASE);
      return holder && { note: holder.note ?? '', since: holder.since, step };
    },
    history: (limit) => readSwitchLog(database, limit),
  };
}
