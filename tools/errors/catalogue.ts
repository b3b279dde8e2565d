import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAddonFolders, repository } from '@pergola/core';

/** What an addon's `errors.md` says of one of its error codes. */
export interface ErrorEntry {
  readonly code: string;
  /** In `errors.md`. */
  readonly line: number;
  /** Why it comes about. */
  readonly cause: string;
  /** What to do. */
  readonly cure: string;
}

/** The file beside `addon.ts` that explains an addon's error codes; the core has one too. */
export const ERRORS_FILE = 'errors.md';

/** The folders that may hold one: of the core, and of every addon in these. */
export function foldersWithErrors(roots: readonly string[]): string[] {
  return [join(repository, 'core'), ...listAddonFolders(roots)];
}

/** The entries of a folder; none where there is no such file. */
export function readErrors(folder: string): ErrorEntry[] {
  const file = join(folder, ERRORS_FILE);
  return existsSync(file) ? parseErrors(readFileSync(file, 'utf8')) : [];
}

/**
 * Takes the entries out of a text such as:
 *
 * ```md
 * ## forum.too_many_tags
 *
 * A question has more than 5 tags.
 *
 * → Keep those that fit best.
 * ```
 */
function parseErrors(text: string): ErrorEntry[] {
  return [...text.matchAll(/^## (\S+)\n((?:(?!## ).*\n?)*)/gm)].map(({ 1: code = '', 2: body = '', index }) => {
    const paragraphs = body.split(/\n\s*\n/).map((one) => one.replace(/\s+/g, ' ').trim());
    const isCure = (one: string): boolean => one.startsWith('→');
    return {
      code,
      line: text.slice(0, index).split('\n').length,
      cause: paragraphs.filter((one) => one !== '' && !isCure(one)).join('\n'),
      cure: paragraphs
        .filter(isCure)
        .map((one) => one.slice(1).trim())
        .join('\n'),
    };
  });
}
