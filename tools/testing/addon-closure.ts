import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { addonFolders, addonRoots, repository } from '../../core/base/addon-folders.ts';

/**
 * These addons and what they depend on, name to folder, each after what it needs. Read from the text of their `addon.ts`, so that nothing else is
 * imported.
 */
export function addonsWithNeeds(names: readonly string[], roots: readonly string[] = []): Map<string, string> {
  const known = addonFolders([
    ...addonRoots(process.env.ADDONS_PATH),
    path.join(repository, 'tools/testing/fixtures'),
    ...roots,
  ]);
  const found = new Map<string, string>();
  const visiting = new Set<string>();
  const visit = (name: string): void => {
    const folder = known.get(name);
    // A circle or a missing addon is for the core to report.
    if (!folder || visiting.has(name)) return;
    visiting.add(name);
    for (const needed of dependsOf(folder)) visit(needed);
    found.set(name, folder);
  };
  for (const name of names) {
    if (!known.has(name)) throw new Error(`There is no addon "${name}".`);
    visit(name);
  }
  return found;
}

function dependsOf(folder: string): string[] {
  const file = ['addon.ts', 'addon.js'].map((name) => path.join(folder, name)).find((name) => existsSync(name)) ?? '';
  const source = readFileSync(file, 'utf8');
  const list = /\bdepends:\s*\[([^\]]*)\]/.exec(source)?.[1] ?? '';
  return [...list.matchAll(/['"]([a-z0-9_]+)['"]/g)].map(([, name = '']) => name);
}
