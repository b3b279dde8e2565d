import { readdir, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Problem } from '../errors.ts';
import type { LoadedAddon } from '../generation.ts';
import type { Log } from '../log.ts';
import { listAddonFolders, repository } from '../start/alias.ts';
import { checkManifest } from './manifest.ts';
import { problemIn } from './problem-in.ts';

/** Folders beside `addon.ts` whose files are loaded with the addon. */
const partFolders = ['templates', 'islands', 'elements', 'data', 'demo', 'migrations', 'i18n', 'styles'];

/** How long an addon's module may take to load, in ms; a top-level `await` that never ends must not stop the start. */
const loadTimeoutMs = 20_000;

export interface Discovery {
  /** When their code began to be loaded, in ms. */
  readonly since: number;
  /** Addons whose definition loaded and fits, by name. What they need of each other is not yet checked. */
  readonly addons: readonly LoadedAddon[];
  readonly problems: readonly Problem[];
}

/**
 * Reads every addon of these folders (`addonRoots` in core/start makes the list). An addon that cannot be loaded, or whose definition does not
 * fit, is left out with its problems; the others load. Nothing of an addon runs but the loading of its modules.
 */
export async function discover(roots: readonly string[], log: Log): Promise<Discovery> {
  const since = Date.now();
  const addons: LoadedAddon[] = [];
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  for (const folder of listAddonFolders(roots)) {
    const name = basename(folder);
    const first = seen.get(name);
    if (first !== undefined) {
      problems.push(takenTwice(name, first, folder));
      continue;
    }
    seen.set(name, folder);
    const loaded = await load(name, await realpath(folder));
    if ('addon' in loaded) addons.push(loaded.addon);
    else problems.push(...loaded.problems);
    // Loading a module is a slice of work by itself; between two of them requests get their turn.
    await setImmediate();
  }
  for (const problem of problems) log.warn({ addon: problem.addon, problem }, 'An addon cannot be used');
  return { since, addons: addons.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** `folder` is the real path: Node names modules by it, in stacks too. */
async function load(name: string, folder: string): Promise<{ addon: LoadedAddon } | { problems: Problem[] }> {
  const names = await readdir(folder);
  const file = ['addon.ts', 'addon.js'].find((candidate) => names.includes(candidate)) ?? 'addon.ts';
  let exported: unknown;
  try {
    const module: { default?: unknown } = await inTime(import(pathToFileURL(join(folder, file)).href));
    exported = module.default;
  } catch (error) {
    return { problems: [loadProblem(name, folder, file, error)] };
  }
  const { definition, problems } = checkManifest({ folder: name, file, exported });
  if (!definition) return { problems };
  const outside = !`${folder}${sep}`.startsWith(`${repository}${sep}`);
  return { addon: Object.freeze({ name, definition, folder, outside, files: await listFiles(folder, names) }) };
}

async function listFiles(folder: string, names: readonly string[]): Promise<Record<string, readonly string[]>> {
  const present = partFolders.filter((part) => names.includes(part));
  const lists = present.map(async (part) => {
    const entries = await readdir(join(folder, part), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    return [part, Object.freeze(files.map((entry) => entry.name).sort())] as const;
  });
  return Object.freeze(Object.fromEntries(await Promise.all(lists)));
}

function takenTwice(name: string, first: string, second: string): Problem {
  return {
    addon: name,
    message: `there are two addons of this name: ${first} and ${second}. The first one is used.`,
    remedy: 'Rename one of them, or take its folder out of ADDONS_PATH.',
  };
}

async function inTime<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(
      new Error(`the module did not finish loading within ${loadTimeoutMs / 1000} s; it seems to wait for something`),
    );
  }, loadTimeoutMs);
  try {
    return await Promise.race([loading, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function loadProblem(addon: string, folder: string, file: string, error: unknown): Problem {
  const problem = problemIn(error, [{ name: addon, folder }]);
  const message = `cannot be loaded: ${problem.message.split('\n')[0]}`;
  return { file, ...problem, addon, message };
}
