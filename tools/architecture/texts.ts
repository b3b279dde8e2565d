import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { markAlike, readCatalog } from '../../core/i18n/po.ts';
import { collectMessages } from '../texts/extract.ts';
import type { Violation } from './problem.ts';

/**
 * Translations that a browser never gets: an addon's code there shows the text, and no catalogue of the addon marks it (`#. browser`), so the source
 * text stands on pages of every other language.
 */
export async function checkTexts(root: string, addons: ReadonlyMap<string, string>): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [addon, addonDir] of [['core', join(root, 'core')] as const, ...addons]) {
    if (!existsSync(join(addonDir, 'i18n'))) continue;
    const { catalogs } = await readCatalog(addonDir, addon);
    const messages = await collectMessages({ addonDir });
    const shown = new Set(messages.flatMap(({ id, browser }) => (browser ? [id] : [])));
    for (const { file, entries } of markAlike(catalogs)) {
      for (const { id, line, browser } of entries.values()) {
        if (browser || !shown.has(id)) continue;
        found.push({
          rule: 'browser-text-unmarked',
          file: relative(root, join(addonDir, file)),
          line,
          message: `"${id}" is shown by code in the browser, which does not get this translation.`,
          remedy: `Run "pergola i18n extract ${addon}", or write "#. browser" above it.`,
        });
      }
    }
  }
  return found;
}
