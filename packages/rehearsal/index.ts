// Public API of the package; see README.md for its purpose.

export { type DifferenceGroup, differenceGroups } from './fold.ts';
export { rehearsalPart } from './part.ts';
export { latestRehearsal, type RehearsalMessage, rehearsals } from './rehearsals.ts';
export { DEFAULT_PAGES, type RehearsalProgress } from './rehearse.ts';
export { rehearseSwitch } from './run.ts';
export { serveSide, startSide } from './side-process.ts';
export type { Difference, DifferenceKind, Rehearsal, RehearsedAction } from './types.ts';
