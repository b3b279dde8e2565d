import type { Problem } from '../base/errors.ts';
import type { ModuleState } from '../install/module-store.ts';
import type { Sentence } from './sentence.ts';

/**
 * What can be done with addons. `refresh` leaves them as they are and makes a new generation of them: other languages, or, while developing, models
 * that changed without a new version.
 */
export type SwitchAction = 'enable' | 'disable' | 'upgrade' | 'uninstall' | 'refresh';

/** Why an addon takes part in a switch. */
export type PlanReason = 'asked' | 'needed' | 'auto' | 'dependant';

/** An addon that takes part in a switch. */
export interface PlannedAddon {
  readonly name: string;
  readonly title: string;
  readonly from: ModuleState;
  readonly to: ModuleState;
  /** Of the schema and data in the database now; null when there are none. */
  readonly fromVersion: string | null;
  /** Afterwards; null when nothing of it stays. */
  readonly toVersion: string | null;
  readonly reason: PlanReason;
}

/** What an item of a plan is about; screens group by it. */
export type PlanTopic =
  | 'table'
  | 'column'
  | 'index'
  | 'records'
  | 'demo'
  | 'migration'
  | 'route'
  | 'menu'
  | 'template'
  | 'job'
  | 'rows'
  | 'later'
  | 'note';

/** One consequence of a switch. */
export interface PlanItem {
  readonly topic: PlanTopic;
  /** The addon it comes from. */
  readonly addon: string;
  readonly sentence: Sentence;
  /** The same for programs: `{ table, rows }`, `{ path, method }`, … */
  readonly data: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/** What a switch would do, as plain data: shown before it is done. */
export interface Plan {
  readonly action: SwitchAction;
  /** The addons asked for. */
  readonly names: readonly string[];
  /** All that take part, in dependency order. Empty: there is nothing to do. */
  readonly addons: readonly PlannedAddon[];
  readonly items: readonly PlanItem[];
  /** Not empty: it cannot be done, and why. */
  readonly problems: readonly Problem[];
  /** Other addons than those asked for take part in a way somebody should know of: it is only done with `yes`. */
  readonly needsYes: boolean;
  /** Data is lost: it is only done when this name is typed. */
  readonly confirm: string | null;
}

/** How far a switch is. */
export type SwitchStep =
  | 'lock'
  | 'plan'
  | 'build'
  | 'database'
  | 'swap'
  | 'nodes'
  | 'archive'
  | 'remove'
  | 'later'
  | 'done';

/** Told while a switch runs. */
export interface SwitchProgress {
  readonly step: SwitchStep;
  readonly sentence: Sentence;
}
