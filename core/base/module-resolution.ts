import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addonFolderAt, isAlias, isInside, repository, resolveAlias } from './addon-folders.ts';

/**
 * Teaches Node, for the whole process, what `pergola…` and `@pergola/…` mean for addons in any of these roots, and where addons outside the repository
 * find packages (`findPackage`). `addonRoots` makes the list. Returns how to undo it.
 */
export function registerResolve(roots: readonly string[]): () => void {
  const own = ownFolders(repository);
  const faces = new Map<string, string>();
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (isAlias(specifier)) {
        // Hundreds of files ask for the same few faces.
        const known = faces.get(specifier);
        const file = known ?? resolveAlias(specifier, roots);
        if (file !== null) {
          faces.set(specifier, file);
          const url = pathToFileURL(file).href;
          return resolved(url) ?? nextResolve(url, context);
        }
        if (specifier.startsWith('@pergola/')) throw notFound(specifier, context.parentURL, roots);
      }
      if (specifier.startsWith('.') && own.some((folder) => context.parentURL?.startsWith(folder))) {
        const near = resolved(new URL(specifier, context.parentURL).href);
        if (near && existsSync(new URL(near.url))) return near;
      }
      return findPackage(specifier, importerOf(context.parentURL), (parentURL = context.parentURL) =>
        nextResolve(specifier, { ...context, parentURL }),
      );
    },
  });
  return () => hooks.deregister();
}

/** Path of the module that imports something, or null if it is no file. */
export function importerOf(parentURL: string | undefined): string | null {
  return parentURL?.startsWith('file:') ? fileURLToPath(parentURL) : null;
}

/**
 * Finds a module from where it is imported. A package that an addon outside the repository doesn't bring itself, in a `node_modules` of its folder or above,
 * is taken from those that come with Pergola (react, zod, …); packages in a `node_modules` find only what packages find. Node on a site, tests and the
 * console ask here; esbuild (`nodePaths`) and the compiler (`tsconfig.addon.json`) keep to the same order.
 *
 * @param importer path of the importing file or its folder; null if it is no file
 * @param find looks the module up, from the importer, or from the module with the given URL
 * @throws what `find` throws from the importer, if the package is in neither place
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

/** Whether a file may use Pergola's packages without being in the repository: it isn't part of a package, or is part of an addon that is installed as one. */
function borrowsPackages(importer: string): boolean {
  if (isInside(repository, importer)) return false;
  return !relative(addonFolderAt(importer) ?? '/', importer)
    .split(sep)
    .includes('node_modules');
}

const repositoryURL = pathToFileURL(join(repository, 'package.json')).href;

/** The folders of this repository's own sources, in which nothing is a link. */
function ownFolders(folder: string): string[] {
  return ['core', 'packages', 'tools', 'addons', 'bin'].map((name) => `${pathToFileURL(join(folder, name)).href}/`);
}

/** Spares Node's own way to a file, which looks into folders above it for what is known here. */
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

/** Node's own errors have a code; those of jest's resolver only say so. */
function isNotFound(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  return 'code' in error
    ? /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))
    : error.message.startsWith('Cannot find module');
}
