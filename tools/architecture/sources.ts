import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { addonFolders } from '../../core/base/addon-folders.ts';
import { type Facts, readFacts } from './parse.ts';
import type { Violation } from './problem.ts';

/** A source file of the core or of an addon. */
export interface Source {
  readonly path: string;
  /** as seen from the folder that is checked, with `/` */
  readonly file: string;
  /** the addon that it belongs to; null: the core */
  readonly addon: Addon | null;
  readonly isTest: boolean;
  /** Whether it is written for the browser: an island, an element, or the part of an addon (or of the core) that browsers import. */
  readonly isBrowser: boolean;
  /** Whether it runs in browsers only; islands run on the server, too. */
  readonly isPageOnly: boolean;
  readonly lines: readonly string[];
  readonly facts: Facts;
}

interface Addon {
  readonly name: string;
  readonly folder: string;
}

/** All that is checked. */
export interface Sources {
  readonly root: string;
  readonly files: ReadonlyMap<string, Source>;
  readonly addons: readonly Addon[];
  /** files that could not be read */
  readonly problems: readonly Violation[];
}

/**
 * Reads the sources of `core/` and `tools/`, of the addons in these roots, and of the fixture addons; `server.ts`, too. Style sheets, templates and files
 * for download are none.
 */
export function readSources(root: string, roots: readonly string[]): Sources {
  const fixtures = join(root, 'tools/testing/fixtures');
  const addons = [...addonFolders([...roots, fixtures])].map(([name, folder]) => ({ name, folder }));
  const own = ['core', 'tools'].map((folder) => join(root, folder));
  const paths = new Set([...own, ...addons.map(({ folder }) => folder)].flatMap(listSources));
  if (existsSync(join(root, 'server.ts'))) paths.add(join(root, 'server.ts'));

  const files = new Map<string, Source>();
  const problems: Violation[] = [];
  for (const path of [...paths].sort()) {
    const file = relative(root, path).split(sep).join('/');
    const text = readFileSync(path, 'utf8');
    try {
      const addon = addons.find(({ folder }) => path.startsWith(folder + sep)) ?? null;
      const inside = relative(addon?.folder ?? join(root, 'core'), path)
        .split(sep)
        .join('/');
      const isTest = /(^|\/)tests\/|\.test\.tsx?$/.test(inside);
      const isPageOnly =
        addon === null ? /^(\.\.\/tools\/dev\/)?browser\/(?!react\/)/.test(inside) : /(^|\/)behaviours\//.test(inside);
      const isIsland =
        (/(^|\/)(islands|kit)\//.test(inside) || (addon === null && /^browser\/react\//.test(inside))) &&
        !isProps(path);
      const isBrowser = !isTest && (isPageOnly || isIsland || /^(browser|kit(-[a-z]+)?|islands)\.tsx?$/.test(inside));
      const facts = readFacts(text, path.endsWith('x'));
      files.set(path, { path, file, addon, isTest, isBrowser, isPageOnly, lines: text.split('\n'), facts });
    } catch (error) {
      problems.push(unreadable(file, error));
    }
  }
  return { root, files, addons, problems };
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

function unreadable(file: string, error: unknown): Violation {
  const text = error instanceof Error ? error.message : String(error);
  const line = Number(/,-\[(\d+):/.exec(text)?.[1] ?? 1);
  const [first = ''] = text.trim().split('\n');
  return {
    rule: 'unreadable',
    file,
    line,
    message: `This is no TypeScript: ${first.replace(/^x /, '')}.`,
    remedy: 'Correct it; the rest of the file was not checked.',
  };
}

/** The file of the sources that a relative specifier means, or where it would be. */
export function target(from: Source, specifier: string): string {
  return join(dirname(from.path), specifier);
}

/** `islands/vote.props.ts` and its like. */
export function isProps(path: string): boolean {
  return basename(path).endsWith('.props.ts');
}
