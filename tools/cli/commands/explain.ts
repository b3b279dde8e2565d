import type { Command } from '@pergola/core';
import { addonRoots, editDistance } from '@pergola/core';
import { foldersWithErrors, readErrors } from '../../errors/catalogue.ts';

/** Number of suggestions for an unknown code. */
const NEAREST = 3;

export const command: Command = {
  summary: 'Says why an error comes about and what to do; without a code, lists all of them',
  usage: '[<code>]',
  async run({ words: [wanted], io }) {
    const all = foldersWithErrors(addonRoots(process.env.ADDONS_PATH)).flatMap(readErrors);
    if (wanted === undefined) {
      const byAddon = Map.groupBy(all, ({ code }) => code.split('.')[0]);
      for (const [addon, entries] of byAddon)
        io.out([addon, ...entries.map(({ code, cause }) => `  ${code.padEnd(40)} ${cause.split('\n')[0]}`)].join('\n'));
      return 0;
    }
    const found = all.find(({ code }) => code === wanted);
    if (found) {
      io.out(`${found.code}\n\n${found.cause}\n\n→ ${found.cure}`);
      return 0;
    }
    const near = all
      .map(({ code }) => ({
        code,
        far: Math.min(editDistance(wanted, code), editDistance(wanted, code.split('.')[1] ?? '')),
      }))
      .sort((a, b) => a.far - b.far)
      .slice(0, NEAREST);
    io.err(`There is no error "${wanted}". Near it are: ${near.map(({ code }) => code).join(', ')}.`);
    return 1;
  },
};
