import { isDeepStrictEqual } from 'node:util';
import { BrokenAddons, Conflict, type Log, type Problem, problemIn } from '../base/index.ts';
import { changedSince } from './code-stamp.ts';
import { createFollower, type Follower, newerCodeOf } from './follow.ts';
import type { LifecycleHost, LifecycleParts } from './host.ts';
import type { LeftOut } from './left-out.ts';
import type { Plan, SwitchAction } from './plan.ts';
import { addonsOf, missingVersions, type StartUp, startUp } from './start-up.ts';
import { type AddonStatus, listAddons } from './status.ts';
import { Switch, type SwitchOptions } from './switch.ts';

/**
 * Switches addons on and off, brings them up to date and takes them out, while requests are served. One switch at a time over all processes; a
 * switch that fails changes nothing.
 *
 * All throw BrokenAddons with every problem, Conflict when another switch is running, InvalidInput when `yes` or `confirm` is missing.
 */
export interface Lifecycle {
  /**
   * Brings up the generation that the database names. In an empty database, enables `install` before (default: every addon of the repository), with
   * demo data as configured. Throws BrokenAddons when nothing can be served; where only other versions are loaded, nothing is served yet either, and
   * `follower.unready` says why. `develop`: the database follows the code as it is, also where no version was raised; what does not fit is logged,
   * and `behind` says it, also where nothing can be served.
   */
  start(options?: { install?: readonly string[]; demo?: boolean; develop?: boolean }): Promise<StartUp>;
  /** For development: brings into the database what of the code was saved and no page waits for. */
  followCode(): Promise<void>;
  /** Keeps this process on the newest generation; started and stopped with the server. */
  readonly follower: Follower;
  /** Enabled addons that this process runs without, and why. */
  readonly leftOut: LeftOut;
  /** Whether this process filled an empty database. */
  readonly isFirstStart: boolean;
  /** For development: why nothing is served, or why the database does not follow the code. */
  readonly behind: readonly Problem[];
  list(): Promise<AddonStatus[]>;
  /** What the action would do. Problems are in the plan. */
  plan(action: SwitchAction, names: readonly string[], options?: Pick<SwitchOptions, 'demo'>): Promise<Plan>;
  /** Plans the action and does it; answers the plan. */
  run(action: SwitchAction, names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  enable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  disable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  /** All whose code is newer when no names are given. Only in a process that loaded the newest code. */
  upgrade(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  uninstall(name: string, options?: SwitchOptions): Promise<Plan>;
  /** Makes a new generation of the same addons; see `SwitchAction`. */
  refresh(options?: Pick<SwitchOptions, 'by' | 'data' | 'demo' | 'dryRun'>): Promise<Plan>;
}

/** Makes the lifecycle of an application. Nothing happens before `start`. */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { storage, log, holder, discovery } = parts;
  let leftOut: LeftOut = new Map();
  let isFirstStart = false;
  /** A broken addon that was switched off is tried anew when it is switched on again; one whose code could not be loaded needs a fresh process. */
  const forgive = (isEnabled: (name: string) => boolean): void => {
    const loaded = new Set(discovery.addons.map(({ name }) => name));
    leftOut = new Map([...leftOut].filter(([name]) => isEnabled(name) || !loaded.has(name)));
  };
  const follower = createFollower({
    storage,
    log,
    holder,
    build: (record) => {
      forgive((name) => record.addons[name] !== undefined);
      return parts.build(record, addonsOf(record, discovery, leftOut));
    },
    missing: (record) => missingVersions(record, discovery),
    newerCode: () => newerCodeOf(parts),
    changed: async (record) =>
      holder.ready && parts.onOutdated ? changedSince(addonsOf(record, discovery, leftOut), discovery.since) : [],
    codeStamp: parts.codeStamp,
    onOutdated: () => {
      if (holder.ready) parts.onOutdated?.();
    },
  });
  const host: LifecycleHost = { ...parts, follower };
  const run: Lifecycle['run'] = async (action, names, options = {}) => {
    const plan = await new Switch(host, leftOut, action, names, options).run();
    const gone = new Set(plan.addons.filter(({ to }) => to !== 'enabled').map(({ name }) => name));
    if (!options.dryRun && gone.size > 0) forgive((name) => !gone.has(name));
    return plan;
  };
  /** Switches to a generation with the current data of parts, such as the site's languages, if it differs; another process may be faster. */
  const refreshRecord = async (): Promise<void> => {
    if (!holder.ready) return;
    const { record, addons } = holder.current;
    if (isDeepStrictEqual(await parts.recordData(record, addons), record.data)) return;
    await run('refresh', [], { by: 'settings' });
  };
  let later: (() => Promise<void>) | null = null;
  let behind: readonly Problem[] = [];
  const fallBehind = (error: unknown, what: string): void => {
    behind = error instanceof BrokenAddons ? error.problems : [problemIn(error, discovery.addons)];
    log.error({ err: error }, what);
  };
  /** What pages count on is brought in line before anything is served; the rest is left to `followCode`, so that a save is seen at once. */
  const startFollowingCode = async ({ firstStart, missing }: StartUp): Promise<void> => {
    if (!holder.ready && missing.length === 0) return;
    const newer = await storage.newerCode();
    const follow = async (action: 'upgrade' | 'refresh'): Promise<void> => {
      try {
        const options = { by: 'development', data: newer.addons };
        if (!firstStart) await run(action, [], action === 'refresh' ? { ...options, demo: newer.demo } : options);
        await newer.settle();
      } catch (error) {
        fallBehind(error, 'The database does not follow the code');
      }
    };
    if (firstStart || missing.length > 0) return follow('upgrade');
    if (newer.addons.size === 0) return;
    if (await newer.urgent(holder.current)) return follow('refresh');
    later = () => follow('refresh');
  };
  return {
    async followCode() {
      const follow = later;
      later = null;
      await follow?.();
    },
    follower: watching(follower, refreshRecord, log),
    get leftOut() {
      return leftOut;
    },
    get isFirstStart() {
      return isFirstStart;
    },
    get behind() {
      return behind;
    },
    async start({ install, demo, develop = false } = {}) {
      const shipped = discovery.addons.filter(({ outside }) => !outside).map(({ name }) => name);
      const starting = startUp(host, install ?? shipped, { demo, develop });
      const started = await starting.catch((error: unknown) => {
        if (!develop || !(error instanceof BrokenAddons)) throw error;
        fallBehind(error, 'Nothing can be served');
        return nothingServed;
      });
      leftOut = started.leftOut;
      isFirstStart = started.firstStart;
      if (started.firstStart) {
        await refreshRecord();
        await storage.finish();
      }
      if (develop) await startFollowingCode(started);
      if (started === nothingServed) return started;
      // Whoever switched while this process was starting is followed at once; what keeps it from serving is told.
      await follower.check();
      return started;
    },
    list: () => listAddons(host, leftOut),
    plan: (action, names, options = {}) => run(action, names, { ...options, dryRun: true }),
    run,
    enable: (names, options) => run('enable', names, options),
    disable: (names, options) => run('disable', names, options),
    upgrade: (names, options) => run('upgrade', names, options),
    uninstall: (name, options) => run('uninstall', [name], options),
    refresh: (options) => run('refresh', [], options),
  };
}

/** A start that came to nothing: whoever develops mends it, and starts anew. */
const nothingServed: StartUp = { leftOut: new Map(), missing: [], firstStart: false };

/** How often to look whether the site has other languages, in ms. */
const languagesEveryMs = 3000;
/** How long to leave it when that failed, in ms. */
const languagesPauseMs = 60_000;

/** The follower, which also sees to it that the newest generation is in the site's languages. */
function watching(follower: Follower, refreshRecord: () => Promise<void>, log: Log): Follower {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let notBefore = 0;
  const look = async (): Promise<void> => {
    if (performance.now() < notBefore) return;
    try {
      await refreshRecord();
    } catch (error) {
      if (error instanceof Conflict && error.code === 'core.switch_running') return;
      notBefore = performance.now() + languagesPauseMs;
      log.warn({ err: error }, 'The languages of the site could not be followed');
    }
  };
  return {
    check: follower.check,
    exclusively: follower.exclusively,
    get unready() {
      return follower.unready;
    },
    start() {
      follower.start();
      timer = setInterval(() => {
        looking ??= look().finally(() => {
          looking = null;
        });
      }, languagesEveryMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
      await follower.stop();
    },
  };
}
