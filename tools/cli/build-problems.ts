import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  addonFolders,
  createLog,
  loadConfig,
  openApplication,
  type Problem,
  registerResolve,
  rootCauses,
} from '@pergola/core';
import { parts } from '../parts.ts';

/**
 * Returns everything that would prevent addons from being enabled on a new site: code that can't be loaded, and undefined names in their
 * declarations (views, menus, routes, jobs, blocks, templates, …). Builds them as `enable` does, on an empty database that is deleted
 * afterwards.
 *
 * @param roots folders of addons
 * @param names the addons to build, together with their dependencies; all by default
 */
export async function buildProblems(roots: readonly string[], names?: ReadonlySet<string>): Promise<Problem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pergola-check-'));
  const env = { DATABASE_URL: `sqlite:${join(folder, 'check.db')}`, DATA_DIR: folder, BASE_URL: 'http://localhost' };
  const undo = registerResolve(roots);
  try {
    const log = createLog('silent');
    const application = await openApplication(loadConfig(env, parts), {
      log,
      parts,
      roots,
      install: [],
      trusted: true,
    });
    await using _ = { [Symbol.asyncDispose]: () => application.close() };
    const { discovery, lifecycle } = application;
    await (names ? discovery.load(names) : discovery.loadAll());
    const unloadable = discovery.problems.filter(({ addon }) => names?.has(addon) ?? true);
    const loadable = discovery.addons.map(({ name }) => name).filter((name) => names?.has(name) ?? true);
    if (loadable.length === 0) return rootCauses(unloadable);
    const { problems } = await lifecycle.run('enable', loadable, { dryRun: true });
    return rootCauses([...unloadable, ...problems]);
  } finally {
    undo();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Formats the problems as lines of `pergola check`: `addons/hello/views.ts:9: problem. Fix.`, with paths relative to the current folder.
 */
export async function describeBuildProblems(roots: readonly string[], names?: ReadonlySet<string>): Promise<string[]> {
  const folders = addonFolders(roots);
  return (await buildProblems(roots, names)).map(({ addon, file, line, message, remedy }) => {
    const place = relative('', join(folders.get(addon) ?? addon, file ?? 'addon.ts'));
    return [`${place}${line === undefined ? '' : `:${line}`}: ${message}`, remedy].filter(Boolean).join(' ');
  });
}
