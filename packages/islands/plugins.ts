import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ALIAS_PATTERN, type CodeFolder, isAlias, repository, resolveAlias } from '@pergola/core';
import type { OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { SERVER_ONLY } from './build-problems.ts';
import { CORE_FACE, faceOf, ISLANDS_FACE, vendorFile, vendorModules } from './names.ts';
import { OwnTexts } from './own-texts.ts';

const ADDON_FACE = /^@pergola\/([a-z][a-z0-9_]*)\/(browser|kit(?:-[a-z]+)?)$/;
const ZONES = path.join(repository, 'packages/browser/zones.ts');
/** `pergola/islands` in the core's server build. */
export const ISLANDS_FILE = 'islands.mjs';
/** `pergola/html`, which few pages need, is bundled into the files that import it. */
const HTML_FILE = path.join(repository, 'packages/pergola/html.ts');

const react = /^(react|react-dom)(\/.*)?$/;

/**
 * Shares a single React instance. CommonJS packages that `require('react')` get it through a wrapper module, since modules have no
 * `require`. `locate` returns where a name is found, or null for a name that isn't shared.
 */
function shareReact(build: PluginBuild, locate: (name: string) => string | null): void {
  build.onResolve({ filter: react }, ({ path: name, kind, namespace }) => {
    const place = locate(name);
    if (place === null) return { errors: [{ text: `"${name}" cannot be used in an island.` }] };
    return kind === 'require-call' && namespace !== 'shared'
      ? { path: name, namespace: 'shared' }
      : { path: place, external: true };
  });
  build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path: name }) => ({
    contents: `export * from ${JSON.stringify(name)}; export { default } from ${JSON.stringify(name)};`,
    resolveDir: repository,
  }));
}

/** Resolves `import cart from 'bootstrap-icons/icons/cart3.svg'` to the icon's view box and contents. */
function importIcons(build: PluginBuild): void {
  build.onLoad({ filter: /bootstrap-icons[\\/]icons[\\/][a-z0-9-]+\.svg$/ }, async ({ path: file }) => {
    const [, viewBox, shape = ''] = /viewBox="([^"]+)"[^>]*>([\s\S]*)<\/svg>/.exec(await readFile(file, 'utf8')) ?? [];
    return { contents: JSON.stringify([viewBox, shape.trim()]), loader: 'json' };
  });
}

/** In browsers `react` and the faces are modules of the import map. */
export function browserImports(roots: readonly string[], source: CodeFolder): Plugin {
  return {
    name: 'pergola-browser-imports',
    setup(build) {
      importIcons(build);
      const texts = new OwnTexts(build, source, CORE_FACE);
      shareReact(build, (name) => (isAmong(vendorModules.browser, name) ? name : null));
      build.onResolve({ filter: ALIAS_PATTERN }, ({ path: name, importer }) => {
        if (!isAlias(name)) return null;
        if (name === 'pergola/browser') return texts.resolve(importer);
        if (name === 'pergola/islands') return { path: ISLANDS_FACE, external: true };
        if (name === 'pergola/html') return { path: HTML_FILE };
        // Bundled with its importers, since few pages need it.
        if (name === 'pergola/zones') return { path: ZONES };
        const [, addon, face] = ADDON_FACE.exec(name) ?? [];
        const file = resolveAlias(name, roots);
        if (addon !== undefined && face !== undefined && file !== null)
          return addon === source.name ? { path: file } : { path: faceOf(addon, face), external: true };
        return serverOnly(name);
      });
    },
  };
}

/** On the server islands are rendered with the React of the core's build, and the server's own face of `pergola/browser`. */
export function serverImports(roots: readonly string[], source: CodeFolder, folder: string): Plugin {
  const outdir = path.join(folder, 'server');
  const place = (file: string): string => path.relative(outdir, file);
  return {
    name: 'pergola-server-imports',
    setup(build) {
      importIcons(build);
      const texts = new OwnTexts(build, source, place(path.join(repository, 'packages/islands/server-face.ts')));
      shareReact(build, (name) =>
        isAmong(vendorModules.server, name)
          ? place(path.join(path.dirname(folder), '_core/server', vendorFile(name)))
          : null,
      );
      build.onResolve({ filter: ALIAS_PATTERN }, ({ path: name, importer }) => {
        if (!isAlias(name)) return null;
        if (name === 'pergola/browser') return texts.resolve(importer);
        if (name === 'pergola/zones') return { path: place(ZONES), external: true };
        if (name === 'pergola/islands')
          return { path: place(path.join(path.dirname(folder), '_core/server', ISLANDS_FILE)), external: true };
        if (name === 'pergola/html') return { path: HTML_FILE };
        const [, addon] = ADDON_FACE.exec(name) ?? [];
        const file = addon === undefined ? null : resolveAlias(name, roots);
        if (addon !== undefined && file !== null) {
          texts.add({ name: addon, folder: path.dirname(file) });
          return { path: file };
        }
        return serverOnly(name);
      });
      build.onLoad({ filter: /\.css$/, namespace: 'file' }, () => ({ contents: '', loader: 'js' }));
    },
  };
}

function serverOnly(name: string): OnResolveResult {
  return { errors: [{ text: `"${name}" cannot be used in the browser.`, detail: SERVER_ONLY }] };
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/**
 * In the build of `pergola/islands`: redirects other imports from `packages/browser` to the page's `pergola/browser`, or to the server's
 * implementation.
 *
 * @param face path of that module
 */
export function oneCoreFace(face: string): Plugin {
  const folder = path.join(repository, 'packages/browser');
  return {
    name: 'pergola-one-core-face',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path: name, resolveDir }) => {
        const file = path.resolve(resolveDir, name);
        return path.dirname(file) === folder ? { path: face, external: true } : null;
      });
    },
  };
}
