import type { Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Generation } from './generation.ts';
import type { Plan, PlanItem, SwitchAction } from './plan.ts';
import type { Sentence } from './sentence.ts';

/**
 * What an addon is to the site: nothing of it is stored, it is served, or it is kept but not served.
 *
 * ```
 * uninstalled ──enable──▶ enabled ◀──enable / disable──▶ disabled ──uninstall──▶ uninstalled
 * ```
 */
export type AddonState = 'uninstalled' | 'enabled' | 'disabled';

/** What is stored of an addon. */
export interface StoredAddon {
  readonly name: string;
  readonly state: AddonState;
  /** Of the schema and data that are stored; null while there are none. */
  readonly version: string | null;
  /** Why the last switch failed, or why it is left out; null when all is well. */
  readonly lastError: readonly Problem[] | null;
  readonly changedAt: Date | null;
  readonly changedBy: string | null;
}

/** What a generation is made of, as all processes read it: enough to build the same one anywhere. */
export interface GenerationRecord {
  readonly number: number;
  /** Version of each enabled addon. */
  readonly addons: Readonly<Record<string, string>>;
  /** Data of the application's parts, by part; see `record` of a part. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What was asked for. */
export interface SwitchQuestion {
  readonly action: SwitchAction;
  readonly names: readonly string[];
  /** Demo data for addons that are new; in a refresh what these addons have more of than is there. */
  readonly demo: boolean | ReadonlySet<string>;
  /** A refresh that also brings shipped records up to date: of all addons, or of these. */
  readonly data?: boolean | ReadonlySet<string>;
}

/** A switch that enables, upgrades or disables, before anything of it is stored. */
export interface Change {
  readonly question: SwitchQuestion;
  readonly record: GenerationRecord;
  /** Null when it could not be built; then only the plan is wanted. */
  readonly generation: Generation | null;
  /** Addons that become enabled or newer, in dependency order. */
  readonly coming: readonly Addon[];
}

/** What all writes of a switch are told of it. */
export interface Commitment {
  readonly plan: Plan;
  /** Who asked: a login, or `command line`. */
  readonly by: string;
  /** When it began, as `performance.now()` says. */
  readonly began: number;
}

/** A change as the storage will make it. */
export interface PreparedChange {
  readonly items: readonly PlanItem[];
  readonly problems: readonly Problem[];
  /**
   * Stores all of it in one transaction: what the addons bring, their states, and the generation that every process follows to.
   *
   * @param alone nobody is served yet
   * @throws BrokenAddons; Conflict `core.switch_overtaken` when another process made a generation meanwhile
   */
  commit(commitment: Commitment & { readonly alone: boolean }): Promise<void>;
  /**
   * Does the same, demo data included, in a transaction that is rolled back. Returns the plan's items with the demo records that are missing.
   *
   * @throws what `commit` throws, and BrokenAddons for demo records that are refused
   */
  rehearse(commitment: Commitment): Promise<readonly PlanItem[]>;
}

/** What is to be removed with addons that leave. */
export interface PreparedRemoval {
  readonly items: readonly PlanItem[];
  /** Archives what the addons brought and removes it. `onArchived` is told the folder. */
  remove(commitment: Commitment & { readonly onArchived: (folder: string) => void }): Promise<void>;
}

/** A switch that ended. */
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

/** A switch that failed, for the log of switches. */
export interface FailedSwitch {
  readonly action: SwitchAction;
  readonly names: readonly string[];
  /** Those of the names that are addons. */
  readonly known: readonly string[];
  readonly problems: readonly Problem[];
  readonly by: string;
  readonly began: number;
}

/** Who is switching addons now. */
export interface LockHolder {
  /** Names the process. */
  readonly holder: string;
  readonly since: Date;
  /** `enable forum` */
  readonly note: string | null;
}

/** For development: what of the code on disk is newer than what is stored. */
export interface NewerCode {
  /** Names of addons with any file that is newer. */
  readonly addons: ReadonlySet<string>;
  /** Those of them with newer demo data. */
  readonly demo: ReadonlySet<string>;
  /** Whether pages of this generation count on what is newer. */
  urgent(generation: Generation): Promise<boolean>;
  /** Notes that what is stored is in line with the code that this process loaded. */
  settle(): Promise<void>;
}

/**
 * Where the state of addons is kept, and what they bring. All processes of a site share it. The kernel knows no more of it than this: the
 * application's is `packages/switching`, on its database; the kernel's tests have one in memory.
 */
export interface AddonStorage {
  /** The newest generation; null while nothing was ever enabled. */
  newest(): Promise<GenerationRecord | null>;
  /** Calls back when another one may be the newest. Answers how to stop. */
  subscribe(listener: () => void): () => void;
  /** Every addon of which anything was ever stored, by name. */
  addons(): Promise<ReadonlyMap<string, StoredAddon>>;
  /** What enabled addons have to say to a plan. */
  notes(plan: Plan): Promise<readonly PlanItem[]>;
  /** Begins the only switch of all processes; answers how to end it, or null while another runs. */
  lock(note: string): Promise<(() => Promise<void>) | null>;
  lockHolder(): Promise<LockHolder | null>;
  /** Why addons of a generation don't fit what is stored at their versions; an empty list if they do. */
  misfits(generation: Generation): Promise<readonly Problem[]>;
  /** Works out what storing this change takes. Nothing is changed. */
  prepare(change: Change): Promise<PreparedChange>;
  /** Works out what is to be removed with these addons. Nothing is changed. */
  prepareRemoval(names: readonly string[], onDisk: ReadonlyMap<string, Addon>): Promise<PreparedRemoval>;
  /**
   * Resolves when no process has a request or job on a generation older than `number`.
   *
   * @throws Unavailable, naming who holds out
   */
  settled(number: number): Promise<void>;
  /** Does at once what a change otherwise leaves for later. What fails is logged, and tried again later. */
  finish(): Promise<void>;
  /** Keeps why addons do not work where people look for it; null: they do. */
  noteErrors(errors: ReadonlyMap<string, readonly Problem[] | null>): Promise<void>;
  noteFailure(failed: FailedSwitch): Promise<void>;
  /** Switches that ended, the latest first. */
  history(limit: number): Promise<PastSwitch[]>;
  newerCode(): Promise<NewerCode>;
}
