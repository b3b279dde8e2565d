import type { Problem } from '../base/index.ts';
import type { Sentence } from './sentence.ts';
import type { AddonState, SwitchQuestion } from './storage.ts';
import type { Target } from './target.ts';

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
  readonly from: AddonState;
  readonly to: AddonState;
  /** Of the schema and data in the database now; null when there are none. */
  readonly fromVersion: string | null;
  /** Afterwards; null when nothing of it stays. */
  readonly toVersion: string | null;
  readonly reason: PlanReason;
}

/** One consequence of a switch. */
export interface PlanItem {
  /** What it is about, for screens that group by it: `table`, `route`. */
  readonly topic: string;
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

/** The plan of a switch, with the problems of its target. */
export function planOf(
  { action, names }: Pick<SwitchQuestion, 'action' | 'names'>,
  { addons, problems }: Target,
  items: readonly PlanItem[],
): Plan {
  const needsYes = addons.some(({ reason }) => reason === 'dependant');
  const confirm = action === 'uninstall' && addons.length > 0 ? (names[0] ?? null) : null;
  return { action, names, addons, items, problems, needsYes, confirm };
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
