import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAddonFolders, repository } from '@pergola/core';

/** An entry of an addon's `errors.md`. */
export interface ErrorEntry {
  readonly code: string;
  /** Line in `errors.md`. */
  readonly line: number;
  /** Why the error occurs. */
  readonly cause: string;
  /** Instructions for fixing it. */
  readonly cure: string;
}

/** The file next to `addon.ts` that explains an addon's error codes; the core and its packages have them too. */
export const ERRORS_FILE = 'errors.md';

/** Folders that may contain one: the core, the packages, and every addon in these roots. */
export function foldersWithErrors(roots: readonly string[]): string[] {
  return [...platformFoldersIn(repository), ...listAddonFolders(roots)];
}

/** The core and the packages of a repository, whose codes all start with `core.`. */
export function platformFoldersIn(root: string): string[] {
  return globSync(['core', 'packages/*'], { cwd: root }).map((folder) => join(root, folder));
}

/** Entries of a folder, or an empty list if it has no `errors.md`. */
export function readErrors(folder: string): ErrorEntry[] {
  const file = join(folder, ERRORS_FILE);
  return existsSync(file) ? parseErrors(readFileSync(file, 'utf8')) : [];
}

/**
 * Parses entries such as:
 *
 * ```md
 * ## forum.too_many_tags
 *
 * A question has more than 5 tags.
 *
 * → Remove the least relevant tags.
 * ```
 */
function parseErrors(text: string): ErrorEntry[] {
  return [...text.matchAll(/^## (\S+)\n((?:(?!## ).*\n?)*)/gm)].map(({ 1: code = '', 2: body = '', index }) => {
    const paragraphs = body.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
    const isCure = (paragraph: string): boolean => paragraph.startsWith('→');
    return {
      code,
      line: text.slice(0, index).split('\n').length,
      cause: paragraphs.filter((paragraph) => paragraph !== '' && !isCure(paragraph)).join('\n'),
      cure: paragraphs
        .filter(isCure)
        .map((paragraph) => paragraph.slice(1).trim())
        .join('\n'),
    };
  });
}
