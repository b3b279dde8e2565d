import path from 'node:path';
import type { Plugin } from 'esbuild';
import { repository, resolveAlias } from '../start/alias.ts';
import { CORE_FACE, faceOf } from './names.ts';

const react = /^(react|react-dom)(\/.*)?$/;

/**
 * In browsers `react` and the faces are modules of the import map, the same for all. CommonJS packages that `require('react')` get it through
 * a module of their own, since a browser has no `require`.
 */
export function browserImports(roots: readonly string[], own: string): Plugin {
  return {
    name: 'pergola-browser-imports',
    setup(build) {
      build.onResolve({ filter: react }, ({ path: name, kind, namespace }) =>
        kind === 'require-call' && namespace !== 'shared'
          ? { path: name, namespace: 'shared' }
          : { path: name, external: true },
      );
      build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path: name }) => ({
        contents: `export * from ${JSON.stringify(name)}; export { default } from ${JSON.stringify(name)};`,
        resolveDir: repository,
      }));
      build.onResolve({ filter: /^#/ }, ({ path: name }) => {
        if (name === '#core/browser') return { path: CORE_FACE, external: true };
        const addon = /^#addons\/([a-z][a-z0-9_]*)\/browser$/.exec(name)?.[1];
        if (addon !== undefined && resolveAlias(name, roots) !== null) {
          return addon === own ? { path: resolveAlias(name, roots) ?? name } : { path: faceOf(addon), external: true };
        }
        return {
          errors: [
            { text: `"${name}" cannot be used in the browser. Import "#core/browser" or "#addons/<name>/browser".` },
          ],
        };
      });
    },
  };
}

/** On the server islands are rendered with the same React, and the server's own face of `#core/browser`. */
export function serverImports(roots: readonly string[], outdir: string): Plugin {
  const serverFace = path.join(repository, 'core/island/server-face.ts');
  return {
    name: 'pergola-server-imports',
    setup(build) {
      build.onResolve({ filter: react }, ({ path: name }) => ({ path: name, external: true }));
      build.onResolve({ filter: /^#/ }, ({ path: name }) => {
        if (name === '#core/browser') return { path: path.relative(outdir, serverFace), external: true };
        const file = /\/browser$/.test(name) ? resolveAlias(name, roots) : null;
        if (file !== null) return { path: file };
        return {
          errors: [
            { text: `"${name}" cannot be used in an island. Import "#core/browser" or "#addons/<name>/browser".` },
          ],
        };
      });
      build.onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'js' }));
    },
  };
}
