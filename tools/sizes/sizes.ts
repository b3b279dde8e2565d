// Part of `pergola check`: compares the gzipped size of files for browsers with its limits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { allPoints, createLog, discover } from '@pergola/core';
import { buildAddon, buildCore, buildFolder, CORE_FACE, defaultBuildDir, faceOf, ISLANDS_FACE } from '@pergola/islands';
import { parts } from '../parts.ts';

/** In KB, gzipped. An island's size includes React and the loader: everything that a page with only this island loads. */
const limits = { page: 5, styles: 20, islands: 100, behaviours: 5 } as const;

/** Limits for code that visitors don't load: the backend, and the guided tour. */
const exceptions: Readonly<Record<string, number>> = {
  'islands/web.backend': 140,
  'islands/forum.ask': 103,
  'islands/dribblo.match-week': 101,
  'behaviours/website.tour': 82,
};

interface Bundle {
  readonly name: string;
  readonly limit: number;
  readonly files: readonly string[];
}

/** Files for browsers from the addons in these folders, built for production. */
async function bundles(roots: readonly string[], addonNames?: ReadonlySet<string>): Promise<Bundle[]> {
  const place = { buildDir: defaultBuildDir, dev: false, roots };
  const discovery = await discover(roots, createLog('silent'), allPoints(parts));
  await (addonNames ? discovery.load(addonNames) : discovery.loadAll());
  const addons = discovery.loaded;
  const { manifest: core, folder } = await buildCore(defaultBuildDir, false);
  const coreFile = (name: string): string => join(folder, 'browser', name);
  const filesByName = new Map(Object.entries(core.vendor).map(([name, file]) => [name, coreFile(file)]));
  filesByName.set(CORE_FACE, coreFile(core.face)).set(ISLANDS_FACE, coreFile(core.islands));
  const styles = [coreFile(core.style)];
  const scripts: { kind: 'islands' | 'behaviours'; id: string; file: string }[] = [];
  for (const addon of addons) {
    const { manifest } = await buildAddon(addon, place);
    if (!manifest) continue;
    const file = (name: string): string => join(buildFolder(addon, place), 'browser', name);
    for (const [name, script] of Object.entries(manifest.faces))
      filesByName.set(faceOf(addon.name, name), file(script));
    styles.push(...manifest.styles.public.map(file));
    if (addonNames && !addonNames.has(addon.name)) continue;
    for (const kind of ['islands', 'behaviours'] as const)
      for (const [name, { script }] of Object.entries(manifest[kind]))
        scripts.push({ kind, id: `${kind}/${addon.name}.${name}`, file: file(script) });
  }
  const page = [coreFile(core.loader)];
  const withReact = [
    ...page,
    ...['react-dom/client', 'react/jsx-runtime'].flatMap((name) => filesByName.get(name) ?? []),
  ];
  return [
    { name: 'scripts of a page without islands', limit: limits.page, files: loadedBy(page, filesByName) },
    { name: 'style sheets of every page', limit: limits.styles, files: styles },
    ...scripts.map(({ kind, id, file }) => ({
      name: id,
      limit: exceptions[id] ?? limits[kind],
      files: loadedBy(kind === 'islands' ? [...withReact, file] : [file], filesByName),
    })),
  ];
}

/** These scripts and all their static imports; dynamic imports don't count. */
function loadedBy(scripts: readonly string[], filesByName: ReadonlyMap<string, string>): string[] {
  const files = new Set(scripts);
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)"([@\w./-]+)"/g)) {
      const imported = name.startsWith('./') ? join(file, '..', name) : filesByName.get(name);
      if (imported === undefined) throw new Error(`${file} imports "${name}", which is in no import map.`);
      files.add(imported);
    }
  return [...files];
}

const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).byteLength, 0) / 1024;

/**
 * Files over their size limit, one line each.
 *
 * @param roots folders of addons, or addons
 * @param addons measures only these addons' files; by default all, and the core's
 */
export async function sizeFaults(roots: readonly string[], addons?: ReadonlySet<string>): Promise<string[]> {
  const all = await bundles(roots, addons);
  return all
    .filter(({ files, limit }) => kilobytes(files) > limit)
    .map(
      ({ name, limit, files }) =>
        `${name}: ${kilobytes(files).toFixed(1)} KB gzipped, over ${limit} KB. Load what isn't needed at first with import(), ` +
        'or use a lighter alternative. (size)',
    );
}
