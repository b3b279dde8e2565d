import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BrokenAddons, repository } from '../base/index.ts';
import { readManifest, replaceBuild } from './kept-build.ts';
import { packFolder } from './packed.ts';
import { browserImports } from './plugins.ts';
import { buildStyle } from './style-build.ts';
import { buildServerVendor, buildVendor, vendorKey } from './vendor.ts';

const require = createRequire(import.meta.url);
/** Raised when what a build writes changes its shape. */
const FORMAT = '2';

/** What every page may load, whatever addons are on: file names below `/_assets/core/`. */
export interface CoreManifest {
  readonly key: string;
  /** Names of the import map to files. */
  readonly vendor: Readonly<Record<string, string>>;
  /** `#core/browser` */
  readonly face: string;
  readonly loader: string;
  readonly style: string;
}

/** Builds React, the kernel's face in the browser, the loader and the public style sheet; nothing when nothing changed. */
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
    ]);
    if (!style) throw new BrokenAddons(problems);
    if (!dev) await packFolder(browserDir);
    return { key, vendor, ...scripts, style: style.file };
  });
  if (!manifest) throw new Error('The files of the kernel for browsers were not built.');
  return { manifest, folder };
}

async function buildFaces(outdir: string, dev: boolean): Promise<{ face: string; loader: string }> {
  const file = (name: string): string => path.join(repository, 'core', name);
  const entries = { face: file('browser.ts'), loader: file('browser/loader.ts') };
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: entries,
    outdir,
    entryNames: '[name].[hash]',
    bundle: true,
    format: 'esm',
    target: ['es2022'],
    minify: !dev,
    legalComments: 'none',
    metafile: true,
    absWorkingDir: repository,
    plugins: [browserImports([], 'core')],
  });
  const built = new Map(
    Object.entries(metafile.outputs).map(([output, { entryPoint }]) => [
      path.resolve(repository, entryPoint ?? ''),
      path.basename(output),
    ]),
  );
  const of = (entry: string): string => built.get(entry) ?? '';
  return { face: of(entries.face), loader: of(entries.loader) };
}

async function keyOf(dev: boolean): Promise<string> {
  const hash = createHash('sha256').update(FORMAT).update(vendorKey(dev));
  for (const folder of ['core/browser', 'core/styles']) {
    const names = (await readdir(path.join(repository, folder), { recursive: true })).sort();
    for (const name of names.filter((file) => /\.(ts|scss)$/.test(file)))
      hash.update(await readFile(path.join(repository, folder, name)));
  }
  hash.update(await readFile(path.join(repository, 'core/browser.ts')));
  hash.update((require('bootstrap/package.json') as { version: string }).version);
  return hash.digest('hex');
}
