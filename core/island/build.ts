import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildFailure, type BuildOptions, build, type Metafile } from 'esbuild';
import type { Problem } from '../errors.ts';
import { repository } from '../start/alias.ts';
import { browserImports, serverImports } from './plugins.ts';
import { buildStyle } from './style-build.ts';
import type { Manifest } from './types.ts';
import { vendorKey } from './vendor.ts';

/** Raised when what a build writes changes its shape. */
const FORMAT = 3;

export interface BuildSource {
  readonly name: string;
  readonly folder: string;
}

export interface BuildPlace {
  /** Folder of all builds. */
  readonly buildDir: string;
  readonly dev: boolean;
  /** Addon folders, for `#addons/<name>/browser`. */
  readonly roots: readonly string[];
}

interface Entries {
  readonly islands: readonly string[];
  readonly elements: readonly string[];
  readonly styles: readonly string[];
  readonly face: string | null;
}

/** Where an addon's build lies. Outside addons have a folder of their own: two may share a name over time. */
export function buildFolder({ name, folder }: BuildSource, { buildDir, dev }: BuildPlace): string {
  const inside = path.dirname(folder) === path.join(repository, 'addons');
  const own = inside ? name : `${name}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  return path.join(buildDir, dev ? 'dev' : 'production', own);
}

/**
 * Builds what an addon brings for browsers (islands, elements, its face, style sheets), and its islands for the server. Nothing is built when
 * nothing changed since the last time. Answers null for an addon that brings nothing.
 */
export async function buildAddon(
  source: BuildSource,
  place: BuildPlace,
): Promise<{ manifest: Manifest | null; problems: Problem[] }> {
  const entries = await findEntries(source.folder);
  if (!entries) return { manifest: null, problems: [] };
  const folder = buildFolder(source, place);
  const kept = await readManifest(folder);
  if (kept && kept.key === keyOf(entries, place.dev) && (await unchanged(kept.inputs)))
    return { manifest: kept, problems: [] };
  return buildAnew(source, entries, folder, place);
}

async function buildAnew(
  source: BuildSource,
  entries: Entries,
  folder: string,
  place: BuildPlace,
): Promise<{ manifest: Manifest | null; problems: Problem[] }> {
  // Built beside its place and moved there whole: other processes read the old build until then.
  const draft = `${folder}.${process.pid}.${Date.now()}`;
  await mkdir(draft, { recursive: true });
  try {
    const scripts = await buildScripts(source, entries, draft, place);
    const styles = await Promise.all(
      entries.styles.map((file) =>
        buildStyle(source.name, path.join(source.folder, 'styles', file), path.join(draft, 'browser'), place.dev),
      ),
    );
    const problems = [...scripts.problems, ...styles.flatMap(({ problems }) => problems)];
    if (problems.length > 0) return { manifest: null, problems };
    const built = styles.flatMap(({ style }, index) =>
      style ? [{ ...style, source: entries.styles[index] ?? '' }] : [],
    );
    const ofArea = (web: boolean) =>
      built.filter(({ source: file }) => /^backend/.test(file) === web).map(({ file }) => file);
    const inputs = [...scripts.inputs, ...built.flatMap((style) => style.inputs)];
    const manifest: Manifest = {
      key: keyOf(entries, place.dev),
      islands: scripts.islands,
      elements: scripts.elements,
      face: scripts.face,
      styles: { public: ofArea(false), web: ofArea(true) },
      inputs: await stamps(inputs),
    };
    await writeFile(path.join(draft, 'manifest.json'), JSON.stringify(manifest));
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder).catch(async (error: unknown) => {
      // Another process was faster with the same sources: its build is as good.
      if (!existsSync(path.join(folder, 'manifest.json'))) throw error;
    });
    return { manifest, problems: [] };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

interface Scripts {
  islands: Manifest['islands'];
  elements: Manifest['elements'];
  face: string | null;
  inputs: string[];
  problems: Problem[];
}

async function buildScripts(source: BuildSource, entries: Entries, draft: string, place: BuildPlace): Promise<Scripts> {
  const inBrowser = [
    ...entries.islands.map((file) => `islands/${file}`),
    ...entries.elements.map((file) => `elements/${file}`),
    ...(entries.face ? [entries.face] : []),
  ];
  const empty: Scripts = { islands: {}, elements: {}, face: null, inputs: [], problems: [] };
  if (inBrowser.length === 0) return empty;
  const absolute = (file: string): string => path.join(source.folder, file);
  const browserDir = path.join(draft, 'browser');
  const serverDir = path.join(draft, 'server');
  try {
    const [browser, server] = await Promise.all([
      build(browserOptions(inBrowser.map(absolute), browserDir, source.name, place)),
      entries.islands.length > 0
        ? build(
            serverOptions(
              entries.islands.map((file) => absolute(`islands/${file}`)),
              serverDir,
              buildFolder(source, place),
              place,
            ),
          )
        : null,
    ]);
    const made = outputsBySource(browser.metafile);
    const onServer = server ? outputsBySource(server.metafile) : new Map<string, Output>();
    const of = (file: string) => {
      const output = made.get(absolute(file));
      return { script: path.basename(output?.file ?? ''), style: output?.css ? path.basename(output.css) : null };
    };
    return {
      islands: Object.fromEntries(
        entries.islands.map((file) => [
          path.parse(file).name,
          { ...of(`islands/${file}`), server: path.basename(onServer.get(absolute(`islands/${file}`))?.file ?? '') },
        ]),
      ),
      elements: Object.fromEntries(entries.elements.map((file) => [path.parse(file).name, of(`elements/${file}`)])),
      face: entries.face ? of(entries.face).script : null,
      inputs: Object.keys(browser.metafile.inputs).map((file) =>
        path.resolve(repository, file.replace(/^[a-z-]+:/, '')),
      ),
      problems: [],
    };
  } catch (error) {
    return { ...empty, problems: problemsOf(source, error) };
  }
}

function browserOptions(
  entryPoints: string[],
  outdir: string,
  own: string,
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
    plugins: [browserImports(roots, own)],
  };
}

function serverOptions(
  entryPoints: string[],
  outdir: string,
  finalDir: string,
  { dev, roots }: BuildPlace,
): BuildOptions & { metafile: true } {
  return {
    ...common(entryPoints, outdir, dev),
    // Packages are bundled too: an outside addon's own are not found from the build's folder.
    entryNames: '[name].[hash]',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: ['node24'],
    splitting: true,
    chunkNames: 'chunk.[hash]',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [serverImports(roots, path.join(finalDir, 'server'))],
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
}

function outputsBySource({ outputs }: Metafile): Map<string, Output> {
  return new Map(
    Object.entries(outputs).flatMap(([file, { entryPoint, cssBundle }]) =>
      entryPoint && !file.endsWith('.css')
        ? [[path.resolve(repository, entryPoint), { file, css: cssBundle }] as const]
        : [],
    ),
  );
}

function problemsOf(source: BuildSource, error: unknown): Problem[] {
  const { errors } = error as Partial<BuildFailure>;
  if (!Array.isArray(errors)) throw error;
  return errors.map(({ text, location }) => ({
    addon: source.name,
    file: location ? path.relative(source.folder, path.resolve(repository, location.file)) : undefined,
    line: location?.line,
    message: text,
  }));
}

async function findEntries(folder: string): Promise<Entries | null> {
  const list = async (name: string, ending: RegExp): Promise<string[]> => {
    const names = await readdir(path.join(folder, name)).catch(() => []);
    return names.filter((file) => ending.test(file)).sort();
  };
  const [islands, elements, styles] = await Promise.all([
    list('islands', /^[a-z][a-z0-9-]*\.tsx$/),
    list('elements', /^[a-z][a-z0-9-]*\.tsx?$/),
    list('styles', /^[a-z][a-z0-9-]*\.s?css$/),
  ]);
  const face = ['browser.ts', 'browser.js'].find((file) => existsSync(path.join(folder, file))) ?? null;
  return islands.length + elements.length + styles.length > 0 || face ? { islands, elements, styles, face } : null;
}

function keyOf(entries: Entries, dev: boolean): string {
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, vendorKey(dev), entries]))
    .digest('hex');
}

async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

async function unchanged(inputs: Manifest['inputs']): Promise<boolean> {
  const now = await stamps(Object.keys(inputs));
  return Object.entries(inputs).every(([file, stamp]) => now[file] === stamp);
}

async function stamps(files: readonly string[]): Promise<Record<string, string>> {
  const own = [...new Set(files)].filter(
    (file) => !file.includes(`${path.sep}node_modules${path.sep}`) && path.isAbsolute(file),
  );
  const entries = await Promise.all(
    own.map(async (file) => {
      const about = await stat(file).catch(() => null);
      return about ? [[file, `${about.size} ${Math.round(about.mtimeMs)}`]] : [];
    }),
  );
  return Object.fromEntries(entries.flat());
}
