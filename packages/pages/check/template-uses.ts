import { didYouMean, type Problem } from '@pergola/core';
import type { z } from 'zod';
import type { TemplateUse } from '../build.ts';
import type { BlockDefinition } from '../define.ts';
import { valueFaults } from './written-values.ts';

/**
 * Checks the islands, style sheets, fragments, blocks and groups that templates reference, and the values they pass to islands and blocks.
 */
export function checkTemplateUses(
  uses: readonly TemplateUse[],
  available: Readonly<Record<'fragment' | 'group', ReadonlyMap<string, unknown>>> & {
    readonly block: ReadonlyMap<string, BlockDefinition>;
    readonly propsOf: (island: string) => z.ZodType | undefined;
    readonly islands: readonly string[];
    readonly stylesheets: readonly string[];
  },
): Problem[] {
  const files = {
    island: {
      ids: available.islands,
      message: 'island',
      remedy: 'Islands are called addon.FileName, after islands/file-name.tsx.',
    },
    stylesheet: {
      ids: available.stylesheets,
      message: 'style sheet',
      remedy: 'Style sheets of pages are called addon.name, after styles/name.page.scss.',
    },
  };
  return uses.flatMap(({ kind, id, values, addon, file, line }): Problem[] => {
    const where = { addon, file, line };
    const wrongValues = (schema: z.ZodType | undefined, isComplete: boolean): Problem[] =>
      valueFaults(schema, values ?? [], isComplete && values !== undefined).map(({ message, remedy }) => ({
        ...where,
        message: `${kind} "${id}" ${message}`,
        remedy,
      }));
    if (kind === 'island' || kind === 'stylesheet') {
      const { ids, message, remedy } = files[kind];
      if (ids.includes(id)) return kind === 'island' ? wrongValues(available.propsOf(id), true) : [];
      return [{ ...where, message: `there is no ${message} "${id}".`, remedy: didYouMean(id, ids) || remedy }];
    }
    if (available[kind].has(id)) return kind === 'block' ? wrongValues(available.block.get(id)?.options, false) : [];
    const remedy = didYouMean(id, available[kind].keys()) || undefined;
    return [{ ...where, message: `there is no ${kind} "${id}".`, remedy }];
  });
}
