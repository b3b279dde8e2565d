import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '@pergola/core';

const folder = path.join(repository, 'docs/tables');

/** Generated pages that are also committed, to be readable without building the site. */
const committedPages: readonly string[] = ['field-types', 'template-helpers', 'templates-to-build-with', 'view-types'];

/** File of a committed page; null for pages that only exist on the site. */
export function keptFile(name: string): string | null {
  return committedPages.includes(name) ? path.join(folder, `${name}.md`) : null;
}

/** Writes the committed pages to `docs/tables`. */
export function writeTables(pages: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of pages) {
    const file = keptFile(name);
    if (file) writeFileSync(file, `${text}\n`);
  }
}

/** Returns the names of committed pages that are out of date. */
export function outdatedTables(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([name, text]) => {
    const file = keptFile(name);
    if (!file || contentOf(file) === `${text}\n`) return [];
    return [`${path.relative(repository, file)} is out of date: npm run docs -- --tables`];
  });
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
