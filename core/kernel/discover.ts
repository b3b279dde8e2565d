import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CodeFolder,
  isInside,
  type Log,
  listAddonFolders,
  type Problem,
  repository,
  rootCauses,
} from '../base/index.ts';
import type { Addon } from './addon.ts';
import { loadProblem } from './load-problem.ts';
import { manifestCheck } from './manifest.ts';
import { absentDependency } from './order.ts';
import { platformProblem } from './platform.ts';
import type { ContributionPoint } from './point.ts';

/** Time limit for loading an addon's module, in ms, so a top-level `await` that never settles can't block the start. */
const loadTimeoutMs = 20_000;

export interface Discovery {
  /** When loading of their code started, in ms since 1970. */
  readonly since: number;
  /** Addons with a loaded and valid definition, by name. Their dependencies aren't checked yet. */
  readonly addons: readonly Addon[];
  readonly problems: readonly Problem[];
}

/**
 * Reads every addon in these folders (see `addonRoots`). An addon that fails to load or has an invalid definition is reported and left out;
 * the others still load. Only module code runs.
 */
export async function discover(
  roots: readonly string[],
  log: Pick<Log, 'warn'>,
  ownPoints: readonly ContributionPoint[],
): Promise<Discovery> {
  const since = Date.now();
  const loaded: Loaded[] = [];
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  const folders = await Promise.all(
    listAddonFolders(roots).map(async (folder) => ({ name: basename(folder), folder: await realpath(folder) })),
  );
  for (const addon of folders) {
    const { name, folder } = addon;
    const first = seen.get(name);
    if (first !== undefined) {
      problems.push(duplicateName(name, first, folder));
      continue;
    }
    seen.set(name, folder);
    const result = await load(addon, folders);
    if ('exported' in result) loaded.push(result);
    else problems.push(result);
    // Loading a module takes a while; let requests run in between.
    await setImmediate();
  }
  // Any addon may contribute to another addon's points; the dependency is checked when a generation is built.
  const points = [...ownPoints, ...loaded.flatMap(({ exported }) => pointsOf(exported))];
  const check = manifestCheck(points);
  const parts = new Set(points.flatMap(({ options }) => options.folders ?? []));
  const addons: Addon[] = [];
  const present = new Set(folders.map(({ name }) => name));
  const unloaded = new Set(problems.map(({ addon }) => addon));
  for (const { name, folder, file, exported } of loaded) {
    const { definition, problems: faults } = check({ folder: name, path: folder, file, exported });
    problems.push(
      ...(faults.length > 0 ? causesOf(faults, { name, folder, file, exported }, { present, unloaded }) : []),
    );
    const outside = !isInside(repository, folder);
    const misfit = outside ? await platformProblem(name, folder) : null;
    if (misfit) problems.push(misfit);
    else if (definition)
      addons.push(Object.freeze({ name, definition, folder, outside, files: await listFiles(folder, parts) }));
  }
  const causes = rootCauses(problems);
  for (const problem of causes) log.warn({ addon: problem.addon, problem }, 'An addon cannot be used');
  const followers = problems.filter((problem) => !causes.includes(problem)).map(({ addon }) => addon);
  if (followers.length > 0) log.warn({ addons: followers }, 'Addons that need one of these cannot be used either');
  return { since, addons: addons.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** An addon whose module was loaded; its definition isn't checked yet. */
interface Loaded {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly exported: unknown;
}

/** `folder` must be the real path: Node uses it to identify modules, in stack traces too. */
async function load(addon: CodeFolder, folders: readonly CodeFolder[]): Promise<Loaded | Problem> {
  const { name, folder } = addon;
  const names = await readdir(folder);
  const file = ['addon.ts', 'addon.js'].find((candidate) => names.includes(candidate)) ?? 'addon.ts';
  let exported: unknown;
  try {
    const module: { default?: unknown } = await withTimeout(import(pathToFileURL(join(folder, file)).href));
    exported = module.default;
  } catch (error) {
    return loadProblem(addon, file, error, folders);
  }
  return { name, folder, file, exported };
}

/** Problems of a definition. Contributions to a point of a missing or broken addon are blamed on that addon. */
function causesOf(
  faults: readonly Problem[],
  { name, folder, file, exported }: Loaded,
  { present, unloaded }: { readonly present: ReadonlySet<string>; readonly unloaded: ReadonlySet<string> },
): readonly Problem[] {
  const depends = dependsOf(exported);
  const absent = depends.filter((dependency) => !present.has(dependency));
  if (absent.length > 0) return absent.map((dependency) => absentDependency({ name, folder }, dependency, present));
  const broken = depends.find((dependency) => unloaded.has(dependency));
  if (broken === undefined) return faults;
  const message = `is left out because it depends on ${broken}, which cannot be loaded.`;
  return [{ addon: name, file, message, because: broken }];
}

function dependsOf(exported: unknown): readonly string[] {
  const depends: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'depends') : [];
  return Array.isArray(depends) ? depends : [];
}

/** Points declared by a module's export, before any validation. */
function pointsOf(exported: unknown): readonly ContributionPoint[] {
  const points: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'points') : [];
  return Array.isArray(points) ? points.filter((point) => point?.kind === 'point') : [];
}

/** Lists files in the folders of contribution points. */
async function listFiles(
  folder: string,
  parts: ReadonlySet<string>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = await readdir(folder);
  const present = [...parts].filter((part) => names.includes(part));
  const lists = present.map(async (part) => {
    const entries = await readdir(join(folder, part), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
    return [part, Object.freeze(files.map((entry) => entry.name).sort())] as const;
  });
  return Object.freeze(Object.fromEntries(await Promise.all(lists)));
}

function duplicateName(name: string, first: string, second: string): Problem {
  return {
    addon: name,
    message: `there are two addons of this name: ${first} and ${second}. The first one is used.`,
    remedy: 'Rename one of them, or take its folder out of ADDONS_PATH.',
  };
}

async function withTimeout<T>(loading: Promise<T>): Promise<T> {
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
