import { isDeepStrictEqual } from 'node:util';
import { Conflict, type Log } from '../base/index.ts';
import type { ListedAddon } from './addon.ts';
import { changedSince } from './code-stamp.ts';
import { createFollower, type Follower, newerCodeOf } from './follow.ts';
import type { LifecycleHost, LifecycleParts } from './host.ts';
import { type LeftOut, leaveOut } from './left-out.ts';
import type { Plan, SwitchAction } from './plan.ts';
import { loadReviewed, reviewProblem } from './reviewed-code.ts';
import { addonsOf, missingVersions, type StartOptions, type StartUp, startUp } from './start-up.ts';
import { type AddonStatus, listAddons } from './status.ts';
import type { GenerationRecord } from './storage.ts';
import { Switch, type SwitchOptions } from './switch.ts';

/**
 * Enables, disables, upgrades and uninstalls addons while requests are served. Only one switch runs at a time across all processes; a
 * failed switch changes nothing.
 *
 * All methods throw BrokenAddons with every problem, Conflict if another switch is running, and InvalidInput if `yes` or `confirm` is
 * missing.
 */
export interface Lifecycle {
  /**
   * Starts the generation that the database names. In an empty database, first enables `install` (default: all addons in the repository),
   * with demo data as configured. If active versions aren't loaded here, serves nothing yet and reports why in `follower.unready`.
   *
   * @throws BrokenAddons if nothing can be served
   */
  start(options?: StartOptions & { install?: readonly string[] }): Promise<StartUp>;
  /** Keeps this process on the newest generation; started and stopped with the server. */
  readonly follower: Follower;
  /** Enabled addons that this process runs without, and why. */
  readonly leftOut: LeftOut;
  /** Whether this process filled an empty database. */
  readonly isFirstStart: boolean;
  list(): Promise<AddonStatus[]>;
  /** Plans the action without changing anything. Problems are part of the plan. */
  plan(
    action: SwitchAction,
    names: readonly string[],
    options?: Pick<SwitchOptions, 'demo' | 'consent'>,
  ): Promise<Plan>;
  /** Plans and runs the action; returns the plan. */
  run(action: SwitchAction, names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  enable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  disable(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  /** Upgrades all addons with newer code if `names` is empty. Requires a process that loaded the newest code. */
  upgrade(names: readonly string[], options?: SwitchOptions): Promise<Plan>;
  uninstall(name: string, options?: SwitchOptions): Promise<Plan>;
  /** Creates a new generation of the same addons; see `SwitchAction`. */
  refresh(options?: Pick<SwitchOptions, 'by' | 'data' | 'demo' | 'dryRun'>): Promise<Plan>;
}

/** Creates the lifecycle of an application. Does nothing before `start`. */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { storage, log, holder, discovery } = parts;
  let leftOut: LeftOut = new Map();
  let isFirstStart = false;
  /** Retries a broken addon after it was disabled and enabled again; if its code couldn't be loaded, it needs a fresh process. */
  const retryUnless = (isEnabled: (name: string) => boolean): void => {
    const loaded = new Set(discovery.addons.map(({ name }) => name));
    leftOut = new Map([...leftOut].filter(([name]) => isEnabled(name) || !loaded.has(name)));
  };
  const enabledHere = ({ addons }: GenerationRecord): ListedAddon[] =>
    discovery.addons.filter(({ name }) => addons[name] !== undefined && !leftOut.has(name));
  const follower = createFollower({
    storage,
    log,
    holder,
    build: async (record) => {
      retryUnless((name) => record.addons[name] !== undefined);
      const unreviewed = await loadReviewed(
        parts,
        Object.keys(record.addons).filter((name) => !leftOut.has(name)),
      );
      for (const problem of unreviewed.map(reviewProblem)) {
        log.error({ addon: problem.addon, problem }, 'The code of an addon is not loaded');
        leftOut = new Map([...leftOut, ...leaveOut([problem], enabledHere(record))]);
      }
      return parts.build(record, addonsOf(record, discovery, leftOut));
    },
    missing: (record) => missingVersions(record, discovery),
    newerCode: () => newerCodeOf(parts),
    changed: async (record) =>
      holder.ready && parts.onOutdated ? changedSince(enabledHere(record), discovery.since) : [],
    codeStamp: parts.codeStamp,
    onOutdated: () => {
      if (holder.ready) parts.onOutdated?.();
    },
  });
  const host: LifecycleHost = { ...parts, follower };
  const run: Lifecycle['run'] = async (action, names, options = {}) => {
    const plan = await new Switch(host, leftOut, action, names, options).run();
    const inactive = new Set(plan.addons.filter(({ to }) => to !== 'enabled').map(({ name }) => name));
    if (!options.dryRun && inactive.size > 0) retryUnless((name) => !inactive.has(name));
    return plan;
  };
  /** Switches to a generation with the current data of parts, such as the site's languages, if it differs; another process may be faster. */
  const refreshRecord = async (): Promise<void> => {
    if (!holder.ready) return;
    const { record, addons } = holder.current;
    if (isDeepStrictEqual(await parts.recordData(record, addons), record.data)) return;
    await run('refresh', [], { by: 'settings' });
  };
  return {
    follower: withRecordData(follower, refreshRecord, log),
    get leftOut() {
      return leftOut;
    },
    get isFirstStart() {
      return isFirstStart;
    },
    async start({ install, ...options } = {}) {
      const shipped = discovery.addons.filter(({ outside }) => !outside).map(({ name }) => name);
      const started = await startUp(host, install ?? shipped, options);
      leftOut = started.leftOut;
      isFirstStart = started.firstStart;
      if (started.firstStart) {
        await refreshRecord();
        await storage.finish();
      }
      // Follow switches made while this process was starting, and report why it can't serve them.
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

/** How often to check for changed data of parts, in ms. */
const recordEveryMs = 3000;
/** Pause after a failed check, in ms. */
const recordPauseMs = 60_000;

/** Wraps the follower to also keep the newest generation on the current data of parts, such as the site's languages. */
function withRecordData(follower: Follower, refreshRecord: () => Promise<void>, log: Log): Follower {
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  let notBefore = 0;
  const check = async (): Promise<void> => {
    if (performance.now() < notBefore) return;
    try {
      await refreshRecord();
    } catch (error) {
      if (error instanceof Conflict && error.code === 'core.switch_running') return;
      notBefore = performance.now() + recordPauseMs;
      log.warn({ err: error }, 'Data of a part for the next generation could not be read');
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
        checking ??= check().finally(() => {
          checking = null;
        });
      }, recordEveryMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await checking;
      await follower.stop();
    },
  };
}
