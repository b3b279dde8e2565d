import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

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
  const draft = `${folder}.${randomUUID()}`;
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
