import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Problem, repository } from '@pergola/core';
import type { BuildOptions, Metafile } from 'esbuild';
import { buildProblems } from './build-problems.ts';
import { fastRefresh } from './fast-refresh.ts';
import { readManifest, replaceBuild } from './kept-build.ts';
import { packFolder } from './packed.ts';
import { browserImports, serverImports } from './plugins.ts';
import { readProps } from './props.ts';
import { inputsOf, stampsOf, unchanged } from './stamps.ts';
import { buildStyle } from './style-build.ts';
import type { Manifest } from './types.ts';
import { nodeRequire, vendorKey } from './vendor.ts';

/** Raised when what a build writes changes its shape. */
const FORMAT = 10;

export interface BuildSource {
  readonly name: string;
  readonly folder: string;
}

export interface BuildPlace {
  /** Folder of all builds. */
  readonly buildDir: string;
  readonly dev: boolean;
  /** Addon folders, for `@pergola/<name>/browser`. */
  readonly roots: readonly string[];
}

interface Entries {
  readonly islands: readonly string[];
  /** Islands that the server renders too. */
  readonly rendered: readonly string[];
  readonly slots: readonly string[];
  readonly behaviours: readonly string[];
  readonly styles: readonly string[];
  readonly faces: readonly string[];
}

/** Folder of an addon's build. Addons from outside have separate folders, because two may use the same name over time. */
export function buildFolder({ name, folder }: BuildSource, { buildDir, dev }: BuildPlace): string {
  const inside = path.dirname(folder) === path.join(repository, 'addons');
  const folderName = inside ? name : `${name}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  return path.join(buildDir, dev ? 'dev' : 'production', folderName);
}

/**
 * Builds an addon's browser code (islands, behaviours, public modules, style sheets), and its islands for the server. Skipped if nothing
 * changed since the last build.
 *
 * @returns null for an addon without browser code; with problems, a manifest that contains only names and must not be served
 */
export async function buildAddon(
  source: BuildSource,
  place: BuildPlace,
): Promise<{ manifest: Manifest | null; problems: Problem[] }> {
  const entries = await findEntries(source.folder);
  if (!entries) return { manifest: null, problems: [] };
  const folder = buildFolder(source, place);
  const existing = await readManifest<Manifest>(folder);
  if (existing && existing.key === keyOf(entries, place.dev) && (await unchanged(existing.inputs)))
    return { manifest: existing, problems: [] };
  const { manifest, problems } = await buildAnew(source, entries, folder, place);
  return { manifest: manifest ?? unbuilt(entries), problems };
}

/** Sources of the builder: a new version of Pergola with changes in them must not serve earlier builds. */
const builderFiles = ['build.ts', 'own-texts.ts', 'plugins.ts'].map((name) => path.join(import.meta.dirname, name));

/** Names of files that failed to build, so that templates using them aren't reported. */
function unbuilt({ islands, styles }: Entries): Manifest {
  const pages = styles.filter((file) => areaOf(file) === 'page').map((file) => file.slice(0, file.indexOf('.')));
  return {
    key: '',
    islands: byName(islands, () => ({ script: '', style: null, server: '' })),
    slots: {},
    behaviours: {},
    faces: {},
    styles: { public: [], web: [], pages: Object.fromEntries(pages.map((name) => [name, ''])) },
    inputs: {},
  };
}

async function buildAnew(
  source: BuildSource,
  entries: Entries,
  folder: string,
  place: BuildPlace,
): Promise<{ manifest: Manifest | null; problems: Problem[] }> {
  const problems: Problem[] = [];
  const startedAt = Date.now();
  const manifest = await replaceBuild(folder, !place.dev, async (draft): Promise<Manifest | null> => {
    const [scripts, styles] = await Promise.all([
      buildScripts(source, entries, draft, place),
      buildStyles(source, entries, draft, place),
    ]);
    problems.push(...scripts.problems, ...styles.problems);
    if (problems.length > 0) return null;
    if (!place.dev) await packFolder(path.join(draft, 'browser'));
    return {
      key: keyOf(entries, place.dev),
      islands: scripts.islands,
      slots: scripts.slots,
      behaviours: scripts.behaviours,
      faces: scripts.faces,
      styles: styles.files,
      inputs: await stampsOf([...scripts.inputs, ...styles.inputs, ...builderFiles], startedAt),
    };
  });
  return { manifest, problems };
}

async function buildStyles(
  source: BuildSource,
  entries: Entries,
  draft: string,
  place: BuildPlace,
): Promise<{ files: Manifest['styles']; inputs: string[]; problems: Problem[] }> {
  const outdir = path.join(draft, 'browser');
  const build = async (file: string) => ({
    named: file,
    ...(await buildStyle(source.name, path.join(source.folder, 'styles', file), outdir, place.dev)),
  });
  const sheets = place.dev ? await inTurn(entries.styles, build) : await Promise.all(entries.styles.map(build));
  const sheetsOf = (area: ReturnType<typeof areaOf>) =>
    sheets.flatMap(({ named: sheetFile, style }) =>
      style && areaOf(sheetFile) === area ? [{ named: sheetFile, file: style.file }] : [],
    );
  return {
    files: {
      public: sheetsOf('public').map(({ file }) => file),
      web: sheetsOf('web').map(({ file }) => file),
      pages: Object.fromEntries(
        sheetsOf('page').map(({ named: sheetFile, file }) => [sheetFile.slice(0, sheetFile.indexOf('.')), file]),
      ),
    },
    inputs: sheets.flatMap(({ style }) => style?.inputs ?? []),
    problems: sheets.flatMap(({ problems }) => problems),
  };
}

/** In development, Sass runs on the server's thread, which handles requests and heartbeats between two sheets. */
async function inTurn<T>(files: readonly string[], build: (file: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const file of files) {
    results.push(await build(file));
    await setImmediate();
  }
  return results;
}

/** Pages that load a style sheet, by its name: `backend*` on backend pages, `*.page.scss` on demand, all others everywhere. */
function areaOf(file: string): 'public' | 'web' | 'page' {
  if (/\.page\.s?css$/.test(file)) return 'page';
  return file.startsWith('backend') ? 'web' : 'public';
}

interface Scripts {
  islands: Manifest['islands'];
  slots: Manifest['slots'];
  behaviours: Manifest['behaviours'];
  faces: Manifest['faces'];
  inputs: string[];
  problems: Problem[];
}

async function buildScripts(source: BuildSource, entries: Entries, draft: string, place: BuildPlace): Promise<Scripts> {
  const islands = entries.islands.map((file) => `islands/${file}`);
  const slots = entries.slots.map((file) => `islands/${file}`);
  const behaviours = entries.behaviours.map((file) => `behaviours/${file}`);
  const mounted = [...islands, ...slots, ...behaviours];
  const onServer = [...entries.rendered.map((file) => `islands/${file}`), ...slots];
  const files = [...mounted, ...entries.faces];
  const emptyScripts: Scripts = { islands: {}, slots: {}, behaviours: {}, faces: {}, inputs: [], problems: [] };
  if (files.length === 0) return emptyScripts;
  const absolute = (file: string): string => path.join(source.folder, file);
  const draftOf = (area: string): string => path.join(draft, area);
  const forBrowser = browserOptions(files.map(absolute), draftOf('browser'), source, place);
  const forServer = serverOptions(onServer.map(absolute), draftOf('server'), source, place);
  const [browserBuild, serverBuild] = await Promise.allSettled([
    metafileOf(forBrowser),
    onServer.length > 0 ? metafileOf(forServer) : { outputs: {}, inputs: {} },
  ]);
  // Both fail on the same files; the browser build is stricter.
  if (browserBuild.status === 'rejected')
    return { ...emptyScripts, problems: await buildProblems(source, browserBuild.reason, forBrowser) };
  if (serverBuild.status === 'rejected')
    return { ...emptyScripts, problems: await buildProblems(source, serverBuild.reason, forServer) };
  const [browser, server] = [browserBuild.value, serverBuild.value];
  const browserOutputs = outputsBySource(browser);
  const madeForServer = outputsBySource(server);
  const assetsOf = (file: string) => scriptAndStyle(browserOutputs.get(absolute(file)));
  const onServerOf = (file: string) => path.basename(madeForServer.get(absolute(file))?.file ?? '');
  const withServerFile = (file: string) => ({ ...assetsOf(file), server: onServerOf(file) });
  return {
    islands: byName(islands, withServerFile),
    slots: Object.fromEntries(slots.map((file) => [path.basename(file).replace(SLOTS, ''), withServerFile(file)])),
    behaviours: byName(behaviours, assetsOf),
    faces: byName(entries.faces, (file) => assetsOf(file).script),
    inputs: [...inputsOf(browser), ...inputsOf(server)],
    problems: mounted
      .filter((file) => !browserOutputs.get(absolute(file))?.exports.includes('default'))
      .map((file) => noDefault(source.name, file)),
  };
}

async function metafileOf(options: BuildOptions & { metafile: true }): Promise<Metafile> {
  // Loaded on demand: most starts don't build anything.
  const { build } = await import('esbuild');
  return (await build(options)).metafile;
}

function byName<T>(files: readonly string[], make: (file: string) => T): Record<string, T> {
  return Object.fromEntries(files.map((file) => [path.parse(file).name, make(file)]));
}

function scriptAndStyle(output: Output | undefined): { script: string; style: string | null } {
  return { script: path.basename(output?.file ?? ''), style: output?.css ? path.basename(output.css) : null };
}

function noDefault(addon: string, file: string): Problem {
  return {
    addon,
    file,
    message: 'this exports nothing by default.',
    remedy: file.startsWith('islands/')
      ? 'Export the component by default; a file of shared parts belongs into another folder.'
      : 'Export a function that takes the element by default; a file of shared parts belongs into another folder.',
  };
}

function browserOptions(
  entryPoints: string[],
  outdir: string,
  source: BuildSource,
  { dev, roots }: BuildPlace,
): BuildOptions & { metafile: true } {
  return {
    ...common(entryPoints, outdir, dev),
    splitting: true,
    entryNames: '[name].[hash]',
    chunkNames: 'chunk.[hash]',
    assetNames: '[name].[hash]',
    target: ['es2022'],
    platform: 'browser',
    minify: !dev,
    sourcemap: dev ? 'inline' : false,
    loader: { '.svg': 'dataurl' },
    plugins: [...(dev ? [fastRefresh] : []), browserImports(roots, source)],
  };
}

function serverOptions(
  entryPoints: string[],
  outdir: string,
  source: BuildSource,
  place: BuildPlace,
): BuildOptions & { metafile: true } {
  return {
    ...common(entryPoints, outdir, place.dev),
    // Packages are bundled too: an outside addon's own are not found from the build's folder.
    entryNames: '[name].[hash]',
    outExtension: { '.js': '.mjs' },
    sourcemap: place.dev ? 'inline' : false,
    platform: 'node',
    target: ['node24'],
    splitting: true,
    chunkNames: 'chunk.[hash]',
    banner: nodeRequire,
    plugins: [serverImports(place.roots, source, buildFolder(source, place))],
  };
}

function common(entryPoints: string[], outdir: string, dev: boolean): BuildOptions & { metafile: true } {
  return {
    entryPoints,
    outdir,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
    absWorkingDir: repository,
    nodePaths: [path.join(repository, 'node_modules')],
    define: { 'process.env.NODE_ENV': JSON.stringify(dev ? 'development' : 'production') },
  };
}

interface Output {
  readonly file: string;
  readonly css: string | undefined;
  readonly exports: readonly string[];
}

function outputsBySource({ outputs }: Metafile): Map<string, Output> {
  return new Map(
    Object.entries(outputs).flatMap(([file, { entryPoint, cssBundle, exports }]) =>
      entryPoint && !file.endsWith('.css')
        ? [[path.resolve(repository, entryPoint), { file, css: cssBundle, exports }] as const]
        : [],
    ),
  );
}

/** Addons from npm ship JavaScript. */
async function findEntries(folder: string): Promise<Entries | null> {
  const list = async (name: string, ending: RegExp): Promise<string[]> => {
    const names = await readdir(path.join(folder, name)).catch(() => []);
    return names.filter((file) => ending.test(file)).sort();
  };
  const [faces, islands, slots, behaviours, styles] = await Promise.all([
    list('.', /^(browser|kit(-[a-z]+)?)\.[jt]s$/),
    list('islands', /^[a-z][a-z0-9-]*\.(tsx|js)$/),
    list('islands', SLOTS),
    list('behaviours', /^[a-z][a-z0-9-]*\.(tsx?|js)$/),
    list('styles', /^[a-z][a-z0-9-]*(\.page)?\.s?css$/),
  ]);
  const rendered = await Promise.all(islands.map((file) => isRendered(folder, file)));
  const entries = {
    islands,
    rendered: islands.filter((_, index) => rendered[index]),
    slots,
    behaviours,
    styles,
    faces,
  };
  return Object.values(entries).some(({ length }) => length > 0) ? entries : null;
}

/** An island whose props file is invalid is built anyway, and reported when islands are loaded. */
async function isRendered(folder: string, file: string): Promise<boolean> {
  const read = await readProps(folder, `islands/${path.parse(file).name}.props`);
  return 'message' in read || read.settings.ssr !== false;
}

/** `website_sale.Cart.slots.tsx`: named after the island. */
const SLOTS = /\.slots\.(tsx|js)$/;

function keyOf(entries: Entries, dev: boolean): string {
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, vendorKey(dev), entries]))
    .digest('hex');
}
