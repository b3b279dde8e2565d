import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { broughtPackages } from './packages.ts';

/** Folders that don't decide what an addon can do. Packages are found by their names. */
const skippedFolders: readonly string[] = ['node_modules', '.git', '.build'];

/** Digest of everything that the sheet of an addon is derived from: as long as it stays the same, the addon can do the same. */
export function codeDigest(folder: string): string {
  const hash = createHash('sha256').update(basename(folder));
  for (const place of [folder, ...broughtPackages(folder)])
    for (const path of listFiles(place)) {
      const content = lstatSync(path).isSymbolicLink() ? linkContent(path) : readFileSync(path);
      hash.update(`\0${relative(folder, path)}\0${content.length}\0`).update(content);
    }
  return hash.digest('hex');
}

function linkContent(path: string): Buffer {
  const target = Buffer.from(readlinkSync(path));
  return existsSync(path) && lstatSync(path).isFile() ? Buffer.concat([target, readFileSync(path)]) : target;
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (skippedFolders.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
