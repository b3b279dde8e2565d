// Part of `pergola check`: what browsers load, gzipped, against its limits. Ends with 1 when something is heavier.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { corePoints } from '../../core/app/points.ts';
import { addonRoots } from '../../core/base/addon-folders.ts';
import { createLog } from '../../core/base/log.ts';
import { buildAddon, buildFolder } from '../../core/island/build.ts';
import { buildCore } from '../../core/island/core-build.ts';
import { defaultBuildDir } from '../../core/island/kept-build.ts';
import { CORE_FACE, faceOf, ISLANDS_FACE } from '../../core/island/names.ts';
import { discover } from '../../core/kernel/discover.ts';

/** In KB, gzipped. What an island loads counts with React and the loader: all that a page with this island alone loads. */
const limits = { page: 5, styles: 20, islands: 100, behaviours: 5 } as const;

/** Not for visitors: the backend, and the tour that shows somebody around. */
const exceptions: Readonly<Record<string, number>> = {
  'islands/web.backend': 140,
  'islands/forum.ask': 103,
  'islands/dribblo.match-week': 101,
  'behaviours/website.tour': 82,
};

interface Bundle {
  readonly what: string;
  readonly limit: number;
  readonly files: readonly string[];
}

/** What the addons in these folders bring for browsers, built for production. */
async function bundles(roots: readonly string[]): Promise<Bundle[]> {
  const place = { buildDir: defaultBuildDir, dev: false, roots };
  const { addons } = await discover(roots, createLog('silent'), corePoints);
  const { manifest: core, folder } = await buildCore(defaultBuildDir, false);
  const coreFile = (name: string): string => join(folder, 'browser', name);
  const named = new Map(Object.entries(core.vendor).map(([name, file]) => [name, coreFile(file)]));
  named.set(CORE_FACE, coreFile(core.face)).set(ISLANDS_FACE, coreFile(core.islands));
  const styles = [coreFile(core.style)];
  const scripts: { kind: 'islands' | 'behaviours'; id: string; file: string }[] = [];
  for (const addon of addons) {
    const { manifest } = await buildAddon(addon, place);
    if (!manifest) continue;
    const file = (name: string): string => join(buildFolder(addon, place), 'browser', name);
    for (const [name, script] of Object.entries(manifest.faces)) named.set(faceOf(addon.name, name), file(script));
    styles.push(...manifest.styles.public.map(file));
    for (const kind of ['islands', 'behaviours'] as const)
      for (const [name, { script }] of Object.entries(manifest[kind]))
        scripts.push({ kind, id: `${kind}/${addon.name}.${name}`, file: file(script) });
  }
  const page = [coreFile(core.loader)];
  const withReact = [...page, ...['react-dom/client', 'react/jsx-runtime'].flatMap((name) => named.get(name) ?? [])];
  return [
    { what: 'scripts of a page without islands', limit: limits.page, files: loadedBy(page, named) },
    { what: 'style sheets of every page', limit: limits.styles, files: styles },
    ...scripts.map(({ kind, id, file }) => ({
      what: id,
      limit: exceptions[id] ?? limits[kind],
      files: loadedBy(kind === 'islands' ? [...withReact, file] : [file], named),
    })),
  ];
}

/** These scripts and all that they import; what is imported later, once it is wanted, does not count. */
function loadedBy(scripts: readonly string[], named: ReadonlyMap<string, string>): string[] {
  const found = new Set(scripts);
  for (const file of found)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)"([@\w./-]+)"/g)) {
      const imported = name.startsWith('./') ? join(file, '..', name) : named.get(name);
      if (imported === undefined) throw new Error(`${file} imports "${name}", which no page knows.`);
      found.add(imported);
    }
  return [...found];
}

const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).byteLength, 0) / 1024;

const all = await bundles(addonRoots(process.env.ADDONS_PATH));
const tooHeavy = all.filter(({ files, limit }) => kilobytes(files) > limit);
for (const { what, limit, files } of tooHeavy)
  process.stderr.write(
    `${what}: ${kilobytes(files).toFixed(1)} KB gzipped, over ${limit} KB. Import what is not wanted at once with import(), ` +
      `or take something lighter. (size)\n`,
  );
process.stdout.write(
  tooHeavy.length === 0
    ? `What browsers load is light enough (${all.length} bundles).\n`
    : `${tooHeavy.length} too heavy.\n`,
);
if (tooHeavy.length > 0) process.exitCode = 1;
