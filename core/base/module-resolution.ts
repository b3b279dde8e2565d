import { existsSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { repository, resolveAlias } from './addon-folders.ts';

/**
 * Teaches Node, for the whole process, what `#core…` and `#addons/…` mean for addons in any of these roots, and lets addons outside the
 * repository import the packages that come with Pergola (react, zod, …) unless they bring their own. `addonRoots` makes the list. Answers how
 * to undo it.
 */
export function registerResolve(roots: readonly string[]): () => void {
  const outside = roots.map(real).filter((root) => !isInside(root, repository));
  const parentURL = pathToFileURL(join(repository, 'package.json')).href;
  const own = ownFolders(repository);
  const faces = new Map<string, string>();
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith('#')) {
        // Hundreds of files ask for the same few faces.
        const known = faces.get(specifier);
        const file = known ?? resolveAlias(specifier, roots);
        if (file !== null) {
          faces.set(specifier, file);
          const url = pathToFileURL(file).href;
          return resolved(url) ?? nextResolve(url, context);
        }
        if (specifier.startsWith('#addons/')) throw notFound(specifier, context.parentURL, roots);
      }
      if (specifier.startsWith('.') && own.some((folder) => context.parentURL?.startsWith(folder))) {
        const near = resolved(new URL(specifier, context.parentURL).href);
        if (near && existsSync(new URL(near.url))) return near;
      }
      if (!isBare(specifier) || !isOutside(context.parentURL, outside)) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        try {
          return nextResolve(specifier, { ...context, parentURL });
        } catch {
          throw error;
        }
      }
    },
  });
  return () => hooks.deregister();
}

/** The folders of this repository's own sources, in which nothing is a link. */
function ownFolders(folder: string): string[] {
  return ['core', 'tools', 'addons', 'bin'].map((name) => `${pathToFileURL(join(folder, name)).href}/`);
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

function real(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && way !== path);
}

/** Whether the importer is an outside addon's own file; packages that an addon brings along resolve as packages do. */
function isOutside(parentURL: string | undefined, outside: readonly string[]): boolean {
  if (outside.length === 0 || !parentURL?.startsWith('file:')) return false;
  const path = fileURLToPath(parentURL);
  const root = outside.find((folder) => isInside(path, folder));
  return root !== undefined && !relative(root, path).includes('node_modules');
}

function isBare(specifier: string): boolean {
  return !/^(\.{0,2}\/|#|[a-z]+:)/i.test(specifier);
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));
}
