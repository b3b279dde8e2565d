import type { Problem } from '../../errors.ts';
import type { LoadedAddon } from '../../generation.ts';
import { didYouMean } from '../../model/build/closest.ts';
import type { TemplateUse } from '../../page/build.ts';

/** Islands, style sheets, fragments, blocks and groups that templates name, against those there are. */
export function checkTemplateUses(
  addons: readonly LoadedAddon[],
  uses: readonly TemplateUse[],
  known: {
    readonly groups: ReadonlyMap<string, unknown>;
    readonly hasIsland: (id: string) => boolean;
    readonly hasStylesheet: (id: string) => boolean;
  },
): Problem[] {
  const ids = {
    fragment: new Set(addons.flatMap(({ definition }) => (definition.fragments ?? []).map(({ id }) => id))),
    block: new Set(addons.flatMap(({ definition }) => (definition.blocks ?? []).map(({ id }) => id))),
    group: new Set(known.groups.keys()),
  };
  const files = {
    island: {
      has: known.hasIsland,
      message: 'island',
      remedy: 'Islands are called addon.FileName, after islands/file-name.tsx.',
    },
    stylesheet: {
      has: known.hasStylesheet,
      message: 'style sheet',
      remedy: 'Style sheets of pages are called addon.name, after styles/name.page.scss.',
    },
  };
  return uses.flatMap(({ kind, id, addon, file, line }): Problem[] => {
    const where = { addon, file, line };
    if (kind === 'island' || kind === 'stylesheet') {
      const { has, message, remedy } = files[kind];
      return has(id) ? [] : [{ ...where, message: `there is no ${message} "${id}".`, remedy }];
    }
    if (ids[kind].has(id)) return [];
    return [{ ...where, message: `there is no ${kind} "${id}".`, remedy: didYouMean(id, ids[kind]) || undefined }];
  });
}
