import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '@pergola/core';
import { UsageError } from '@pergola/core';
import { build } from 'esbuild';
import { z } from 'zod';
import { writeDeclarations } from '../../pack/declarations.ts';
import { isShipped, selectAddons } from '../selected-addons.ts';

export const command: Command = {
  summary: 'Compiles an addon outside the repository to JavaScript with types in dist/<addon>, for `npm pack`',
  usage: '[<addon or folder>]',
  async run({ words, io }) {
    const selected = selectAddons(words.slice(0, 1));
    // Shipped addons aren't packed.
    const folders = [...selected.folders.values()].filter((place) => !selected.isWhole || !isShipped(place));
    const [folder, ...others] = folders;
    if (folder === undefined)
      throw new UsageError(
        'Only addons outside of Pergola’s folder can be packed. Change to the addon’s folder, or name it.',
      );
    if (others.length > 0)
      throw new UsageError(`Name one addon: ${folders.map((place) => path.basename(place)).join(', ')}.`);
    if (!existsSync(path.join(folder, 'tsconfig.json')))
      throw new UsageError(`${folder} has no tsconfig.json. Only addons outside of the repository can be packed.`);
    // An addon's folder must have the addon's name; a package's folder doesn't.
    const target = path.join(folder, 'dist', path.basename(folder));
    io.out('JavaScript …');
    rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
    const files = globSync('**/*', { cwd: folder, exclude: isLeftOut, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    const code = files.filter((file) => /\.tsx?$/.test(file));
    await build({
      absWorkingDir: folder,
      entryPoints: code,
      outdir: target,
      outbase: folder,
      format: 'esm',
      target: 'es2024',
      jsx: 'automatic',
      // Bundles each file separately and only rewrites their import paths.
      bundle: true,
      treeShaking: false,
      plugins: [
        {
          name: 'names',
          setup: ({ onResolve }) =>
            onResolve({ filter: /./ }, ({ kind, path: specifier }) =>
              kind === 'entry-point' ? null : { external: true, path: specifier.replace(/^(\..*)\.tsx?$/, '$1.js') },
            ),
        },
      ],
    });
    for (const file of files.filter((candidate) => !code.includes(candidate)))
      cpSync(path.join(folder, file), path.join(target, file));
    io.out('Types (this may take a while) …');
    const { typedCount, faults } = writeDeclarations(folder, target, code);
    io.out(`${path.relative(process.cwd(), target)} contains ${files.length} files, ${typedCount} of them with types.`);
    for (const fault of faults) io.err(fault);
    if (platformOf(folder) === undefined)
      io.err('package.json doesn’t specify a Pergola version. Add "peerDependencies": { "pergola": "^<version>" }.');
    const [addonVersion, packageVersion] = [versionIn(folder, 'addon.ts'), versionIn(folder, 'package.json')];
    if (addonVersion !== packageVersion)
      io.err(
        `addon.ts has version ${addonVersion}, but package.json has ${packageVersion}. Use the same version in both.`,
      );
    return faults.length > 0 ? 1 : 0;
  },
};

/** Version range of Pergola in an addon's package.json. */
function platformOf(folder: string): string | undefined {
  const place = path.join(folder, 'package.json');
  const manifest: unknown = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
  return z.object({ peerDependencies: z.object({ pergola: z.string() }) }).safeParse(manifest).data?.peerDependencies
    .pergola;
}

function versionIn(folder: string, file: string): string | undefined {
  const place = path.join(folder, file);
  if (!existsSync(place)) return undefined;
  return /\bversion['"]?: ['"]([^'"]+)['"]/.exec(readFileSync(place, 'utf8'))?.[1];
}

/** Development files that aren't part of the addon. */
function isLeftOut(entry: { readonly name: string }): boolean {
  return /^(\.|(node_modules|dist|tests|var)$|(package(-lock)?|tsconfig|biome)\.json$)|\.tgz$/.test(entry.name);
}
