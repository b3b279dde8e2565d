import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The folder of Pergola itself: `core/`, `packages/` and the shipped `addons/` are in it. */
export const repository: string = resolve(import.meta.dirname, '../..');

/** Where the code of the platform lies, each with a separator at its end. */
export const platformFolders: readonly string[] = ['core', 'packages'].map((name) => join(repository, name) + sep);

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

/** Packages of the platform, such as `http` for `@pergola/http`. No addon may have one of these names. */
export const platformPackages: ReadonlySet<string> = new Set([
  'core',
  'tools',
  ...subfolders(join(repository, 'packages')).map((folder) => basename(folder)),
]);

/** Candidates for {@link isAlias}, for callers that need a pattern. */
export const ALIAS_PATTERN = /^(pergola($|\/)|@pergola\/)/;

/** Whether a specifier is a face of the platform or of an addon: these mean the same inside and outside the repository. */
export function isAlias(specifier: string): boolean {
  return ALIAS_PATTERN.test(specifier) && !platformPackages.has(/^@pergola\/([^/]*)/.exec(specifier)?.[1] ?? '');
}

/** Whether a path is a folder itself or lies in it; both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The folder of the addon that a file or folder belongs to: the nearest at or above it with an `addon.ts` or `addon.js`. Null if there is none. */
export function addonFolderAt(path: string): string | null {
  if (isAddon(path)) return path;
  const parent = dirname(path);
  return parent === path ? null : addonFolderAt(parent);
}

/**
 * The file that one of the project's own specifiers stands for, or null: for any other specifier, and when no root holds that addon. Node
 * (`registerResolve`), jest and esbuild all ask here, so a name means the same file everywhere.
 *
 * ```ts
 * resolveAlias('pergola', roots); //                 …/packages/pergola/index.ts
 * resolveAlias('@pergola/forum/browser', roots); //   …/addons/forum/browser.ts
 * ```
 */
export function resolveAlias(specifier: string, roots: readonly string[]): string | null {
  if (!isAlias(specifier)) return null;
  const [scope, ...path] = specifier.split('/');
  if (scope === 'pergola') {
    const file = platformFiles[path.join('/')];
    return file === undefined ? null : firstFile(join(repository, 'packages/pergola'), file);
  }
  const [name, face = 'index', ...rest] = path;
  if (!name || rest.length > 0 || (path.length > 1 && !/^(browser|kit(-[a-z]+)?)$/.test(face))) return null;
  for (const root of roots) {
    const file = firstFile(isAddon(root) && basename(root) === name ? root : join(root, name), face);
    if (file !== null) return file;
  }
  return null;
}

/** What may be imported of the platform: specifier after `pergola/` to file, as seen from `packages/pergola`. Those of `testing` are for tests only. */
const platformFiles: Readonly<Record<string, string>> = Object.freeze({
  '': 'index',
  ...Object.fromEntries(
    [
      'orm',
      'http',
      'pages',
      'mail',
      'kernel',
      'browser',
      'islands',
      'zones',
      'html',
      'testing',
      'testing/in-french',
    ].map((name) => [name, name]),
  ),
  // The compiler adds to an interface only in the module that declares it.
  contributions: '../../core/kernel/contributions',
});

/** Every specifier of the platform's faces, with its file. */
export function platformFaces(): Map<string, string> {
  const specifiers = Object.keys(platformFiles).map((face) => (face === '' ? 'pergola' : `pergola/${face}`));
  return new Map(specifiers.map((specifier) => [specifier, resolveAlias(specifier, []) ?? '']));
}

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
