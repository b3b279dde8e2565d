import type { Log } from '../base/index.ts';
import { value } from './key.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Plan, SwitchAction } from './plan.ts';
import type { Sentence } from './sentence.ts';
import type { AddonStatus } from './status.ts';
import type { AddonStorage, PastSwitch } from './storage.ts';
import type { SwitchOptions } from './switch.ts';

/** What a process that was started a while ago cannot do itself: it never loads a module a second time. */
export interface FreshProcess {
  /** Names of addons whose files are not those that this process loaded: edited, added, mended. */
  changed(): Promise<ReadonlySet<string>>;
  /** All addons as a process sees them that starts now. */
  list(): Promise<readonly AddonStatus[]>;
  plan(action: SwitchAction, names: readonly string[]): Promise<Plan>;
  /**
   * Switches addons in a process of its own, and has this one replaced by a fresh one after it.
   *
   * @throws BrokenAddons with every problem, Conflict when it was refused
   */
  run(
    action: SwitchAction,
    names: readonly string[],
    options: { readonly by?: string; readonly onStep?: (step: Sentence) => void },
  ): Promise<Plan>;
}

/** A switch under way, wherever it runs. */
interface RunningSwitch {
  /** `enable forum` */
  readonly note: string;
  readonly since: Date;
  /** How far it is; null when another process runs it. */
  readonly step: Sentence | null;
}

/** What an Apps screen asks for and does. Who may use it is the caller's matter. */
export interface AddonManager {
  /** Every addon, as this process loaded them; `look`: as their files are now, which may take a second where some were edited or added. */
  list(options?: { readonly look?: boolean }): Promise<AddonStatus[]>;
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

/** The addon manager of the application. */
export const addonSwitches = value<AddonManager>('addon manager');

/** How long a process may go on once it was asked to give way, in ms. */
const GIVING_WAY_MS = 20_000;

/** Makes the addon manager of an application. */
export function createAddonManager(parts: {
  readonly lifecycle: Lifecycle;
  readonly storage: Pick<AddonStorage, 'lockHolder' | 'history'>;
  readonly log: Log;
  /** Null where there is no process of its own to be replaced: in tests, and while developing. */
  readonly fresh: FreshProcess | null;
}): AddonManager {
  const { lifecycle, storage, log, fresh } = parts;
  /** What this process does just now. */
  let step: Sentence | null = null;

  /**
   * Who can do this with files that were edited or added since this process loaded its addons, or where versions are active that it has not loaded;
   * null: this process can.
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
    const onStep = (said: Sentence | null): void => {
      step = said;
    };
    const inFresh = async (other: FreshProcess): Promise<Plan> => {
      const plan = await other.run(action, names, { ...options, onStep });
      // This process's end is the last step; a fresh one that fails leaves it in its place.
      setTimeout(onStep, GIVING_WAY_MS, null).unref();
      return plan;
    };
    const here = (): Promise<Plan> =>
      lifecycle.run(action, names, { ...options, onProgress }).finally(() => onStep(null));
    const ended = needsFresh(action).then((needed) => (needed ? inFresh(needed) : here()));
    ended.catch(() => onStep(null));
    // Nobody may be waiting any more; the log of switches has the reason.
    ended.catch((error: unknown) => log.debug({ err: error, action, addons: names }, 'A switch did not succeed'));
    return { ended };
  };

  return {
    async list({ look = false } = {}) {
      const here = await lifecycle.list();
      const changed = look ? await fresh?.changed() : null;
      if (!fresh || !changed?.size) return here;
      const byName = new Map(here.map((one) => [one.name, one]));
      // What a fresh process sees of them; whether they are served is this one's matter.
      const seen = await fresh.list().catch((error: unknown) => {
        log.warn({ err: error }, 'A fresh process could not tell of the addons');
        return [];
      });
      for (const one of seen)
        if (changed.has(one.name)) byName.set(one.name, { ...one, leftOut: byName.get(one.name)?.leftOut ?? false });
      return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    plan: async (action, names) => ((await needsFresh(action)) ?? lifecycle).plan(action, names),
    begin: run,
    async running() {
      const holder = await storage.lockHolder();
      if (holder) return { note: holder.note ?? '', since: holder.since, step };
      // What is left is this process's own: a fresh one is to take its place.
      return step && { note: '', since: new Date(), step };
    },
    history: (limit) => storage.history(limit),
  };
}
