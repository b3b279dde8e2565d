/** Exports for addons, under `pergola/kernel`. */

export type { DifferenceGroup } from './fold.ts';
export {
  beginRehearsal,
  changedSinceRehearsal,
  latestRehearsal,
  type RehearsalReport,
  type ShownRehearsal,
  stopRehearsal,
} from './rehearsals.ts';
export type { DifferenceKind, RoleName, Verdict } from './types.ts';
