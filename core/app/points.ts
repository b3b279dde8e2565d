import type { ContributionPoint } from '../kernel/index.ts';
import { type Part, pointsOf } from '../part/index.ts';
import { commands } from './commands.ts';
import { startChecks } from './start-checks.ts';

/** Everything that addons may register in an application of these parts. */
export function allPoints(parts: readonly Part[]): readonly ContributionPoint[] {
  return [...pointsOf(parts), startChecks, commands];
}
