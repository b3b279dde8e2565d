import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '@pergola/core';
import type { Metafile } from 'esbuild';

/** Files read by esbuild, without virtual modules of the build, which have no stamp. */
export function inputsOf({ inputs }: Metafile): string[] {
  return Object.keys(inputs).map((file) => path.resolve(repository, file.replace(/^[a-z-]+:/, '')));
}

/** Whether the files still have these stamps. */
export async function unchanged(inputs: Readonly<Record<string, string>>): Promise<boolean> {
  const now = await stampsOf(Object.keys(inputs));
  return Object.entries(inputs).every(([file, stamp]) => now[file] === stamp);
}

/**
 * Stamps of files: size and time of each file, or the version for packages, whose files have no useful times. Paths are relative to the
 * project folder, which may be moved or copied together with its builds.
 *
 * @param startedAt time in ms when the first file was read. A file saved later may have been read before or after that: its stamp matches no
 * file, so that it counts as changed.
 */
export async function stampsOf(files: readonly string[], startedAt = Infinity): Promise<Record<string, string>> {
  const paths = files.map((file) => path.resolve(repository, file));
  const unique = new Set(paths.map((file) => packageFile.exec(file)?.[1]?.concat('package.json') ?? file));
  const entries = await Promise.all(
    [...unique].map(async (file) => [path.relative(repository, file), await stampOf(file, startedAt)] as const),
  );
  return Object.fromEntries(entries.flatMap(([file, stamp]) => (stamp === null ? [] : [[file, stamp]])));
}

/** Folder of a file in a package. */
const packageFile = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+\/)/;

async function stampOf(file: string, startedAt: number): Promise<string | null> {
  try {
    if (packageFile.test(file)) return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
    const { size, mtimeMs } = await stat(file);
    // The build read files saved up to its start in their saved state.
    return mtimeMs > startedAt + 2 && mtimeMs <= Date.now() ? 'saved meanwhile' : `${size} ${Math.round(mtimeMs)}`;
  } catch {
    return null;
  }
}
