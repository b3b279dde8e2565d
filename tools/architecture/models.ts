import { describeProblem } from '@pergola/core';
import { modelsWithoutAccess } from '@pergola/orm';
import { loadAddons } from '../templates/loaded-addons.ts';

/** Warnings for legal but usually unintended code: models without any access rights. Treats all addons of these folders as enabled. */
export async function modelWarnings(roots: readonly string[]): Promise<string[]> {
  const { addons, models } = await loadAddons(roots);
  return modelsWithoutAccess(models, addons).map(describeProblem);
}
