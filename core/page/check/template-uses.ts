import { didYouMean, type Problem } from '../../base/index.ts';
import type { TemplateUse } from '../build.ts';

/** Islands, style sheets, fragments, blocks and groups that templates name, against those there are. */
export function checkTemplateUses(
  uses: readonly TemplateUse[],
  known: Readonly<Record<'block' | 'fragment' | 'group', ReadonlyMap<string, unknown>>> & {
    readonly hasIsland: (id: string) => boolean;
    readonly hasStylesheet: (id: string) => boolean;
  },
): Problem[] {
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
    if (known[kind].has(id)) return [];
    const remedy = didYouMean(id, known[kind].keys()) || undefined;
    return [{ ...where, message: `there is no ${kind} "${id}".`, remedy }];
  });
}
