import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { BrokenAddons } from '../errors.ts';
import { repository } from '../start/alias.ts';
import { browserImports } from './plugins.ts';
import { buildStyle } from './style-build.ts';
import { buildVendor, vendorKey } from './vendor.ts';

/** What every page may load, whatever addons are on: file names below `/_assets/core/`. */
export interface CoreManifest {
  readonly key: string;
  /** Names of the import map to files. */
  readonly vendor: Readonly<Record<string, string>>;
  /** `#core/browser` */
  readonly face: string;
  readonly loader: string;
  readonly dev: string;
  readonly style: string;
}

/** Builds React, the kernel's face in the browser, the loader and the public style sheet; nothing when nothing changed. */
export async function buildCore(buildDir: string, dev: boolean): Promise<{ manifest: CoreManifest; folder: string }> {
  const folder = path.join(buildDir, dev ? 'dev' : 'production', '_core');
  const key = await keyOf(dev);
  const kept = await readFile(path.join(folder, 'manifest.json'), 'utf8')
    .then((text) => JSON.parse(text) as CoreManifest)
    .catch(() => null);
  if (kept?.key === key) return { manifest: kept, folder };
  const draft = `${folder}.${process.pid}.${Date.now()}`;
  await mkdir(draft, { recursive: true });
  try {
    const browserDir = path.join(draft, 'browser');
    const [vendor, scripts, style] = await Promise.all([
      buildVendor(browserDir, dev),
      buildFaces(browserDir, dev),
      buildStyle('core', path.join(repository, 'core/styles/public.scss'), browserDir, dev),
    ]);
    if (!style.style) throw new BrokenAddons(style.problems);
    const manifest = { key, vendor, ...scripts, style: style.style.file };
    await writeFile(path.join(draft, 'manifest.json'), JSON.stringify(manifest));
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder).catch(() => {});
    return { manifest, folder };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function buildFaces(outdir: string, dev: boolean): Promise<{ face: string; loader: string; dev: string }> {
  const file = (name: string): string => path.join(repository, 'core', name);
  const entries = { face: file('browser.ts'), loader: file('browser/loader.ts'), dev: file('browser/dev-client.ts') };
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
  return { face: of(entries.face), loader: of(entries.loader), dev: of(entries.dev) };
}

async function keyOf(dev: boolean): Promise<string> {
  const hash = createHash('sha256').update(vendorKey(dev));
  for (const folder of ['core/browser', 'core/styles']) {
    const names = (await readdir(path.join(repository, folder), { recursive: true })).sort();
    for (const name of names.filter((file) => /\.(ts|scss)$/.test(file)))
      hash.update(await readFile(path.join(repository, folder, name)));
  }
  hash.update(await readFile(path.join(repository, 'core/browser.ts')));
  hash.update(String((await stat(path.join(repository, 'node_modules/bootstrap/package.json'))).mtimeMs));
  return hash.digest('hex');
}
