import path from 'node:path';
import { BrokenAddons, repository } from '@pergola/core';
import type { Plugin } from 'esbuild';
import { readManifest, replaceBuild } from './kept-build.ts';
import { CORE_FACE, vendorFile } from './names.ts';
import { packFolder } from './packed.ts';
import { browserImports, ISLANDS_FILE, oneCoreFace } from './plugins.ts';
import { inputsOf, stampsOf, unchanged } from './stamps.ts';
import { buildStyle } from './style-build.ts';
import { buildServerVendor, buildVendor, vendorKey } from './vendor.ts';

/** Increased when the format of the build output changes. */
const FORMAT = '4';

/** Files that every page may load, whatever addons are enabled: file names below `/_assets/core/`. */
export interface CoreManifest {
  readonly key: string;
  /** Names of the import map to files. */
  readonly vendor: Readonly<Record<string, string>>;
  /** `pergola/browser` */
  readonly face: string;
  /** `pergola/islands` */
  readonly islands: string;
  readonly loader: string;
  readonly style: string;
  /** Stamps of the input files; see `stampsOf`. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Builds React, the core's browser API, the loader and the public style sheet. Skipped if nothing changed. */
export async function buildCore(buildDir: string, dev: boolean): Promise<{ manifest: CoreManifest; folder: string }> {
  const folder = path.join(buildDir, dev ? 'dev' : 'production', '_core');
  const key = `${FORMAT} ${vendorKey(dev)}`;
  const existing = await readManifest<CoreManifest>(folder);
  if (existing?.key === key && (await unchanged(existing.inputs))) return { manifest: existing, folder };
  const manifest = await replaceBuild(folder, !dev, async (draft): Promise<CoreManifest> => {
    const browserDir = path.join(draft, 'browser');
    const startedAt = Date.now();
    const [vendor, { inputs, ...scripts }, { style, problems }, rendered] = await Promise.all([
      buildVendor(browserDir, dev),
      buildFaces(browserDir, dev),
      buildStyle('core', path.join(repository, 'packages/islands/styles/public.scss'), browserDir, dev),
      buildServerIslands(path.join(draft, 'server'), path.join(folder, 'server'), dev),
      buildServerVendor(path.join(draft, 'server'), dev),
    ]);
    if (!style) throw new BrokenAddons(problems);
    if (!dev) await packFolder(browserDir);
    const read = await stampsOf([...inputs, ...style.inputs, ...rendered], startedAt);
    return { key, vendor, ...scripts, style: style.file, inputs: read };
  });
  if (!manifest) throw new Error('The files of the core for browsers were not built.');
  return { manifest, folder };
}

async function buildFaces(outdir: string, dev: boolean) {
  const [face, loader, islands] = await Promise.all([
    buildScript('packages/browser/browser.ts', outdir, dev, []),
    buildScript('packages/browser/loader.ts', outdir, dev, []),
    buildScript('packages/browser/islands.ts', outdir, dev, [oneCoreFace(CORE_FACE)]),
  ]);
  const inputs = [face, loader, islands].flatMap((script) => script.inputs);
  return { face: face.file, loader: loader.file, islands: islands.file, inputs };
}

/** Builds one browser script. Returns its name and input files. */
async function buildScript(entry: string, outdir: string, dev: boolean, plugins: Plugin[]) {
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
    plugins: [...plugins, browserImports([], { name: 'core', folder: path.join(repository, 'packages/browser') })],
  });
  return { file: path.basename(Object.keys(metafile.outputs)[0] ?? ''), inputs: inputsOf(metafile) };
}

/**
 * Builds `pergola/islands` for the server: with the React that renders islands, and the server's implementation of `pergola/browser`.
 * Returns its input files.
 */
async function buildServerIslands(outdir: string, finalDir: string, dev: boolean): Promise<string[]> {
  const { build } = await import('esbuild');
  const face = path.relative(finalDir, path.join(repository, 'packages/islands/server-face.ts'));
  const { metafile } = await build({
    entryPoints: [path.join(repository, 'packages/browser/islands.ts')],
    outfile: path.join(outdir, ISLANDS_FILE),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    metafile: true,
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
          // The server never hydrates.
          builder.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
            contents: 'export const createRoot = null, hydrateRoot = null;',
          }));
        },
      },
    ],
  });
  return inputsOf(metafile);
}
