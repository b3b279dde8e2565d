import type { Command } from '@pergola/core';
import { addonRoots, editDistance } from '@pergola/core';
import { foldersWithErrors, readErrors } from '../../errors/catalogue.ts';

/** Number of suggestions for an unknown code. */
const NEAREST = 3;

export const command: Command = {
  summary: 'Explains the cause and cure of an error; without a code, lists all errors',
  usage: '[<code>]',
  async run({ words: [query], io }) {
    const all = foldersWithErrors(addonRoots(process.env.ADDONS_PATH)).flatMap(readErrors);
    if (query === undefined) {
      const byAddon = Map.groupBy(all, ({ code }) => code.split('.')[0]);
      for (const [addon, entries] of byAddon) {
        const sorted = entries.toSorted((a, b) => (a.code < b.code ? -1 : 1));
        io.out([addon, ...sorted.map(({ code, cause }) => `  ${code.padEnd(40)} ${cause.split('\n')[0]}`)].join('\n'));
      }
      return 0;
    }
    const entry = all.find(({ code }) => code === query);
    if (entry) {
      io.out(`${entry.code}\n\n${entry.cause}\n\n→ ${entry.cure}`);
      return 0;
    }
    const suggestions = all
      .map(({ code }) => ({
        code,
        far: Math.min(editDistance(query, code), editDistance(query, code.split('.')[1] ?? '')),
      }))
      .sort((a, b) => a.far - b.far)
      .slice(0, NEAREST);
    io.err(`Unknown error "${query}". Similar codes: ${suggestions.map(({ code }) => code).join(', ')}.`);
    return 1;
  },
};
