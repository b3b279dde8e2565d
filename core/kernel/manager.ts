import type { Log } from '../base/index.ts';
import { value } from './key.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Consent, Plan, SwitchAction } from './plan.ts';
import type { Sentence } from './sentence.ts';
import type { AddonStatus } from './status.ts';
import type { AddonStorage, PastSwitch } from './storage.ts';
import type { SwitchOptions } from './switch.ts';

/** Work for a fresh process: a process never loads a module a second time. */
export interface FreshProcess {
  /** Names of addons whose files were edited, added or fixed since this process loaded them. */
  changed(): Promise<ReadonlySet<string>>;
  /** All addons as seen by a freshly started process. */
  list(): Promise<readonly AddonStatus[]>;
  plan(action: SwitchAction, names: readonly string[], consent?: Consent): Promise<Plan>;
  /**
   * Switches addons in a separate process, then has this process replaced by a fresh one.
   *
   * @throws BrokenAddons with every problem, Conflict if the switch was refused
   */
  run(
    action: SwitchAction,
    names: readonly string[],
    options: Pick<SwitchOptions, 'by' | 'rehearsed'> & { readonly onStep?: (step: Sentence) => void },
  ): Promise<Plan>;
}

/** A switch in progress, in any process. */
interface RunningSwitch {
  /** `enable forum` */
  readonly note: string;
  readonly since: Date;
  /** Current step, or null if another process runs the switch. */
  readonly step: Sentence | null;
}

/** Operations of an Apps screen. Access control is up to the caller. */
export interface AddonManager {
  /** Every addon as loaded by this process. With `look`, as its files are now, which may take a second if some were edited or added. */
  list(options?: { readonly look?: boolean }): Promise<AddonStatus[]>;
  /** Plans an action. `consent` is to the `reviews` of an earlier plan; without it, their code isn't loaded. */
  plan(action: SwitchAction, names: readonly string[], consent?: Consent): Promise<Plan>;
  /**
   * Starts a switch in the background and returns a promise of its result; it rejects as described in `Lifecycle`. An uninstall waits for
   * all earlier requests to end, so the calling request must not await it.
   */
  begin(
    action: SwitchAction,
    names: readonly string[],
    options: Pick<SwitchOptions, 'by' | 'yes' | 'confirm' | 'rehearsed'>,
  ): { readonly ended: Promise<Plan> };
  running(): Promise<RunningSwitch | null>;
  /** Finished switches, the latest first. */
  history(limit: number): Promise<PastSwitch[]>;
}

/** Addon manager of the application. */
export const addonSwitches = value<AddonManager>('addon manager');

/** How long a process may keep running once asked to stop, in ms. */
const HANDOVER_MS = 20_000;

/** Creates the addon manager of an application. */
export function createAddonManager(parts: {
  readonly lifecycle: Lifecycle;
  readonly storage: Pick<AddonStorage, 'lockHolder' | 'history'>;
  readonly log: Log;
  /** Null if this process can't be replaced: in tests and during development. */
  readonly fresh: FreshProcess | null;
}): AddonManager {
  const { lifecycle, storage, log, fresh } = parts;
  /** Current step of a switch in this process. */
  let step: Sentence | null = null;

  /**
   * Returns the fresh process if files were edited or added since this process loaded its addons, or if active versions aren't loaded; null
   * if this process can run the action.
   */
  const needsFresh = async (action: SwitchAction): Promise<FreshProcess | null> => {
    if (!fresh || (action !== 'enable' && action !== 'upgrade')) return null;
    if (lifecycle.follower.unready.length > 0) return fresh;
    return (await fresh.changed()).size > 0 ? fresh : null;
  };

  const run: AddonManager['begin'] = (action, names, options) => {
    const onProgress: SwitchOptions['onProgress'] = (progress) => {
      step = progress.sentence;
    };
    const onStep = (sentence: Sentence | null): void => {
      step = sentence;
    };
    const inFresh = async (freshProcess: FreshProcess): Promise<Plan> => {
      const plan = await freshProcess.run(action, names, { ...options, onStep });
      // The last step ends with this process; if the fresh one fails, this process stays.
      setTimeout(onStep, HANDOVER_MS, null).unref();
      return plan;
    };
    const runHere = (): Promise<Plan> =>
      lifecycle.run(action, names, { ...options, onProgress }).finally(() => onStep(null));
    const ended = needsFresh(action).then((freshProcess) => (freshProcess ? inFresh(freshProcess) : runHere()));
    ended.catch(() => onStep(null));
    // The caller may not be waiting; the switch log has the reason.
    ended.catch((error: unknown) => log.debug({ err: error, action, addons: names }, 'A switch did not succeed'));
    return { ended };
  };

  return {
    async list({ look = false } = {}) {
      const statuses = await lifecycle.list();
      const changed = look ? await fresh?.changed() : null;
      if (!fresh || !changed?.size) return statuses;
      const byName = new Map(statuses.map((status) => [status.name, status]));
      // Addons as seen by a fresh process; whether they serve is known here.
      const freshStatuses = await fresh.list().catch((error: unknown) => {
        log.warn({ err: error }, 'A fresh process could not report its addons');
        return [];
      });
      for (const status of freshStatuses)
        if (changed.has(status.name))
          byName.set(status.name, { ...status, leftOut: byName.get(status.name)?.leftOut ?? false });
      return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    async plan(action, names, consent) {
      const freshProcess = await needsFresh(action);
      return freshProcess ? freshProcess.plan(action, names, consent) : lifecycle.plan(action, names, { consent });
    },
    begin: run,
    async running() {
      const holder = await storage.lockHolder();
      if (holder) return { note: holder.note ?? '', since: holder.since, step };
      // Otherwise the step is from this process, waiting to be replaced by a fresh one.
      return step && { note: '', since: new Date(), step };
    },
    history: (limit) => storage.history(limit),
  };
}
