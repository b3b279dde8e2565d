import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { repository } from '@pergola/core';

/** Default folder for builds: `react` resolves from there. */
export const defaultBuildDir = path.join(repository, '.build');

/** How long old scripts stay available for pages that are open, cached, or served by an older process. */
const FORMER_MS = 7 * 24 * 3600_000;

/** Manifest written with a build, or null if there isn't a build. */
export async function readManifest<M extends object>(folder: string): Promise<M | null> {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as M);
}

/**
 * Writes a build to a draft folder and moves it into place as a whole, with its manifest; other processes read the old build until then.
 * `make` writes into the given folder; if it returns null, the old build stays.
 *
 * @param keepFormer whether the previous build's browser files stay for a week
 */
export async function replaceBuild<M extends object>(
  folder: string,
  keepFormer: boolean,
  make: (draft: string) => Promise<M | null>,
): Promise<M | null> {
  const draft = `${folder}.draft-${process.pid}-${machine()}-${randomUUID()}`;
  const oldBuild = `${draft}.former`;
  await mkdir(draft, { recursive: true });
  try {
    const manifest = await make(draft);
    if (!manifest) return null;
    if (keepFormer) await copyOldFiles(path.join(folder, 'browser'), path.join(draft, 'browser'));
    await writeFile(path.join(draft, 'manifest.json'), JSON.stringify(manifest));
    await moveIntoPlace(draft, folder, oldBuild);
    return manifest;
  } finally {
    await Promise.all([draft, oldBuild].map((place) => rm(place, { recursive: true, force: true })));
  }
}

/** Longer than any build takes. */
const MAX_DRAFT_AGE_MS = 3600_000;
/** `<name>.draft-<process>-<machine>-…`, optionally with `.former`. */
const draftName = /\.draft-(\d+)-([0-9a-f]{8})-[0-9a-f-]{36}(?:\.former)?$/;

/** Machines and containers may share a folder, but process ids are valid on one of them only. */
function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** Removes drafts left by processes that were killed during a build: drafts older than an hour, and drafts whose process has ended. */
export async function clearDrafts(buildDir: string = defaultBuildDir): Promise<void> {
  for (const kind of ['dev', 'production']) {
    for (const name of await readdir(path.join(buildDir, kind)).catch(() => [])) {
      const [suffix, pid, host] = draftName.exec(name) ?? [];
      if (suffix === undefined) continue;
      const place = path.join(buildDir, kind, name);
      const age = Date.now() - ((await stat(place).catch(() => null))?.mtimeMs ?? Date.now());
      const isGone = host === machine() && !isRunning(Number(pid));
      // Drafts that can't be removed do no harm.
      if (isGone || age > MAX_DRAFT_AGE_MS) await rm(place, { recursive: true, force: true }).catch(() => {});
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process runs, under a different user.
    return Error.isError(error) && 'code' in error && error.code === 'EPERM';
  }
}

/** Moves a build into place, unless another process has already put a build of the same sources there, which may be in use. */
async function moveIntoPlace(draft: string, folder: string, oldBuild: string): Promise<void> {
  const manifest = await readManifest(draft);
  for (let tries = 3; ; tries--) {
    try {
      // Atomic, and fails if the folder exists.
      return await rename(draft, folder);
    } catch (error) {
      if (isDeepStrictEqual(manifest, await readManifest(folder))) return;
      if (tries === 0) throw error;
    }
    await rm(oldBuild, { recursive: true, force: true });
    await rename(folder, oldBuild).catch(() => {});
  }
}

async function copyOldFiles(from: string, to: string): Promise<void> {
  const oldest = Date.now() - FORMER_MS;
  for (const name of await readdir(from).catch(() => [])) {
    const { mtimeMs } = await stat(path.join(from, name));
    if (mtimeMs < oldest) continue;
    await cp(path.join(from, name), path.join(to, name), { force: false, preserveTimestamps: true, recursive: true });
  }
}
