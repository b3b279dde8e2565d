import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtures } from './harness.ts';

/** A folder of addons for one test: copies of fixtures, with these files (by path in the folder) over them. */
export function addonsFolder(copied: readonly string[], files: Readonly<Record<string, string>> = {}): string {
  const root = join(mkdtempSync(join(tmpdir(), 'more-')), 'addons');
  mkdirSync(root);
  for (const name of copied) cpSync(join(fixtures, name), join(root, name), { recursive: true });
  writeFiles(root, files);
  return root;
}

/** Writes files, by path in the folder. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
