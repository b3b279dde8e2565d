import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { repository } from '../../../core/base/addon-folders.ts';

export const command: Command = {
  summary:
    'Writes an addon outside of the repository into its folder dist/<addon> as JavaScript with types, for `npm pack`',
  usage: '<folder>',
  least: 1,
  async run({ words: [word = ''], io }) {
    const folder = path.resolve(word);
    if (!existsSync(path.join(folder, 'addon.ts'))) throw new UsageError(`${folder} holds no addon.ts.`);
    // An addon's folder is called like the addon; the one of a package is not.
    const target = path.join(folder, 'dist', path.basename(folder));
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
      // Each file by itself; only what they call each other changes.
      bundle: true,
      treeShaking: false,
      plugins: [
        {
          name: 'names',
          setup: ({ onResolve }) =>
            onResolve({ filter: /./ }, ({ kind, path: asked }) =>
              kind === 'entry-point' ? null : { external: true, path: asked.replace(/^(\..*)\.tsx?$/, '$1.js') },
            ),
        },
      ],
    });
    for (const file of files.filter((one) => !code.includes(one)))
      cpSync(path.join(folder, file), path.join(target, file));
    const declared = writeDeclarations(folder, target, code);
    io.out(`${path.relative(process.cwd(), target)} holds ${files.length} files, and types of ${declared} of them.`);
    if (platformOf(folder) === undefined)
      io.err('package.json names no version of Pergola. Add "engines": { "pergola": "^<version>" }.');
    const [own, of] = [versionIn(folder, 'addon.ts'), versionIn(folder, 'package.json')];
    if (own !== of)
      io.err(`addon.ts says version ${own}, package.json ${of}: whoever installs the package sees the latter.`);
    return 0;
  },
};

/**
 * Writes the types of an addon's code beside its JavaScript, for addons that import it.
 *
 * @returns how many files have types
 */
function writeDeclarations(folder: string, target: string, code: readonly string[]): number {
  const out = mkdtempSync(path.join(tmpdir(), 'types-'));
  try {
    const { root } = path.parse(folder);
    // The compiler goes through the core and other addons too, and writes their types; those that aren't the addon's are left.
    const words = [
      '--noEmit',
      'false',
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmitOnError',
      'false',
      '--outDir',
      out,
      '--rootDir',
      root,
    ];
    const script = path.join(repository, 'node_modules/typescript/bin/tsc');
    spawnSync(process.execPath, [script, ...words], { cwd: folder });
    const written = path.join(out, path.relative(root, folder));
    const declarations = code
      .map((file) => file.replace(/\.tsx?$/, '.d.ts'))
      .filter((file) => existsSync(path.join(written, file)));
    for (const file of declarations) cpSync(path.join(written, file), path.join(target, file));
    return declarations.length;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The range of versions of Pergola that a package names. */
function platformOf(folder: string): string | undefined {
  const place = path.join(folder, 'package.json');
  const manifest: unknown = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
  return z.object({ engines: z.object({ pergola: z.string() }) }).safeParse(manifest).data?.engines.pergola;
}

function versionIn(folder: string, file: string): string | undefined {
  const place = path.join(folder, file);
  if (!existsSync(place)) return undefined;
  return /\bversion['"]?: ['"]([^'"]+)['"]/.exec(readFileSync(place, 'utf8'))?.[1];
}

/** What belongs to the work on the addon, and not to the addon. */
function isLeftOut(entry: { readonly name: string }): boolean {
  return /^(\.|(node_modules|dist|tests|var)$|(package(-lock)?|tsconfig|biome)\.json$)/.test(entry.name);
}
