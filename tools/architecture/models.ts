import { describeProblem } from '@pergola/core';
import { modelsWithoutAccess } from '@pergola/orm';
import { loadAddons } from '../templates/loaded-addons.ts';

/** What is no fault, and mostly not meant: models that nobody may read. All addons of these folders count as enabled. */
export async function modelWarnings(roots: readonly string[]): Promise<string[]> {
  const { addons, models } = await loadAddons(roots);
  return modelsWithoutAccess(models, addons).map(describeProblem);
}
