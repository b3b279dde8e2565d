import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Capability,
  type CapabilitySheet,
  capabilityText,
  readSheet,
  sheetDifference,
} from '@pergola/capabilities';
import { addonFolders, addonRoots, type Command, didYouMean, UsageError } from '@pergola/core';

export const command: Command = {
  summary: 'Shows what an addon can do, without running its code',
  usage: '<addon or folder> [--against <folder>] [--json]',
  least: 1,
  options: { json: { type: 'boolean' }, against: { type: 'string' } },
  async run({ words: [target = ''], options: { json, against }, io }) {
    const roots = addonRoots(process.env.ADDONS_PATH);
    const sheet = readSheet(folderOf(target, roots), roots);
    const before = typeof against === 'string' ? readSheet(folderOf(against, roots), roots) : null;
    if (before) {
      const { added, removed } = sheetDifference(before, sheet);
      const { addon, version } = sheet;
      if (json)
        io.out(
          jsonOf({
            addon,
            version,
            against: before.version,
            capabilities: added.map(plain),
            removed: removed.map(plain),
          }),
        );
      else {
        io.out(`${titleOf(sheet)}, compared with ${before.version || 'a version that can’t be read'}`);
        for (const line of [...linesOf('Can also', added), ...linesOf('Can no longer', removed)]) io.out(line);
        if (added.length + removed.length === 0) io.out('\nIt can do the same.');
      }
    } else if (json) io.out(jsonOf({ ...sheet, capabilities: sheet.capabilities.map(plain) }));
    else {
      io.out(titleOf(sheet));
      for (const [risk, title] of titles)
        for (const line of linesOf(
          title,
          sheet.capabilities.filter((each) => each.risk === risk),
        ))
          io.out(line);
    }
    return 0;
  },
};

const jsonOf = (value: object): string => JSON.stringify(value, null, 2);

/** A capability for programs, with its text in English. */
function plain(capability: Capability): object {
  const { kind, risk, where } = capability;
  return { kind, what: capabilityText(capability), risk, where };
}

const titles = [
  ['high', 'Read this first'],
  ['medium', 'Worth knowing'],
  ['low', 'As usual'],
] as const;
/** Places shown for a capability; `--json` has all. */
const MOST_PLACES = 3;

function titleOf({ addon, version }: CapabilitySheet): string {
  return `${addon} ${version}`.trim();
}

function linesOf(title: string, capabilities: readonly Capability[]): string[] {
  if (capabilities.length === 0) return [];
  return [
    `\n${title}`,
    ...capabilities.map((capability) => {
      const { kind, where } = capability;
      const places = where.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
      const rest = where.length - places.length;
      return `  ${kind.padEnd(8)} ${capabilityText(capability)}  (${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
    }),
  ];
}

/** The folder of an addon that is named by its name, its folder, or the folder of its package. */
function folderOf(target: string, roots: readonly string[]): string {
  const addons = addonFolders(roots);
  const known = addons.get(target);
  if (known) return known;
  const folder = resolve(target);
  if (existsSync(folder)) {
    const [packed] = addonFolders([join(folder, 'dist')]).values();
    return ['addon.ts', 'addon.js'].some((file) => existsSync(join(folder, file))) || !packed ? folder : packed;
  }
  const suggestion = didYouMean(target, [...addons.keys()]);
  throw new UsageError(`There is neither an addon nor a folder named “${target}”. ${suggestion}`.trim());
}
