import { readdir, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { isInside, type Log, listAddonFolders, type Problem, repository, rootCauses } from '../base/index.ts';
import type { Addon, ListedAddon } from './addon.ts';
import { AddonLoader, type DefinitionFile } from './loader.ts';
import { checkManifest } from './manifest.ts';
import { platformProblem } from './platform.ts';
import type { ContributionPoint } from './point.ts';
import { readManifest } from './read-manifest.ts';

/** Addons on this machine. */
export interface Discovery {
  /** When reading of their files started, in ms since 1970. */
  readonly since: number;
  /** Addons with a valid definition, as far as it was read, by name. Their dependencies aren't checked yet. */
  readonly addons: readonly ListedAddon[];
  /** Addons with loaded code. */
  readonly loaded: readonly Addon[];
  readonly problems: readonly Problem[];
  /**
   * Loads the code of addons and of those they depend on, each once. An addon that fails to load or has an invalid definition moves from
   * `addons` to `problems`; the others still load. Only module code runs.
   *
   * @param except isn't loaded, nor are addons that depend on it
   */
  load(names: Iterable<string>, except?: ReadonlySet<string>): Promise<void>;
  /** Loads the code of all addons, even broken ones, so that tools can report every problem. */
  loadAll(): Promise<void>;
}

/**
 * Reads the manifest of every addon in these folders (see `addonRoots`), without running their code. An invalid one is reported and left
 * out.
 *
 * @param ownPoints contribution points of the platform
 */
export async function discover(
  roots: readonly string[],
  log: Pick<Log, 'warn'>,
  ownPoints: readonly ContributionPoint[],
): Promise<Discovery> {
  const since = Date.now();
  const problems: Problem[] = [];
  const files = new Map<string, DefinitionFile>();
  for (const path of listAddonFolders(roots)) {
    const name = basename(path);
    // Node identifies modules by their real path, in stack traces too.
    const folder = await realpath(path);
    const first = files.get(name);
    if (first) problems.push(duplicateName(name, first.folder, folder));
    else files.set(name, { name, folder, file: await definitionIn(folder) });
  }
  const addons: ListedAddon[] = [];
  for (const file of files.values()) {
    const read = await readAddon(file);
    if ('definition' in read) addons.push(read);
    else problems.push(...read);
  }
  logProblems(log, problems);
  return new AddonLoader({ since, addons, problems, files, ownPoints, onProblems: (list) => logProblems(log, list) });
}

/** Returns the addon as its manifest describes it, or the problems of the manifest. */
async function readAddon({ name, folder, file }: DefinitionFile): Promise<ListedAddon | readonly Problem[]> {
  const { values, faults } = readManifest(folder, file);
  if (faults.length > 0) return faults.map((fault) => ({ addon: name, file, ...fault }));
  const { definition, problems } = checkManifest({ folder: name, path: folder, file, exported: values });
  if (!definition) return problems;
  const outside = !isInside(repository, folder);
  const misfit = outside ? await platformProblem(name, folder) : null;
  if (misfit) return [misfit];
  return Object.freeze({ name, definition: Object.freeze(definition), folder, outside });
}

async function definitionIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  return ['addon.ts', 'addon.js'].find((candidate) => names.includes(candidate)) ?? 'addon.ts';
}

function logProblems(log: Pick<Log, 'warn'>, problems: readonly Problem[]): void {
  const causes = rootCauses(problems);
  for (const problem of causes) log.warn({ addon: problem.addon, problem }, 'An addon cannot be used');
  const followers = problems.filter((problem) => !causes.includes(problem)).map(({ addon }) => addon);
  if (followers.length > 0) log.warn({ addons: followers }, 'Addons that need one of these cannot be used either');
}

function duplicateName(name: string, first: string, second: string): Problem {
  return {
    addon: name,
    message: `there are two addons of this name: ${first} and ${second}. The first one is used.`,
    remedy: 'Rename one of them, or take its folder out of ADDONS_PATH.',
  };
}
