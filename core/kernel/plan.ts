import type { Problem } from '../base/index.ts';
import type { Sentence } from './sentence.ts';
import type { AddonState, SwitchQuestion } from './storage.ts';
import type { Target } from './target.ts';

/**
 * Actions on addons. `refresh` keeps the addons and creates a new generation of them: for changed languages or, during development, for
 * models changed without a new version.
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
  /** Current version of the schema and data in the database, or null if nothing is stored. */
  readonly fromVersion: string | null;
  /** Version after the switch, or null if nothing of it remains. */
  readonly toVersion: string | null;
  readonly reason: PlanReason;
}

/** One consequence of a switch. */
export interface PlanItem {
  /** Subject, used to group items on screens: `table`, `route`. */
  readonly topic: string;
  /** Addon that causes it. */
  readonly addon: string;
  readonly sentence: Sentence;
  /** The same for programs: `{ table, rows }`, `{ path, method }`, … */
  readonly data: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/** Something that the code of an addon can do. */
export interface CodePower {
  /** What it is about, such as `network`. */
  readonly kind: string;
  /** `contacts api.example.org` */
  readonly what: Sentence;
  /** The third-party package whose code can do it; otherwise the addon's own. */
  readonly inPackage?: string;
  /** `high`: an administrator should read it before enabling the addon. */
  readonly risk: 'low' | 'medium' | 'high';
  /** Files relative to the addon's folder, with `/`. */
  readonly where: readonly { readonly file: string; readonly line: number }[];
}

/** What somebody has to agree to before the code of an addon from elsewhere is loaded. */
export interface CodeReview {
  readonly addon: string;
  readonly title: string;
  readonly version: string;
  /** Identifies the code: an agreement is only for exactly this code. */
  readonly digest: string;
  /** The version agreed to before, or null. */
  readonly agreedVersion: string | null;
  readonly powers: readonly CodePower[];
  /** Powers that weren't agreed to yet. */
  readonly added: readonly CodePower[];
  /** Powers agreed to before that the code no longer has. */
  readonly removed: readonly CodePower[];
}

/** An agreement to what code can do. */
export interface Agreement {
  /** Digests of the reviewed code. */
  readonly digests: readonly string[];
  /** Login of the user, or `command line`. */
  readonly by: string;
}

/** Preview of a switch as plain data. */
export interface Plan {
  readonly action: SwitchAction;
  /** Requested addons. */
  readonly names: readonly string[];
  /** All addons that take part, in dependency order; empty if there is nothing to do. */
  readonly addons: readonly PlannedAddon[];
  readonly items: readonly PlanItem[];
  /** Code to agree to: until then it isn't loaded, so the plan has no items and no problems with the code. */
  readonly reviews: readonly CodeReview[];
  /** Why the switch is impossible; empty if it is possible. */
  readonly problems: readonly Problem[];
  /** Other addons are affected in a way that must be confirmed: requires `yes`. */
  readonly needsYes: boolean;
  /** Data will be lost: requires typing this name. */
  readonly confirm: string | null;
}

/** Creates the plan of a switch with the problems of its target. */
export function planOf(
  { action, names }: Pick<SwitchQuestion, 'action' | 'names'>,
  { addons, problems }: Target,
  items: readonly PlanItem[],
): Plan {
  const needsYes = addons.some(({ reason }) => reason === 'dependant');
  const confirm = action === 'uninstall' && addons.length > 0 ? (names[0] ?? null) : null;
  return { action, names, addons, items, reviews: [], problems, needsYes, confirm };
}

/** Steps of a switch. */
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

/** Reported while a switch runs. */
export interface SwitchProgress {
  readonly step: SwitchStep;
  readonly sentence: Sentence;
}
