import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { repository } from '@pergola/core';

/** Where builds are kept unless told otherwise: from there `react` resolves. */
export const defaultBuildDir = path.join(repository, '.build');

/** For so long pages that are open, kept or served by an older process find the scripts they were made with. */
const FORMER_MS = 7 * 24 * 3600_000;

/** What a build said of itself when it was made; null when there is none. */
export async function readManifest<M extends object>(folder: string): Promise<M | null> {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as M);
}

/**
 * Makes a build beside its place and moves it there whole, with its manifest: other processes read the old one until then. `make` writes into the
 * folder it is given; when it answers null, the place stays as it is.
 *
 * @param keepFormer whether the browser's files of the build before stay for a week
 */
export async function replaceBuild<M extends object>(
  folder: string,
  keepFormer: boolean,
  make: (draft: string) => Promise<M | null>,
): Promise<M | null> {
  const draft = `${folder}.draft-${process.pid}-${machine()}-${randomUUID()}`;
  const former = `${draft}.former`;
  await mkdir(draft, { recursive: true });
  try {
    const manifest = await make(draft);
    if (!manifest) return null;
    if (keepFormer) await takeAlong(path.join(folder, 'browser'), path.join(draft, 'browser'));
    await writeFile(path.join(draft, 'manifest.json'), JSON.stringify(manifest));
    await putInPlace(draft, folder, former);
    return manifest;
  } finally {
    await Promise.all([draft, former].map((place) => rm(place, { recursive: true, force: true })));
  }
}

/** No build takes so long. */
const OLDEST_DRAFT_MS = 3600_000;
/** `<name>.draft-<process>-<machine>-…`, also beside `.former`. */
const draftName = /\.draft-(\d+)-([0-9a-f]{8})-[0-9a-f-]{36}(?:\.former)?$/;

/** Machines, and containers, may share a folder; a process has its number in one of them only. */
function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** Removes drafts that processes left which were killed while they built: those older than an hour, and those whose process is gone. */
export async function clearDrafts(buildDir: string = defaultBuildDir): Promise<void> {
  for (const kind of ['dev', 'production']) {
    for (const name of await readdir(path.join(buildDir, kind)).catch(() => [])) {
      const [whole, pid, host] = draftName.exec(name) ?? [];
      if (whole === undefined) continue;
      const place = path.join(buildDir, kind, name);
      const age = Date.now() - ((await stat(place).catch(() => null))?.mtimeMs ?? Date.now());
      const isGone = host === machine() && !isRunning(Number(pid));
      // Where nothing can be removed it does no harm either.
      if (isGone || age > OLDEST_DRAFT_MS) await rm(place, { recursive: true, force: true }).catch(() => {});
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, as somebody else's.
    return Error.isError(error) && 'code' in error && error.code === 'EPERM';
  }
}

/** Moves a build to its place, unless another process was faster with the same sources and may already read its files: they stay. */
async function putInPlace(draft: string, folder: string, former: string): Promise<void> {
  const ours = await readManifest(draft);
  for (let tries = 3; ; tries--) {
    try {
      // In one step, and only where nothing stands.
      return await rename(draft, folder);
    } catch (error) {
      if (isDeepStrictEqual(ours, await readManifest(folder))) return;
      if (tries === 0) throw error;
    }
    await rm(former, { recursive: true, force: true });
    await rename(folder, former).catch(() => {});
  }
}

async function takeAlong(from: string, to: string): Promise<void> {
  const oldest = Date.now() - FORMER_MS;
  for (const name of await readdir(from).catch(() => [])) {
    const { mtimeMs } = await stat(path.join(from, name));
    if (mtimeMs < oldest) continue;
    await cp(path.join(from, name), path.join(to, name), { force: false, preserveTimestamps: true, recursive: true });
  }
}
