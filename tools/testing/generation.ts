import { corePoints } from '../../core/app/points.ts';
import { buildInputs } from '../../core/context/values.ts';
import type { AddonDefinition } from '../../core/kernel/addon.ts';
import { buildContainer } from '../../core/kernel/container.ts';
import { Generation } from '../../core/kernel/generation.ts';
import { contributionsTo } from '../../core/kernel/point.ts';

/**
 * A generation for tests of one part: these values by the names of points. Of points that are not among them it has the plain list of what the
 * addons registered.
 */
export function testGeneration(about: {
  readonly number?: number;
  readonly addons: readonly (Partial<AddonDefinition> & { readonly name: string })[];
  readonly values: Readonly<Record<string, unknown>>;
}): Generation {
  const addons = about.addons.map((definition) => ({
    name: definition.name,
    definition: definition as AddonDefinition,
    folder: '',
    outside: false,
    files: {},
  }));
  const lists = corePoints.map((point) => [point.name, contributionsTo(point, addons).flatMap(({ value }) => value)]);
  const values = { ...Object.fromEntries(lists), [buildInputs.name]: { known: addons }, ...about.values };
  const { container } = buildContainer({ values, requestValues: ['ctx'], addons: [] });
  const record = { number: about.number ?? 1, addons: {}, languages: ['en_US'], pendingFields: [] };
  return new Generation({ record, addons, points: [], container });
}
