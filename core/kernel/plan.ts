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

/** Something that the code of an addon can do. `packages/capabilities` derives it from the code. */
export interface Capability {
  /** Such as `network`. */
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

/** Code of an external addon that needs consent before it is loaded. */
export interface CodeReview {
  readonly addon: string;
  readonly title: string;
  readonly version: string;
  /** Identifies the code: consent is only for exactly this code. */
  readonly digest: string;
  /** Version of the previous consent, or null. */
  readonly consentedVersion: string | null;
  readonly capabilities: readonly Capability[];
  /** Capabilities without consent. */
  readonly added: readonly Capability[];
  /** Capabilities of the previous consent that the code no longer has. */
  readonly removed: readonly Capability[];
}

/** Consent to the capabilities of code. */
export interface Consent {
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
  /** Code that needs consent. Until then it isn't loaded, so the plan has no items, and no problems of the code. */
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
