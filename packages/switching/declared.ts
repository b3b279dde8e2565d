import type { Generation } from '@pergola/core';
import { values } from '@pergola/core';
import { type GroupDefinition, groups, models } from '@pergola/orm';

/** Declarations of an enabled generation, for addons that keep records about them (groups, menus, languages). */
export interface Declared {
  readonly addons: readonly {
    readonly name: string;
    readonly title: string;
    readonly summary: string;
    readonly version: string;
  }[];
  readonly groups: readonly (GroupDefinition & { readonly addon: string })[];
  readonly models: readonly { readonly name: string; readonly label: string; readonly addon: string }[];
  /** Languages of its texts, the default one first. */
  readonly languages: readonly string[];
}

/** Declarations of a generation, for addons that keep records about them. */
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
    languages: generation.get(values.languages),
  };
}
