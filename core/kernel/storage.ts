import type { Problem } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import type { Generation } from './generation.ts';
import type { CodeReview, Plan, PlanItem, SwitchAction } from './plan.ts';
import type { Sentence } from './sentence.ts';

/**
 * State of an addon: not stored at all, served, or kept but not served.
 *
 * ```
 * uninstalled ──enable──▶ enabled ◀──enable / disable──▶ disabled ──uninstall──▶ uninstalled
 * ```
 */
export type AddonState = 'uninstalled' | 'enabled' | 'disabled';

/** Stored state of an addon. */
export interface StoredAddon {
  readonly name: string;
  readonly state: AddonState;
  /** Version of the stored schema and data, or null if nothing is stored. */
  readonly version: string | null;
  /** Why the last switch failed or the addon is left out; null if it works. */
  readonly lastError: readonly Problem[] | null;
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

/** Contents of a generation, shared by all processes: enough to build it anywhere. */
export interface GenerationRecord {
  readonly number: number;
  /** Versions of the enabled addons. */
  readonly addons: Readonly<Record<string, string>>;
  /** Data of the application's parts, by part; see `record` of a part. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Request for a switch. */
export interface SwitchQuestion {
  readonly action: SwitchAction;
  readonly names: readonly string[];
  /** Whether new addons get demo data; in a refresh, the addons whose additional demo data is added. */
  readonly demo: boolean | ReadonlySet<string>;
  /** Refresh only: also updates shipped records, of all addons or of these. */
  readonly data?: boolean | ReadonlySet<string>;
}

/** A switch that enables, upgrades or disables, before anything is stored. */
export interface Change {
  readonly question: SwitchQuestion;
  readonly record: GenerationRecord;
  /** Null if it couldn't be built; then only the plan matters. */
  readonly generation: Generation | null;
  /** Addons being enabled or upgraded, in dependency order. */
  readonly coming: readonly Addon[];
}

/** Context shared by all writes of a switch. */
export interface Commitment {
  readonly plan: Plan;
  /** Login of the user, or `command line`. */
  readonly by: string;
  /** Start time (`performance.now()`). */
  readonly began: number;
}

/** A change ready to be stored. */
export interface PreparedChange {
  readonly items: readonly PlanItem[];
  readonly problems: readonly Problem[];
  /**
   * Stores everything in one transaction: the addons' records, their states, and the generation that every process follows.
   *
   * @param alone no requests are served yet
   * @throws BrokenAddons; Conflict `core.switch_overtaken` if another process created a generation in the meantime
   */
  commit(commitment: Commitment & { readonly alone: boolean }): Promise<void>;
  /**
   * Does the same, including demo data, in a transaction that is rolled back. Returns the plan's items with the missing demo records.
   *
   * @throws the errors of `commit`, and BrokenAddons if demo records are rejected
   */
  rehearse(commitment: Commitment): Promise<readonly PlanItem[]>;
}

/** Data to remove when addons are uninstalled. */
export interface PreparedRemoval {
  readonly items: readonly PlanItem[];
  /** Archives and removes the addons' data. Calls `onArchived` with the folder of the archive. */
  remove(commitment: Commitment & { readonly onArchived: (folder: string) => void }): Promise<void>;
}

/** A finished switch. */
export interface PastSwitch {
  readonly id: number;
  readonly at: Date;
  readonly action: SwitchAction | 'start';
  readonly addons: readonly string[];
  readonly result: 'done' | 'failed';
  readonly summary: readonly Sentence[];
  readonly problems: readonly Problem[];
  readonly durationMs: number;
  readonly by: string;
}

/** A failed switch, for the switch log. */
export interface FailedSwitch {
  readonly action: SwitchAction;
  readonly names: readonly string[];
  /** The names that belong to existing addons. */
  readonly known: readonly string[];
  readonly problems: readonly Problem[];
  readonly by: string;
  readonly began: number;
}

/** Process that is currently switching addons. */
export interface LockHolder {
  /** Name of the process. */
  readonly holder: string;
  readonly since: Date;
  /** `enable forum` */
  readonly note: string | null;
}

/**
 * Storage for the state and data of addons, shared by all processes of a site. The kernel only knows this interface: `packages/switching`
 * implements it on the application's database; the kernel's tests use one in memory.
 */
export interface AddonStorage {
  /** The newest generation, or null if nothing was ever enabled. */
  newest(): Promise<GenerationRecord | null>;
  /** Calls `listener` when there may be a newer generation. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Every addon with stored state, by name. */
  addons(): Promise<ReadonlyMap<string, StoredAddon>>;
  /** Notes from enabled addons about a plan. */
  consequences(plan: Plan): Promise<readonly PlanItem[]>;
  /** Identifies what a plan does and what decides its effects: enabled addons, code, settings and affected data. */
  fingerprint(plan: Plan): Promise<string>;
  /** Takes the lock for switches, held by one process at a time. Returns a function to release it, or null if another switch is running. */
  lock(note: string): Promise<(() => Promise<void>) | null>;
  lockHolder(): Promise<LockHolder | null>;
  /** Why addons of a generation don't match their stored versions; empty if they do. */
  misfits(generation: Generation): Promise<readonly Problem[]>;
  /** Returns the code of these addons that needs consent before it is loaded. */
  reviews(addons: readonly ListedAddon[]): Promise<readonly CodeReview[]>;
  /** Stores consent to these reviews; `by` is a login, `command line`, or empty if none was needed. */
  addConsents(reviews: readonly CodeReview[], by: string): Promise<void>;
  /** Prepares storing a change. Changes nothing. */
  prepare(change: Change): Promise<PreparedChange>;
  /** Prepares removing these addons. Changes nothing. */
  prepareRemoval(names: readonly string[], onDisk: ReadonlyMap<string, Addon>): Promise<PreparedRemoval>;
  /**
   * Resolves when no process has a request or job on a generation older than `number`.
   *
   * @throws Unavailable, naming the process that is still busy
   */
  settled(number: number): Promise<void>;
  /** Runs the work that usually follows a change right away. Failures are logged and retried later. */
  finish(): Promise<void>;
  /** Stores why addons don't work, for the Apps screen; null clears the error. */
  noteErrors(errors: ReadonlyMap<string, readonly Problem[] | null>): Promise<void>;
  noteFailure(failed: FailedSwitch): Promise<void>;
  /** Finished switches, the latest first. */
  history(limit: number): Promise<PastSwitch[]>;
}
