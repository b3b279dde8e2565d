import type { ContributionPoint } from '../kernel/index.ts';
import { type Part, pointsOf } from '../part/index.ts';
import { commands } from './commands.ts';
import { startChecks } from './start-checks.ts';

/** Returns all contribution points of an application with these parts. */
export function allPoints(parts: readonly Part[]): readonly ContributionPoint[] {
  return [...pointsOf(parts), startChecks, commands];
}
