import { isBuiltin } from 'node:module';
import { basename, dirname } from 'node:path';
import { addonRoots, repository, resolveAlias } from '../../../core/base/addon-folders.ts';

interface Options {
  basedir: string;
  defaultResolver: (path: string, options: Options) => string;
}

/**
 * jest's resolver: the same map as Node's (`registerResolve`). Besides `ADDONS_PATH`, the folder that holds the importing addon counts as a
 * root, so that fixture addons, and addons a test writes to a temporary folder, find each other without any setting.
 */
export default function resolveForJest(specifier: string, options: Options): string {
  if (isBuiltin(specifier)) return specifier;
  if (specifier.startsWith('#')) {
    const file = resolveAlias(specifier, [...addonRoots(process.env.ADDONS_PATH), ...ancestors(options.basedir)]);
    if (file !== null) return file;
  }
  try {
    return options.defaultResolver(specifier, options);
  } catch (error) {
    if (/^[./#]/.test(specifier) || options.basedir.startsWith(repository)) throw error;
    return options.defaultResolver(specifier, { ...options, basedir: repository });
  }
}

/** The folders above the importer, nearest first, up to one named as folders of addons are. */
function ancestors(folder: string): string[] {
  const up = dirname(folder);
  if (up === folder) return [];
  return basename(up) === 'addons' ? [up] : [up, ...ancestors(up)];
}
