import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';

/** The folder of Pergola itself: `core/` and the shipped `addons/` are in it. */
export const repository: string = resolve(import.meta.dirname, '../..');

const extensions = ['.ts', '.js'];

/**
 * The folders in which addons are looked for: the shipped ones first, then the entries of `ADDONS_PATH` (separated as `PATH` is, relative ones
 * from the current folder). Each is a folder of addons, or an addon itself.
 */
export function addonRoots(addonsPath: string = ''): string[] {
  const outside = addonsPath.split(delimiter).map((entry) => entry.trim());
  return [join(repository, 'addons'), ...outside.filter((entry) => entry !== '').map((entry) => resolve(entry))];
}

/**
 * The addons found in these roots, name (the folder's) to folder. Where two roots hold the same name the first one counts, as in
 * `resolveAlias`. A root that does not exist holds nothing.
 */
export function addonFolders(roots: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of listAddonFolders(roots)) {
    if (!found.has(basename(folder))) found.set(basename(folder), folder);
  }
  return found;
}

/** Every addon's folder in these roots, in their order, names that are there twice included. */
export function listAddonFolders(roots: readonly string[]): string[] {
  const folders = roots.flatMap((root) => (isAddon(root) ? [root] : subfolders(root).filter(isAddon)));
  return [...new Set(folders)];
}

/**
 * The file that one of the project's own specifiers stands for, or null: for any other specifier, and when no root holds that addon. Node
 * (`registerResolve`), jest and esbuild all ask here, so a name means the same file everywhere.
 *
 * ```ts
 * resolveAlias('#core', roots); //                   …/core/index.ts
 * resolveAlias('#addons/forum/browser', roots); //   …/addons/forum/browser.ts
 * ```
 */
export function resolveAlias(specifier: string, roots: readonly string[]): string | null {
  if (!specifier.startsWith('#')) return null;
  const [scope, ...path] = specifier.slice(1).split('/');
  if (scope === 'core') {
    const file = coreFaces[path.join('/')];
    return file === undefined ? null : firstFile(join(repository, 'core'), file);
  }
  if (scope !== 'addons') return null;
  const [name, face = 'index', ...rest] = path;
  if (!name || rest.length > 0 || (path.length > 1 && !/^(browser|kit(-[a-z]+)?)$/.test(face))) return null;
  for (const root of roots) {
    const file = firstFile(isAddon(root) && basename(root) === name ? root : join(root, name), face);
    if (file !== null) return file;
  }
  return null;
}

/** What may be imported of the core: specifier after `#core/` to file. */
const coreFaces: Readonly<Record<string, string>> = Object.freeze({
  '': 'index',
  orm: 'orm',
  http: 'http',
  pages: 'pages',
  mail: 'mail',
  kernel: 'kernel',
  browser: 'browser',
  islands: 'islands',
  html: 'html',
  testing: '../tools/testing/index',
  'testing/in-french': '../tools/testing/in-french',
});

function isAddon(folder: string): boolean {
  return extensions.some((extension) => existsSync(join(folder, `addon${extension}`)));
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return names
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
}

/** Real paths, because Node loads a module once per real path: a linked addon must not be there twice. */
function firstFile(folder: string, name: string): string | null {
  const file = extensions.map((extension) => join(folder, name + extension)).find((path) => existsSync(path));
  return file === undefined ? null : realpathSync(file);
}
