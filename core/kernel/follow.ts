import { describeProblem, type Log, type Problem } from '../base/index.ts';
import type { GenerationHolder } from './generation-holder.ts';
import type { LifecycleParts } from './host.ts';
import type { AddonStorage, GenerationRecord } from './storage.ts';
import { compareVersions } from './versions.ts';

/** Keeps a process on the newest generation, no matter which process created it. */
export interface Follower {
  /** Why this process doesn't serve the newest generation; empty if it does. */
  readonly unready: readonly string[];
  /** Checks on every signal from the storage, and periodically in case a signal was lost. */
  start(): void;
  stop(): Promise<void>;
  /** Checks now. Resolves when the newest generation serves here, or when `unready` has the reasons. */
  check(): Promise<void>;
  /** Pauses following while `work` runs: for switches made by this process. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface FollowerOptions<G extends { readonly number: number }> {
  readonly storage: Pick<AddonStorage, 'newest' | 'subscribe'>;
  readonly log: Log;
  readonly holder: GenerationHolder<G>;
  /** Builds and checks the generation of a record from the code loaded by this process. */
  readonly build: (record: GenerationRecord) => Promise<{ generation?: G; problems: readonly Problem[] }>;
  /** Addons of the record whose version isn't the one loaded by this process. */
  readonly missing: (record: GenerationRecord) => readonly MissingVersion[];
  /** Addons with newer code on this machine than loaded by this process, and whether a fresh process will load it. */
  readonly newerCode?: () => Promise<NewerCode>;
  /** Addons of the record whose files changed since this process loaded them, if a fresh process can replace it. */
  readonly changed?: (record: GenerationRecord) => Promise<readonly string[]>;
  /**
   * Called when the site moves to code that this process hasn't loaded, so only a fresh process can serve it. Called again if no process
   * took over, with pauses doubling up to five minutes, until something changes.
   */
  readonly onOutdated?: () => void;
  /** Latest modification time of code on this machine: after a change, a fresh process may succeed. */
  readonly codeStamp?: () => Promise<number>;
  /** How often to check without a signal, in ms. Default 5,000. */
  readonly everyMs?: number;
}

export interface MissingVersion {
  readonly addon: string;
  /** The active version. */
  readonly version: string;
  /** The version loaded by this process, or null. */
  readonly loaded: string | null;
}

/** Code on this machine that a process hasn't loaded. */
export interface NewerCode {
  /** Names of addons. */
  readonly addons: ReadonlySet<string>;
  /** Whether a fresh process will replace this one. */
  readonly isReplaced: boolean;
}

/** Maximum pause before starting another fresh process for the same reason, in ms. */
const LONGEST_PAUSE_MS = 5 * 60_000;

