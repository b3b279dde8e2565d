import type { Generation } from '../generation.ts';
import type { Declared } from './define.ts';

/** What a generation declares, for addons that keep records about it. */
export function declaredOf({
  addons,
  groups,
  models,
  languages,
}: Pick<Generation, 'addons' | 'groups' | 'models' | 'languages'>): Declared {
  return {
    addons: addons.map(({ name, definition: { title, summary, version } }) => ({ name, title, summary, version })),
    groups: [...groups.values()].map(({ all: _, ...group }) => group),
    models: [...models.models.values()].map(({ name, label, addon }) => ({ name, label, addon })),
    languages,
  };
}
