import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Capability,
  type CapabilitySheet,
  capabilityText,
  readSheet,
  sheetDifference,
} from '@pergola/capabilities';
import { addonFolders, addonRoots, type Command, createLog, didYouMean, NotFound, UsageError } from '@pergola/core';
import { storedConsent } from '@pergola/switching';
import { existingSite } from '../existing-site.ts';
import { capabilityLines, sheetLines } from '../sheet-lines.ts';

export const command: Command = {
  summary: 'Shows what an addon can do, without running its code',
  usage: '<addon or folder> [--against <version or folder>] [--json]',
  details: [
    '  --against    shows only the difference to another folder, or to the version that was agreed to on the site when it was enabled',
  ],
  least: 1,
  options: { json: { type: 'boolean' }, against: { type: 'string' } },
  async run({ words: [target = ''], options: { json, against }, io }) {
    const roots = addonRoots(process.env.ADDONS_PATH);
    const sheet = readSheet(folderOf(target, roots), roots);
    const before = typeof against === 'string' ? await sheetToCompare(sheet.addon, against, roots) : null;
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
        for (const line of [...capabilityLines('Can also', added), ...capabilityLines('Can no longer', removed)])
          io.out(line);
        if (added.length + removed.length === 0) io.out('\nIt can do the same.');
      }
    } else if (json) io.out(jsonOf({ ...sheet, capabilities: sheet.capabilities.map(plain) }));
    else {
      io.out(titleOf(sheet));
      for (const line of sheetLines(sheet.capabilities)) io.out(line);
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

function titleOf({ addon, version }: CapabilitySheet): string {
  return `${addon} ${version}`.trim();
}

/** The sheet of a folder, or the one that was agreed to for a version. */
async function sheetToCompare(addon: string, against: string, roots: readonly string[]): Promise<CapabilitySheet> {
  if (!/^\d+\.\d+\.\d+$/.test(against)) return readSheet(folderOf(against, roots), roots);
  const consent = await storedConsent({ ...(await existingSite()), log: createLog('silent') }, addon, against);
  if (consent) return consent;
  throw new NotFound(`No sheet of ${addon} ${against} is stored. It is stored when that version is enabled.`, {
    code: 'core.no_stored_sheet',
  });
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
