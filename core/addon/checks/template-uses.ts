import type { Problem } from '../../errors.ts';
import type { LoadedAddon } from '../../generation.ts';
import { didYouMean } from '../../model/build/closest.ts';
import type { TemplateUse } from '../../page/build.ts';

/** Islands, fragments, blocks and groups that templates name, against those there are. */
export function checkTemplateUses(
  addons: readonly LoadedAddon[],
  uses: readonly TemplateUse[],
  known: { readonly groups: ReadonlyMap<string, unknown>; readonly hasIsland: (id: string) => boolean },
): Problem[] {
  const ids = {
    fragment: new Set(addons.flatMap(({ definition }) => (definition.fragments ?? []).map(({ id }) => id))),
    block: new Set(addons.flatMap(({ definition }) => (definition.blocks ?? []).map(({ id }) => id))),
    group: new Set(known.groups.keys()),
  };
  return uses.flatMap(({ kind, id, addon, file, line }): Problem[] => {
    if (kind === 'island') {
      if (known.hasIsland(id)) return [];
      return [
        {
          addon,
          file,
          line,
          message: `there is no island "${id}".`,
          remedy: 'Islands are called addon.FileName, after islands/file-name.tsx.',
        },
      ];
    }
    if (ids[kind].has(id)) return [];
    return [
      { addon, file, line, message: `there is no ${kind} "${id}".`, remedy: didYouMean(id, ids[kind]) || undefined },
    ];
  });
}
