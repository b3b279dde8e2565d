import { describeProblem, type Log, type Problem } from '../base/index.ts';
import type { GenerationHolder } from './generation-holder.ts';
import type { LifecycleParts } from './host.ts';
import type { AddonStorage, GenerationRecord } from './storage.ts';
import { compareVersions } from './versions.ts';

/** Keeps a process on the newest generation, whoever made it. */
export interface Follower {
  /** What keeps this process from serving the newest generation; empty when it does. */
  readonly unready: readonly string[];
  /** Looks whenever the storage says so, and now and then in case a signal was lost. */
  start(): void;
  stop(): Promise<void>;
  /** Looks now. Resolves when the newest generation serves here, or when `unready` says why not. */
  check(): Promise<void>;
  /** Runs `work` while nothing is followed: for a switch this process makes itself. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface FollowerOptions<G extends { readonly number: number }> {
  readonly storage: Pick<AddonStorage, 'newest' | 'subscribe'>;
  readonly log: Log;
  readonly holder: GenerationHolder<G>;
  /** Builds and checks the generation of a record from the code this process has loaded. */
  readonly build: (record: GenerationRecord) => Promise<{ generation?: G; problems: readonly Problem[] }>;
  /** Addons of the record whose version is not what this process has loaded, with the version loaded (null: none). */
  readonly missing: (record: GenerationRecord) => readonly MissingVersion[];
  /** Addons whose code on this machine is newer than what this process has loaded, and what happens to it. */
  readonly newerCode?: () => Promise<NewerCode>;
  /** Addons of the record whose files changed since this process loaded them, where a fresh process can replace it. */
  readonly changed?: (record: GenerationRecord) => Promise<readonly string[]>;
  /**
   * Told when the site moved to code that this process has not loaded: only a fresh process can serve it. Told again where none took over, after
   * a pause that doubles up to five minutes until something has changed.
   */
  readonly onOutdated?: () => void;
  /** When code on this machine changed last: then a fresh process may be able to. */
  readonly codeStamp?: () => Promise<number>;
  /** How often to look without a signal, in ms. Default 5,000. */
  readonly everyMs?: number;
}

export interface MissingVersion {
  readonly addon: string;
  /** The version that is active. */
  readonly version: string;
  readonly loaded: string | null;
}

/** Code on this machine that a process hasn't loaded. */
export interface NewerCode {
  /** Names of addons. */
  readonly addons: ReadonlySet<string>;
  /** Whether a fresh process takes the place of this one. */
  readonly isReplaced: boolean;
}

/** The longest pause between two fresh processes that are started for the same reason, in ms. */
const LONGEST_PAUSE_MS = 5 * 60_000;

export function createFollower<G extends { readonly number: number }>(options: FollowerOptions<G>): Follower {
  const { storage, log, holder, everyMs = 5000 } = options;
  let unready: readonly string[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  let unsubscribe: () => void = () => {};
  let timer: NodeJS.Timeout | undefined;

  let asked = { reason: '', next: 0, pause: 0 };

  /** One after the other: a switch of our own, and what is followed. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const say = (reasons: readonly string[]): void => {
    if (timer && reasons.length > 0 && reasons.join() !== unready.join())
      log.warn({ reasons }, 'This node does not serve the newest generation');
    if (reasons.length === 0 && unready.length > 0) log.info('This node serves the newest generation again');
    unready = reasons;
  };
  const askForFresh = async ({ number }: GenerationRecord, problems: readonly Problem[]): Promise<void> => {
    const reasons = problems.map(describeProblem);
    say(reasons);
    const reason = JSON.stringify([number, reasons, await options.codeStamp?.()]);
    const now = performance.now();
    if (reason !== asked.reason) asked = { reason, next: now, pause: everyMs };
    if (now < asked.next) return;
    asked = { reason, next: now + asked.pause, pause: Math.min(2 * asked.pause, LONGEST_PAUSE_MS) };
    options.onOutdated?.();
  };
  const follow = async (): Promise<void> => {
    const record = await storage.newest();
    if (!record || (holder.ready && record.number <= holder.current.number)) {
      say([]);
      return;
    }
    const absent = options.missing(record);
    const newer = absent.length > 0 ? await options.newerCode?.() : undefined;
    const missing = absent.map((version) => missingProblem(version, newer));
    // The generation was checked with the files as they are now: their templates don't fit the code loaded here.
    const changed = missing.length > 0 ? [] : ((await options.changed?.(record)) ?? []);
    const outdated = [...missing, ...changed.map(changedProblem)];
    if (outdated.length > 0) return askForFresh(record, outdated);
    const { generation, problems } = await options.build(record);
    if (!generation) {
      say(problems.map(describeProblem));
      return;
    }
    holder.swap(generation);
    log.info({ generation: record.number }, 'This node follows to another generation');
    say([]);
  };
  const check = (): Promise<void> => {
    // Signals that come while one look is waiting for its turn are all answered by it.
    waiting ??= inTurn(() => {
      waiting = null;
      return follow();
    });
    return waiting;
  };
  const checkAndLog = (): void => {
    check().catch((error: unknown) => log.warn({ err: error }, 'Could not look for a newer generation'));
  };

  return {
    get unready() {
      return unready;
    },
    check,
    exclusively: inTurn,
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

/** Code of addons that was put on this machine after this process loaded its own. */
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

/** What to say of a version that is active and not loaded, and what to do about it: if the code is here already, the process only has to load it. */
export function missingProblem({ addon, version, loaded }: MissingVersion, newer?: NewerCode): Problem {
  if (newer?.addons.has(addon)) {
    const has = loaded === null ? 'had not loaded it when it started' : `has loaded ${loaded}`;
    return {
      addon,
      message: `version ${version} is enabled, and this process ${has}; newer code is on this machine.`,
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
  if (compareVersions(loaded, version) > 0) {
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
