import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addonFolderAt, isAlias, isInside, repository, resolveAlias } from './addon-folders.ts';

/**
 * Makes Node resolve `pergola…` and `@pergola/…` for addons in these roots (see `addonRoots`), and packages for addons outside the
 * repository (see `findPackage`). Applies to the whole process; returns a function that undoes it.
 */
export function registerResolve(roots: readonly string[]): () => void {
  const sourceFolders = ownFolders(repository);
  const faces = new Map<string, string>();
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (isAlias(specifier)) {
        // Hundreds of files import the same few modules.
        const cachedFile = faces.get(specifier);
        const file = cachedFile ?? resolveAlias(specifier, roots);
        if (file !== null) {
          faces.set(specifier, file);
          const url = pathToFileURL(file).href;
          return resolved(url) ?? nextResolve(url, context);
        }
        if (specifier.startsWith('@pergola/')) throw notFound(specifier, context.parentURL, roots);
      }
      if (specifier.startsWith('.') && sourceFolders.some((folder) => context.parentURL?.startsWith(folder))) {
        const sibling = resolved(new URL(specifier, context.parentURL).href);
        if (sibling && existsSync(new URL(sibling.url))) return sibling;
      }
      return findPackage(specifier, importerOf(context.parentURL), (parentURL = context.parentURL) =>
        nextResolve(specifier, { ...context, parentURL }),
      );
    },
  });
  return () => hooks.deregister();
}

/** Path of the importing module, or null if it isn't a file. */
export function importerOf(parentURL: string | undefined): string | null {
  return parentURL?.startsWith('file:') ? fileURLToPath(parentURL) : null;
}

/**
 * Finds a module as seen from its importer. If an addon outside the repository doesn't bring a package itself, in a `node_modules` of its
 * folder or above, uses Pergola's own (react, zod, …); packages in `node_modules` only find their own dependencies. Node, tests and the
 * console use this function; esbuild (`nodePaths`) and the compiler (`tsconfig.addon.json`) follow the same order.
 *
 * @param importer path of the importing file or its folder; null if it isn't a file
 * @param find looks up the module, from the importer or from the module with the given URL
 * @throws the error of `find` for the importer, if neither lookup succeeds
 */
export function findPackage<T>(specifier: string, importer: string | null, find: (parentURL?: string) => T): T {
  try {
    return find();
  } catch (error) {
    if (importer === null || !isBare(specifier) || !isNotFound(error) || !borrowsPackages(importer)) throw error;
    try {
      return find(repositoryURL);
    } catch {
      throw error;
    }
  }
}

/**
 * Whether a file outside the repository may use Pergola's packages: it isn't part of a package, or is part of an addon installed as one.
 */
function borrowsPackages(importer: string): boolean {
  if (isInside(repository, importer)) return false;
  return !relative(addonFolderAt(importer) ?? '/', importer)
    .split(sep)
    .includes('node_modules');
}

const repositoryURL = pathToFileURL(join(repository, 'package.json')).href;

/** Folders of this repository's own sources, which contain no links. */
function ownFolders(folder: string): string[] {
  return ['core', 'packages', 'tools', 'addons', 'bin'].map((name) => `${pathToFileURL(join(folder, name)).href}/`);
}

/** Skips Node's own lookup, which searches parent folders for information already known here. */
function resolved(url: string): { url: string; format: 'module-typescript'; shortCircuit: true } | null {
  return url.endsWith('.ts') ? { url, format: 'module-typescript', shortCircuit: true } : null;
}

function notFound(specifier: string, parentURL: string | undefined, roots: readonly string[]): Error {
  const [, name, face = 'index'] = specifier.split('/');
  const error = new Error(
    `"${specifier}", imported by ${parentURL?.startsWith('file:') ? fileURLToPath(parentURL) : (parentURL ?? 'the start')}, does not exist: ` +
      `there is no ${name}/${face}.ts (or .js) in ${roots.join(', ')}. ` +
      'Correct the name, add that file, or add the folder that holds the addon to ADDONS_PATH.',
  );
  return Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
}

function isBare(specifier: string): boolean {
  return !/^(\.{0,2}\/|#|[a-z]+:)/i.test(specifier);
}

/** Node's errors have a code; errors of jest's resolver only have a message. */
function isNotFound(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  return 'code' in error
    ? /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))
    : error.message.startsWith('Cannot find module');
}
