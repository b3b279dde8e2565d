import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import {
  addonFolderAt,
  addonFolders,
  addonRoots,
  didYouMean,
  isInside,
  reachable,
  repository,
  UsageError,
} from '@pergola/core';
import { dependsOf } from '../testing/addon-closure.ts';

/** Addons that a command works on. */
export interface SelectedAddons {
  /** Folders by addon name. */
  readonly folders: ReadonlyMap<string, string>;
  /** Whether no addon was named in the repository, which selects all of them. */
  readonly isWhole: boolean;
  /** `ADDONS_PATH` including them, and the neighbouring addons they depend on. */
  readonly addonsPath: string;
  /** Folders of the selected addons and all their dependencies: the shipped addons, and each outside addon. */
  readonly roots: readonly string[];
  /** Says which folder is used if `ADDONS_PATH` names another one, or null. */
  readonly note: string | null;
}

type PathWithAddons = Pick<SelectedAddons, 'addonsPath' | 'note'>;

/** Environment of a command. */
export interface Surroundings {
  readonly cwd?: string;
  /** `ADDONS_PATH`, including the current folder (`withCurrentFolder`). */
  readonly addonsPath?: string;
  /** Other valid arguments, for suggestions. */
  readonly otherNames?: readonly string[];
}

const shipped = join(repository, 'addons');

/** Whether the addon in a folder comes with Pergola. */
export function isShipped(folder: string): boolean {
  return dirname(folder) === shipped;
}

/**
 * Selects the addons for a command: the named ones; without arguments, the addon of the current folder or all addons in it, otherwise the
 * addons of `ADDONS_PATH`. In the repository, outside of its addons, all addons are selected.
 *
 * @param words addon names, addon folders, or paths in an addon
 * @throws UsageError if a word matches no addon, nothing is found, or an outside addon has the name of a shipped one
 */
export function selectAddons(
  words: readonly string[],
  { cwd = process.cwd(), addonsPath = process.env.ADDONS_PATH ?? '', otherNames = [] }: Surroundings = {},
): SelectedAddons {
  const knownAddons = addonFolders(addonRoots(addonsPath));
  const namedFolders = words.flatMap((word) => addonsNamed(word, knownAddons, cwd, otherNames));
  const localFolders = words.length === 0 ? addonsAt(cwd) : [];
  const isWhole = words.length === 0 && localFolders.length === 0 && isInside(repository, cwd);
  const outside = [...knownAddons.values()].filter((folder) => !isShipped(folder));
  const folders = isWhole
    ? [...knownAddons.values()]
    : words.length > 0
      ? namedFolders
      : localFolders.length > 0
        ? localFolders
        : outside;
  if (folders.length === 0)
    throw new UsageError(
      `${cwd} is not in an addon, and ADDONS_PATH is empty. Change to an addon’s folder, or name an addon.`,
    );
  for (const folder of folders) {
    const name = basename(folder);
    if (!isShipped(folder) && existsSync(join(shipped, name)))
      throw new UsageError(
        `“${name}” is the name of an addon that comes with Pergola. Rename ${folder}, and the name in its addon.ts.`,
      );
  }
  const selected = new Map(folders.map((folder) => [basename(folder), folder]));
  const path = pathWith(folders, addonsPath);
  return { folders: selected, isWhole, ...path, roots: [shipped, ...outsideNeeded(folders, path.addonsPath)] };
}

/**
 * Puts the addons of the current folder first in `ADDONS_PATH`.
 *
 * @returns the list, and a note about the choice if it differs from `ADDONS_PATH`
 */
export function withCurrentFolder(addonsPath = '', cwd = process.cwd()): PathWithAddons {
  const localFolders = addonsAt(cwd).filter((folder) => !isShipped(folder));
  const knownFolders = new Set([...addonFolders(addonRoots(addonsPath).slice(1)).values()].map(real));
  const added = localFolders.filter((folder) => !knownFolders.has(real(folder)));
  if (added.length === 0) return { addonsPath, note: null };
  const path = pathWith(added, addonsPath);
  if (knownFolders.size === 0 || path.note !== null) return path;
  const names = added.map((folder) => basename(folder)).join(', ');
  return { ...path, note: `${names} is not in ADDONS_PATH: using the current folder (${cwd}).` };
}

