import { app } from '../app/values.ts';
import type { Generation } from '../kernel/generation.ts';
import { groups, models } from '../model/points.ts';
import type { Declared } from './define.ts';

/** What a generation declares, for addons that keep records about it. */
export function declaredOf(generation: Generation): Declared {
  return {
    addons: generation.addons.map(({ name, definition: { title, summary, version } }) => ({
      name,
      title,
      summary,
      version,
    })),
    groups: [...generation.get(groups).values()].map(({ all: _, ...group }) => group),
    models: [...generation.get(models).models.values()].map(({ name, label, addon }) => ({ name, label, addon })),
    languages: generation.get(app.languages),
  };
}
