import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';

export const command: Command = {
  summary: 'Writes an addon outside of the repository into its folder dist/<addon> as JavaScript, for `npm pack`',
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
    io.out(`${path.relative(process.cwd(), target)} holds ${files.length} files.`);
    const [own, of] = [versionIn(folder, 'addon.ts'), versionIn(folder, 'package.json')];
    if (own !== of)
      io.err(`addon.ts says version ${own}, package.json ${of}: whoever installs the package sees the latter.`);
    return 0;
  },
};

function versionIn(folder: string, file: string): string | undefined {
  const place = path.join(folder, file);
  if (!existsSync(place)) return undefined;
  return /\bversion['"]?: ['"]([^'"]+)['"]/.exec(readFileSync(place, 'utf8'))?.[1];
}

/** What belongs to the work on the addon, and not to the addon. */
function isLeftOut(entry: { readonly name: string }): boolean {
  return /^(\.|(node_modules|dist|tests|var)$|(package(-lock)?|tsconfig|biome)\.json$)/.test(entry.name);
}