/** The addon that contains a folder, or the addons in it; none for the repository as a whole. */
function addonsAt(folder: string): string[] {
  const addon = addonFolderAt(folder);
  if (addon !== null) return [addon];
  return folder === shipped ? [] : [...addonFolders([folder]).values()];
}

function addonsNamed(
  word: string,
  knownAddons: ReadonlyMap<string, string>,
  cwd: string,
  otherNames: readonly string[],
): string[] {
  const path = resolve(cwd, word);
  const pathFolders = existsSync(path) ? [addonFolderAt(path) ?? [...addonFolders([path]).values()]].flat() : [];
  if (pathFolders.length > 0) return pathFolders;
  const addon = addonFolderAt(cwd);
  const neighbour = addon && join(dirname(addon), word);
  const folder = knownAddons.get(word) ?? (neighbour && addonFolderAt(neighbour) === neighbour ? neighbour : undefined);
  if (folder !== undefined) return [folder];
  if (existsSync(path)) throw new UsageError(`${word} is not in an addon: no folder above it has an addon.ts.`);
  if (/[/\\]|\.[a-z]+$/.test(word)) throw new UsageError(`There is no file or folder “${word}” (${path}).`);
  const neighbours = addon ? addonFolders([dirname(addon)]).keys() : [];
  const suggestion = didYouMean(word, [...knownAddons.keys(), ...neighbours, ...otherNames]);
  throw new UsageError(
    `There is no addon “${word}”. ${suggestion || 'Name an addon in addons/ or ADDONS_PATH, or the folder of an outside addon.'}`,
  );
}

/** Puts addons before the others of `ADDONS_PATH`, and appends neighbouring addons that they depend on and that aren't found otherwise. */
function pathWith(folders: readonly string[], addonsPath: string): PathWithAddons {
  const first = new Map(folders.filter((folder) => !isShipped(folder)).map((folder) => [basename(folder), folder]));
  const replaced: string[] = [];
  const entries = addonRoots(addonsPath)
    .slice(1)
    .flatMap((entry) => {
      const conflicting = [...addonFolders([entry])].filter(([name, folder]) => {
        const preferred = first.get(name);
        return preferred !== undefined && real(preferred) !== real(folder);
      });
      replaced.push(...conflicting.map(([, folder]) => folder));
      const remaining = [...addonFolders([entry]).values()].filter((folder) => !replaced.includes(folder));
      return conflicting.length > 0 ? remaining : [entry];
    });
  const knownAddons = addonFolders([shipped, ...first.values(), ...entries]);
  const entryFolders = new Set([...addonFolders(entries).values()].map(real));
  const addedFolders = [...first.values()].filter((folder) => !entryFolders.has(real(folder)));
  const path = [...addedFolders, ...entries, ...neighboursNeeded([...first.values()], knownAddons)];
  const notes = replaced.map(
    (folder) => `${basename(folder)} is used from ${first.get(basename(folder))}, not from ${folder}.`,
  );
  return { addonsPath: path.join(delimiter), note: notes.length > 0 ? notes.join('\n') : null };
}

/** Addons outside the repository among these and their dependencies. */
function outsideNeeded(folders: readonly string[], addonsPath: string): string[] {
  const knownAddons = addonFolders(addonRoots(addonsPath));
  const neededFolders = reachable(folders, (folder) =>
    dependsOf(folder).flatMap((name) => knownAddons.get(name) ?? []),
  );
  return [...neededFolders].filter((folder) => !isShipped(folder));
}

/** Neighbouring addons that these depend on and that aren't known otherwise. */
function neighboursNeeded(folders: readonly string[], knownAddons: ReadonlyMap<string, string>): string[] {
  const neighbours = (folder: string): string[] =>
    dependsOf(folder)
      .filter((name) => !knownAddons.has(name))
      .map((name) => join(dirname(folder), name))
      .filter((neighbour) => addonFolderAt(neighbour) === neighbour);
  return [...reachable(folders, neighbours)].slice(folders.length);
}

function real(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
