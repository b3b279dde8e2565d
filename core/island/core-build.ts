import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { BrokenAddons, repository } from '../base/index.ts';
import { readManifest, replaceBuild } from './kept-build.ts';
import { CORE_FACE, vendorFile } from './names.ts';
import { packFolder } from './packed.ts';
import { browserImports, ISLANDS_FILE, oneCoreFace } from './plugins.ts';
import { buildStyle } from './style-build.ts';
import { buildServerVendor, buildVendor, vendorKey } from './vendor.ts';

const require = createRequire(import.meta.url);
/** Raised when what a build writes changes its shape. */
const FORMAT = '3';

/** What every page may load, whatever addons are on: file names below `/_assets/core/`. */
export interface CoreManifest {
  readonly key: string;
  /** Names of the import map to files. */
  readonly vendor: Readonly<Record<string, string>>;
  /** `#core/browser` */
  readonly face: string;
  /** `#core/islands` */
  readonly islands: string;
  readonly loader: string;
  readonly style: string;
}

/** Builds React, the core's face in the browser, the loader and the public style sheet; nothing when nothing changed. */
export async function buildCore(buildDir: string, dev: boolean): Promise<{ manifest: CoreManifest; folder: string }> {
  const folder = path.join(buildDir, dev ? 'dev' : 'production', '_core');
  const key = await keyOf(dev);
  const kept = await readManifest<CoreManifest>(folder);
  if (kept?.key === key) return { manifest: kept, folder };
  const manifest = await replaceBuild(folder, !dev, async (draft): Promise<CoreManifest> => {
    const browserDir = path.join(draft, 'browser');
    const [vendor, scripts, { style, problems }] = await Promise.all([
      buildVendor(browserDir, dev),
      buildFaces(browserDir, dev),
      buildStyle('core', path.join(repository, 'core/styles/public.scss'), browserDir, dev),
      buildServerVendor(path.join(draft, 'server'), dev),
      buildServerIslands(path.join(draft, 'server'), path.join(folder, 'server'), dev),
    ]);
    if (!style) throw new BrokenAddons(problems);
    if (!dev) await packFolder(browserDir);
    return { key, vendor, ...scripts, style: style.file };
  });
  if (!manifest) throw new Error('The files of the core for browsers were not built.');
  return { manifest, folder };
}

async function buildFaces(outdir: string, dev: boolean): Promise<Pick<CoreManifest, 'face' | 'loader' | 'islands'>> {
  const [face, loader, islands] = await Promise.all([
    buildScript('core/browser.ts', outdir, dev, []),
    buildScript('core/browser/loader.ts', outdir, dev, []),
    buildScript('core/islands.ts', outdir, dev, [oneCoreFace(CORE_FACE)]),
  ]);
  return { face, loader, islands };
}

/** One script for browsers; answers its name. */
async function buildScript(entry: string, outdir: string, dev: boolean, plugins: Plugin[]): Promise<string> {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: [path.join(repository, entry)],
    outdir,
    entryNames: '[name].[hash]',
    bundle: true,
    format: 'esm',
    target: ['es2022'],
    minify: !dev,
    legalComments: 'none',
    metafile: true,
    absWorkingDir: repository,
    plugins: [...plugins, browserImports([], 'core')],
  });
  return path.basename(Object.keys(metafile.outputs)[0] ?? '');
}

/** `#core/islands` as islands have it on the server: with the React that renders them, and the server's own `#core/browser`. */
async function buildServerIslands(outdir: string, finalDir: string, dev: boolean): Promise<void> {
  const { build } = await import('esbuild');
  const face = path.relative(finalDir, path.join(repository, 'core/island/server-face.ts'));
  await build({
    entryPoints: [path.join(repository, 'core/islands.ts')],
    outfile: path.join(outdir, ISLANDS_FILE),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    absWorkingDir: repository,
    define: { 'process.env.NODE_ENV': JSON.stringify(dev ? 'development' : 'production') },
    plugins: [
      oneCoreFace(face),
      {
        name: 'pergola-server-react',
        setup(builder) {
          builder.onResolve({ filter: /^react/ }, ({ path: name }) =>
            name === 'react-dom/client'
              ? { path: name, namespace: 'none' }
              : { path: `./${vendorFile(name)}`, external: true },
          );
          // Nothing is made alive on the server.
          builder.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
            contents: 'export const createRoot = null, hydrateRoot = null;',
          }));
        },
      },
    ],
  });
}

async function keyOf(dev: boolean): Promise<string> {
  const hash = createHash('sha256').update(FORMAT).update(vendorKey(dev));
  for (const folder of ['core/browser', 'core/styles']) {
    const names = (await readdir(path.join(repository, folder), { recursive: true })).sort();
    for (const name of names.filter((file) => /\.(ts|scss)$/.test(file)))
      hash.update(await readFile(path.join(repository, folder, name)));
  }
  const words = ['edit-distance', 'fold', 'words'].map((name) => `core/base/${name}.ts`);
  for (const file of ['core/browser.ts', 'core/islands.ts', ...words])
    hash.update(await readFile(path.join(repository, file)));
  hash.update((require('bootstrap/package.json') as { version: string }).version);
  return hash.digest('hex');
}
