import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Folder of Pergola itself, with `core/`, `packages/` and the shipped `addons/`. */
export const repository: string = resolve(import.meta.dirname, '../..');

/** Folders of the platform's code, with a trailing separator. */
export const platformFolders: readonly string[] = ['core', 'packages'].map((name) => join(repository, name) + sep);

const extensions = ['.ts', '.js'];

/**
 * Returns the folders to search for addons: the shipped ones first, then the entries of `ADDONS_PATH` (separated like `PATH`, relative to
 * the current folder). Each is a folder of addons, or an addon itself.
 */
export function addonRoots(addonsPath: string = ''): string[] {
  const outside = addonsPath.split(delimiter).map((entry) => entry.trim());
  return [join(repository, 'addons'), ...outside.filter((entry) => entry !== '').map((entry) => resolve(entry))];
}

/**
 * Returns the addon folders in these roots by name (of the folder). If several roots contain the same name, the first one wins, as in
 * `resolveAlias`. Missing roots are ignored.
 */
export function addonFolders(roots: readonly string[]): Map<string, string> {
  const folderByName = new Map<string, string>();
  for (const folder of listAddonFolders(roots)) {
    if (!folderByName.has(basename(folder))) folderByName.set(basename(folder), folder);
  }
  return folderByName;
}

/** Lists every addon folder in these roots, in order, including duplicate names. */
export function listAddonFolders(roots: readonly string[]): string[] {
  const folders = roots.flatMap((root) => (isAddon(root) ? [root] : subfolders(root).filter(isAddon)));
  return [...new Set(folders)];
}

/** Packages of the platform, such as `http` for `@pergola/http`. Addons can't use these names. */
export const platformPackages: ReadonlySet<string> = new Set([
  'core',
  'tools',
  ...subfolders(join(repository, 'packages')).map((folder) => basename(folder)),
]);

/** Matches candidates for {@link isAlias}, for callers that need a pattern. */
export const ALIAS_PATTERN = /^(pergola($|\/)|@pergola\/)/;

/** Whether a specifier names a public module of the platform or of an addon, which resolves the same inside and outside the repository. */
export function isAlias(specifier: string): boolean {
  return ALIAS_PATTERN.test(specifier) && !platformPackages.has(/^@pergola\/([^/]*)/.exec(specifier)?.[1] ?? '');
}

/** Whether an absolute path is a folder itself or inside it. */
export function isInside(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/** Returns the closest folder at or above a path that contains an `addon.ts` or `addon.js`, or null. */
export function addonFolderAt(path: string): string | null {
  if (isAddon(path)) return path;
  const parent = dirname(path);
  return parent === path ? null : addonFolderAt(parent);
}

/**
 * Resolves one of the project's own specifiers to a file; null for other specifiers and for addons in none of the roots. Used by Node
 * (`registerResolve`), jest and esbuild, so a name means the same file everywhere.
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

/**
 * Public modules of the platform: specifier after `pergola/` to file, relative to `packages/pergola`. The `testing` ones are for tests
 * only.
 */
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
  // TypeScript only augments an interface in the module that declares it.
  contributions: '../../core/kernel/contributions',
});

/** Returns the file of every public module of the platform, by specifier. */
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

/** Returns real paths: Node loads a module once per real path, so a linked addon would be loaded twice. */
function firstFile(folder: string, name: string): string | null {
  const file = extensions.map((extension) => join(folder, name + extension)).find((path) => existsSync(path));
  return file === undefined ? null : realpathSync(file);
}
