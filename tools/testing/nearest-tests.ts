import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The part that a file belongs to: `packages/db` for `packages/db/sqlite/writer.ts`. */
export const partOf = (file: string): string => file.split('/').slice(0, 2).join('/');

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/**
 * Returns the tests in a file's part that reach it through the fewest imports, or the file itself if it is a test. Browser tests are only
 * included if no other test is as near.
 *
 * @param root base folder of the paths
 * @param file a changed file, with slashes
 * @returns paths relative to `root`; empty if no test of the part imports the file
 */
export function nearestTests(root: string, file: string): string[] {
  if (isTest(file)) return existsSync(join(root, file)) ? [file] : [];
  const importers = importersIn(root, partOf(file));
  const seen = new Set([file]);
  for (let level = [file]; level.length > 0; ) {
    level = [...new Set(level.flatMap((imported) => importers.get(imported) ?? []))].filter((name) => !seen.has(name));
    for (const name of level) seen.add(name);
    const tests = level.filter(isTest);
    const quick = tests.filter(
      (test) => !/\bwithBrowser\b|\bstartBrowser\b/.test(readFileSync(join(root, test), 'utf8')),
    );
    if (tests.length > 0) return (quick.length > 0 ? quick : tests).sort();
  }
  return [];
}

/** Importers of each file within a part. */
function importersIn(root: string, part: string): Map<string, string[]> {
  const files = globSync(`${part}/**/*.{ts,tsx}`, { cwd: root, exclude: (name) => name === 'node_modules' });
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, path = ''] of source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}
