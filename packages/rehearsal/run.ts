import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import {
  addonRoots,
  type Config,
  createLog,
  isInside,
  listAddonFolders,
  readManifest,
  repository,
} from '@pergola/core';
import { copyDatabase, openDatabase } from '@pergola/db';
import { keptCode } from './kept-code.ts';
import { compareSides, type RehearsalOptions } from './rehearse.ts';
import type { SideSetup } from './side-process.ts';
import type { Rehearsal, Side } from './types.ts';

export interface SiteRehearsalOptions extends Omit<RehearsalOptions, 'before' | 'after'> {
  /** Configuration of the live site, of which nothing is changed. */
  readonly config: Config;
  /** Folders of addons; default as configured. */
  readonly roots?: readonly string[];
  /** Folders of the previous code of addons, used for the site as it is. Otherwise the code that the site has kept. */
  readonly previousCode?: readonly string[];
  /** Opens a copy of the site with the addons in these roots. */
  readonly open: (setup: SideSetup & { readonly roots: readonly string[] }) => Promise<Side>;
}

/** Copies a site twice, changes one of the copies, and reports the differences. Deletes the copies. */
export async function rehearseSwitch(options: SiteRehearsalOptions): Promise<Rehearsal> {
  const {
    config,
    roots = addonRoots(config.addonsPath.join(delimiter)),
    previousCode = [],
    open,
    action,
    ...rehearsal
  } = options;
  const log = createLog('warn');
  const folder = await mkdtemp(join(tmpdir(), 'pergola-rehearsal-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 3 })];
  try {
    const copy = await copyDatabase({ url: config.databaseUrl, log });
    undo.unshift(() => copy.remove());
    const versions = await detach(copy.url);
    const second = await copyDatabase({ url: copy.url, log });
    undo.unshift(() => second.remove());
    const codeFolder = join(folder, 'code');
    const oldRoots = await previousRoots({ roots, versions, previousCode, codeFolder, dataDir: config.dataDir });
    // Other actions load no code, even if newer one waits on the disk.
    const newRoots = action === 'enable' || action === 'upgrade' ? roots : oldRoots;
    const sides = await Promise.allSettled(
      [
        { name: 'before', databaseUrl: copy.url, roots: oldRoots },
        { name: 'after', databaseUrl: second.url, roots: newRoots },
      ].map(async ({ name, ...setup }) => {
        const data = join(folder, name);
        await mkdir(data);
        const side = await open({ ...setup, folder: data });
        undo.unshift(() => side.close());
        return side;
      }),
    );
    const [before, after] = sides.map((side) => {
      if (side.status === 'rejected') throw side.reason;
      return side.value;
    });
    if (!before || !after) throw new Error('A side is missing.');
    return await compareSides({ ...rehearsal, action, before, after });
  } finally {
    for (const step of undo)
      await step().catch((error: unknown) => log.warn({ err: error }, 'A copy of the site could not be deleted'));
  }
}

/**
 * Removes the state of the live site's processes from a copy of its database, so that nothing waits for them. Returns the versions
 * of the enabled addons.
 */
async function detach(url: string): Promise<ReadonlyMap<string, string>> {
  const copy = await openDatabase({ url, log: createLog('silent') });
  try {
    await copy.write(async (transaction) => {
      for (const table of ['core_node', 'core_lease'])
        await transaction.query({ sql: `delete from ${table}`, bindings: [] });
    });
    const sql = "select name, version from ir_module where state = 'enabled'";
    const { rows } = await copy.reader.query({ sql, bindings: [] });
    return new Map(rows.map(({ name, version }) => [String(name), String(version)]));
  } finally {
    await copy.close();
  }
}

interface PreviousCode {
  readonly roots: readonly string[];
  /** Versions of the enabled addons. */
  readonly versions: ReadonlyMap<string, string>;
  readonly previousCode: readonly string[];
  /** Folder for copies of the code, next to the packages it needs. */
  readonly codeFolder: string;
  readonly dataDir: string;
}

/** The roots, with the enabled versions of addons in place of newer ones. */
async function previousRoots({ roots, versions, previousCode, codeFolder, dataDir }: PreviousCode): Promise<string[]> {
  const shipped = join(repository, 'addons');
  const givenFolders = new Map(listAddonFolders(previousCode).map((path) => [basename(path), path]));
  const outside = listAddonFolders(roots).filter((path) => !isInside(shipped, path));
  const replaced = outside.map(async (path) => {
    const name = basename(path);
    const version = versions.get(name);
    const source = givenFolders.get(name) ?? (version === undefined ? null : keptCode(dataDir, name, version));
    if (source === null || (!givenFolders.has(name) && versionIn(path) === version)) return path;
    if (!existsSync(source)) return path;
    const target = join(codeFolder, name);
    await cp(source, target, { recursive: true });
    const packages = join(path, 'node_modules');
    if (existsSync(packages)) await symlink(packages, join(target, 'node_modules'), 'dir');
    return target;
  });
  return [...roots.filter((root) => isInside(shipped, root)), ...(await Promise.all(replaced))];
}

function versionIn(folder: string): unknown {
  const file = existsSync(join(folder, 'addon.ts')) ? 'addon.ts' : 'addon.js';
  return readManifest(folder, file).values.version;
}
