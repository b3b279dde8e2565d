import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '@pergola/core';
import type { Metafile } from 'esbuild';

/** The files that esbuild read; modules that the build itself made up are none, and have no stamp. */
export function inputsOf({ inputs }: Metafile): string[] {
  return Object.keys(inputs).map((file) => path.resolve(repository, file.replace(/^[a-z-]+:/, '')));
}

/** Whether files are as they were when these stamps were taken. */
export async function unchanged(inputs: Readonly<Record<string, string>>): Promise<boolean> {
  const now = await stampsOf(Object.keys(inputs));
  return Object.entries(inputs).every(([file, stamp]) => now[file] === stamp);
}

/**
 * Size and time of each file; of packages, which have no times of their own, the version. Files go by their path from the project's folder, which may be moved
 * or copied with its builds.
 *
 * @param began when the first of them was read, in ms. A file that was saved since may have been read before or after: its stamp is none that a
 *   file has, so that it counts as changed.
 */
export async function stampsOf(files: readonly string[], began = Infinity): Promise<Record<string, string>> {
  const whole = files.map((file) => path.resolve(repository, file));
  const unique = new Set(whole.map((file) => packageFile.exec(file)?.[1]?.concat('package.json') ?? file));
  const entries = await Promise.all(
    [...unique].map(async (file) => [path.relative(repository, file), await stampOf(file, began)] as const),
  );
  return Object.fromEntries(entries.flatMap(([file, stamp]) => (stamp === null ? [] : [[file, stamp]])));
}

/** A file of a package: its folder. */
const packageFile = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+\/)/;

async function stampOf(file: string, began: number): Promise<string | null> {
  try {
    if (packageFile.test(file)) return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
    const { size, mtimeMs } = await stat(file);
    // What was saved as the build began was there when it read.
    return mtimeMs > began + 2 && mtimeMs <= Date.now() ? 'saved meanwhile' : `${size} ${Math.round(mtimeMs)}`;
  } catch {
    return null;
  }
}