export function createFollower<G extends { readonly number: number }>(options: FollowerOptions<G>): Follower {
  const { storage, log, holder, everyMs = 5000 } = options;
  let unready: readonly string[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let pendingCheck: Promise<void> | null = null;
  let unsubscribe: () => void = () => {};
  let timer: NodeJS.Timeout | undefined;

  let lastRequest = { reason: '', next: 0, pause: 0 };

  /** Runs switches of this process and the following of others one after another. */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const report = (reasons: readonly string[]): void => {
    if (timer && reasons.length > 0 && reasons.join() !== unready.join())
      log.warn({ reasons }, 'This node does not serve the newest generation');
    if (reasons.length === 0 && unready.length > 0) log.info('This node serves the newest generation again');
    unready = reasons;
  };
  const requestFreshProcess = async ({ number }: GenerationRecord, problems: readonly Problem[]): Promise<void> => {
    const reasons = problems.map(describeProblem);
    report(reasons);
    const reason = JSON.stringify([number, reasons, await options.codeStamp?.()]);
    const now = performance.now();
    if (reason !== lastRequest.reason) lastRequest = { reason, next: now, pause: everyMs };
    if (now < lastRequest.next) return;
    lastRequest = { reason, next: now + lastRequest.pause, pause: Math.min(2 * lastRequest.pause, LONGEST_PAUSE_MS) };
    options.onOutdated?.();
  };
  const follow = async (): Promise<void> => {
    const record = await storage.newest();
    if (!record || (holder.ready && record.number <= holder.current.number)) {
      report([]);
      return;
    }
    const unloaded = options.missing(record);
    const newer = unloaded.length > 0 ? await options.newerCode?.() : undefined;
    const missing = unloaded.map((version) => missingProblem(version, newer));
    // The generation was checked with the current files: their templates don't match the code loaded here.
    const changed = missing.length > 0 ? [] : ((await options.changed?.(record)) ?? []);
    const outdated = [...missing, ...changed.map(changedProblem)];
    if (outdated.length > 0) return requestFreshProcess(record, outdated);
    const { generation, problems } = await options.build(record);
    if (!generation) {
      report(problems.map(describeProblem));
      return;
    }
    holder.swap(generation);
    log.info({ generation: record.number }, 'This node follows to another generation');
    report([]);
  };
  const check = (): Promise<void> => {
    // Signals that arrive while a check is queued are covered by that check.
    pendingCheck ??= enqueue(() => {
      pendingCheck = null;
      return follow();
    });
    return pendingCheck;
  };
  const checkAndLog = (): void => {
    check().catch((error: unknown) => log.warn({ err: error }, 'Could not check for a newer generation'));
  };

  return {
    get unready() {
      return unready;
    },
    check,
    exclusively: enqueue,
    start() {
      unsubscribe = storage.subscribe(checkAndLog);
      timer = setInterval(checkAndLog, everyMs);
      timer.unref();
    },
    async stop() {
      unsubscribe();
      clearInterval(timer);
      await turn;
    },
  };
}

const TAKES_OVER = 'A fresh process takes over as soon as it can be started; its problems are in the log.';

/** Returns addon code added to this machine after this process loaded its own. */
export async function newerCodeOf({
  changedCode,
  holder,
  onOutdated,
}: Pick<LifecycleParts, 'changedCode' | 'holder' | 'onOutdated'>): Promise<NewerCode> {
  const addons = (await changedCode?.()) ?? new Set<string>();
  return { addons, isReplaced: holder.ready && onOutdated !== undefined };
}

function changedProblem(addon: string): Problem {
  return {
    addon,
    message: 'its files on this machine are newer than what this process has loaded.',
    remedy: TAKES_OVER,
  };
}

/**
 * Explains an active version that isn't loaded, with a remedy. If the code is already on this machine, the process only needs to load it.
 */
export function missingProblem({ addon, version, loaded }: MissingVersion, newer?: NewerCode): Problem {
  const isBehind = loaded !== null && compareVersions(loaded, version) > 0;
  if (newer?.addons.has(addon) && !isBehind) {
    const state = loaded === null ? 'had not loaded it when it started' : `has loaded ${loaded}`;
    return {
      addon,
      message: `version ${version} is enabled, and this process ${state}; newer code is on this machine.`,
      remedy: newer.isReplaced ? TAKES_OVER : 'Start the server again.',
    };
  }
  const upgrade = `\`npx pergola upgrade ${addon}\`, or “Upgrade” on the Apps screen`;
  if (loaded === null) {
    return {
      addon,
      message: `version ${version} is enabled, and was not on this machine when this process started.`,
      remedy: `Put it on its disk, or disable it. If a newer version is there, upgrade to it first: ${upgrade}.`,
    };
  }
  if (isBehind) {
    return {
      addon,
      message: `version ${version} is enabled, and version ${loaded} is on this machine.`,
      remedy: `Upgrade it first: ${upgrade}.`,
    };
  }
  return {
    addon,
    message: `version ${version} is enabled, and this process has loaded ${loaded}.`,
    remedy: 'Put the newer code on this machine and start the server again.',
  };
}
