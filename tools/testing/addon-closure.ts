import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { absentDependency, addonFolders, addonRoots, BrokenAddons, didYouMean, repository } from '@pergola/core';

/**
 * Returns these addons and their dependencies, folder by name, dependencies first. Reads the text of each `addon.ts` instead of importing
 * it.
 *
 * @throws BrokenAddons if a dependency isn't in any of the folders
 */
export function addonsWithNeeds(names: readonly string[], roots: readonly string[] = []): Map<string, string> {
  const knownAddons = addonFolders([
    ...addonRoots(process.env.ADDONS_PATH),
    path.join(repository, 'tools/testing/fixtures'),
    ...roots,
  ]);
  const sorted = new Map<string, string>();
  const visiting = new Set<string>();
  const visit = (name: string): void => {
    const folder = knownAddons.get(name) ?? '';
    // The core reports circular dependencies.
    if (visiting.has(name)) return;
    visiting.add(name);
    const depends = dependsOf(folder);
    // Reported here with suggestions: the core only gets the folders of this set and couldn't suggest others.
    const absent = depends.filter((dependency) => !knownAddons.has(dependency));
    if (absent.length > 0)
      throw new BrokenAddons(
        absent.map((dependency) => absentDependency({ name, folder }, dependency, knownAddons.keys())),
      );
    for (const dependency of depends) visit(dependency);
    sorted.set(name, folder);
  };
  for (const name of names) {
    if (!knownAddons.has(name))
      throw new Error(`There is no addon "${name}". ${didYouMean(name, knownAddons.keys())}`.trim());
    visit(name);
  }
  return sorted;
}

/** Dependencies in the `addon.ts` or `addon.js` of a folder, read from its text, which may have errors. */
export function dependsOf(folder: string): string[] {
  const file = ['addon.ts', 'addon.js'].map((name) => path.join(folder, name)).find((name) => existsSync(name)) ?? '';
  const source = readFileSync(file, 'utf8');
  const list = /\bdepends:\s*\[([^\]]*)\]/.exec(source)?.[1] ?? '';
  return [...list.matchAll(/['"]([a-z0-9_]+)['"]/g)].map(([, name = '']) => name);
}
