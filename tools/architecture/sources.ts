import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { addonFolders, isInside } from '@pergola/core';
import { type Facts, readFacts } from './parse.ts';
import type { Violation } from './problem.ts';

/** A source file of the core or of an addon. */
export interface Source {
  readonly path: string;
  /** relative to the checked folder, with `/` */
  readonly file: string;
  /** relative to its addon or to `core/`, so that rules apply wherever the addon is */
  readonly inside: string;
  /** the addon it belongs to; null for the core */
  readonly addon: Addon | null;
  readonly isTest: boolean;
  /** Whether it is browser code: an island, an element, or the part of an addon or of the core that browsers import. */
  readonly isBrowser: boolean;
  /** Whether it runs in browsers only; islands also run on the server. */
  readonly isPageOnly: boolean;
  readonly lines: readonly string[];
  /** Parsed on first access: checking an outside addon needs few files of others. */
  readonly facts: Facts;
}

interface Addon {
  readonly name: string;
  readonly folder: string;
}

/** Input of the checks. */
export interface Sources {
  readonly root: string;
  readonly files: ReadonlyMap<string, Source>;
  /** Files to check; the others are only for reference. */
  readonly checked: readonly Source[];
  readonly addons: readonly Addon[];
  /** Whether a folder is to be checked. */
  readonly isChecked: (folder: string) => boolean;
  /** checked files that couldn't be parsed */
  readonly problems: readonly Violation[];
}

/**
 * Reads the sources of `core/`, `packages/` and `tools/`, of the addons in these roots, of the fixture addons, and `server.ts`. Skips style
 * sheets, templates and downloadable files.
 *
 * @param folders limits the check to these folders; all by default
 */
export function readSources(
  root: string,
  roots: readonly string[],
  folders: readonly string[] = [root, ...roots],
): Sources {
  const fixtures = join(root, 'tools/testing/fixtures');
  const addons = [...addonFolders([...roots, fixtures])].map(([name, folder]) => ({ name, folder }));
  const platformFolders = ['core', 'packages', 'tools'].map((folder) => join(root, folder));
  const paths = new Set([...platformFolders, ...addons.map(({ folder }) => folder)].flatMap(listSources));
  if (existsSync(join(root, 'server.ts'))) paths.add(join(root, 'server.ts'));

  const files = new Map<string, Source>();
  const unread = new Map<string, Violation>();
  for (const path of [...paths].sort()) {
    const file = relative(root, path).split(sep).join('/');
    const addon = addons.find(({ folder }) => isInside(folder, path)) ?? null;
    // Paths in packages start with the package's name.
    const inside = addon ? relative(addon.folder, path).split(sep).join('/') : file.replace(/^(core|packages)\//, '');
    const isTest = /(^|\/)tests\/|\.test\.tsx?$/.test(inside);
    const isPageOnly =
      addon === null
        ? /^(tools\/dev\/)?browser\/(?!react\/|islands\.ts)/.test(inside)
        : /(^|\/)behaviours\//.test(inside);
    const isIsland = (addon ? /(^|\/)(islands|kit)\// : /^browser\/react\//).test(inside) && !isProps(path);
    const isBrowser =
      !isTest &&
      (isPageOnly ||
        isIsland ||
        /^(browser|kit(-[a-z]+)?|islands|browser\/islands|pergola\/(html|browser|islands|zones))\.tsx?$/.test(inside));
    const text = once(() => readFileSync(path, 'utf8'));
    const facts = once(() => {
      try {
        return readFacts(text(), path.endsWith('x'));
      } catch (error) {
        unread.set(path, parseViolation(file, error));
        return readFacts('', false);
      }
    });
    files.set(path, {
      ...{ path, file, inside, addon, isTest, isBrowser, isPageOnly },
      get lines() {
        return text().split('\n');
      },
      get facts() {
        return facts();
      },
    });
  }
  const isChecked = (path: string): boolean => folders.some((folder) => isInside(folder, path));
  const checked = [...files.values()].filter(
    (source) => isChecked(source.path) && source.facts && !unread.has(source.path),
  );
  return { root, files, checked, isChecked, addons, problems: [...unread.values()] };
}

function once<T>(make: () => T): () => T {
  let cache: { readonly value: T } | undefined;
  return () => {
    cache ??= { value: make() };
    return cache.value;
  };
}

function listSources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const skipped = entry.name.startsWith('.') || ['node_modules', 'static', 'var'].includes(entry.name);
      return skipped ? [] : listSources(path);
    }
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function parseViolation(file: string, error: unknown): Violation {
  // On a terminal, swc draws the message with other characters and colours.
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const line = Number(/[,╭][-─]\[(\d+):/.exec(text)?.[1] ?? 1);
  const [first = ''] = text.trim().split('\n');
  return {
    rule: 'unreadable',
    file,
    line,
    message: `This is not valid TypeScript: ${first.replace(/^[x×] /, '')}.`,
    remedy: 'Fix it; the rest of the file was not checked.',
  };
}

/** The source file that a relative specifier resolves to, whether it exists or not. */
export function target(from: Source, specifier: string): string {
  return join(dirname(from.path), specifier);
}

/** Whether a file contains a props schema, such as `islands/vote.props.ts`. */
export function isProps(path: string): boolean {
  return basename(path).endsWith('.props.ts');
}
