import { corePoints } from '../../core/app/points.ts';
import { describeProblem } from '../../core/base/errors.ts';
import { createLog } from '../../core/base/log.ts';
import { discover } from '../../core/kernel/index.ts';
import { buildRegistry } from '../../core/model/build-registry.ts';
import { modelsWithoutAccess } from '../../core/model/places.ts';

/** What is no fault, and mostly not meant: models that nobody may read. All addons of these folders count as enabled. */
export async function modelWarnings(roots: readonly string[]): Promise<string[]> {
  const { addons } = await discover(roots, createLog('silent'), corePoints);
  const { registry } = buildRegistry(addons.map(({ name, definition }) => ({ ...definition, name })));
  return modelsWithoutAccess(registry, addons).map(describeProblem);
}
