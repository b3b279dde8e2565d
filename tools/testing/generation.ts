import { breakers } from '@pergola/cluster';
import type { AddonDefinition } from '@pergola/core';
import { allPoints, buildContainer, buildInputs, contributionsTo, Generation } from '@pergola/core';
import { parts } from '../parts.ts';
import { idleBreakers } from './idle-breakers.ts';

/**
 * A generation for tests of a single part, with these values by point name. Other points return the plain list that the addons registered.
 */
export function testGeneration(options: {
  readonly number?: number;
  readonly addons: readonly (Partial<AddonDefinition> & { readonly name: string })[];
  readonly values: Readonly<Record<string, unknown>>;
}): Generation {
  const addons = options.addons.map((definition) => ({
    name: definition.name,
    definition: definition as AddonDefinition,
    folder: '',
    outside: false,
    files: {},
  }));
  const lists = allPoints(parts).map((point) => [
    point.name,
    contributionsTo(point, addons).flatMap(({ value }) => value),
  ]);
  const values = {
    ...Object.fromEntries(lists),
    [buildInputs.name]: { allAddons: addons },
    [breakers.name]: idleBreakers(),
    ...options.values,
  };
  const { container } = buildContainer({ values, requestValues: ['ctx'], addons: [] });
  const record = { number: options.number ?? 1, addons: {}, data: { texts: ['en_US'], orm: [] } };
  return new Generation({ record, addons, points: [], container });
}
