import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Discovery, newestIn } from '@pergola/core';

/** Addon code on disk that is newer than the state of a database. */
export interface CodeChanges {
  /** Names of addons with newer files. */
  readonly addons: ReadonlySet<string>;
  /** Names of addons with newer demo data. */
  readonly demo: ReadonlySet<string>;
  /** Whether shipped records may have changed, which pages depend on. */
  readonly records: boolean;
  /** Records that the database is up to date with the code loaded by this process. */
  settle(): Promise<void>;
}

/** Stores the state by database: in development, one data folder may be used with several. */
const FILE = 'development.json';

/** For development: files saved since the database was last updated. If that is unknown, everything counts as new. */
export async function codeChanges(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string },
  { addons, since: loaded }: Pick<Discovery, 'addons' | 'since'>,
): Promise<CodeChanges> {
  const file = join(dataDir, FILE);
  const key = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  const settledTimes = await readSettled(file);
  const since = settledTimes[key] ?? 0;
  const stamps = await Promise.all(
    addons.map(async ({ name, folder }) => ({
      name,
      all: await newestIn(folder),
      data: await newestIn(join(folder, 'data')),
      demo: await newestIn(join(folder, 'demo')),
    })),
  );
  return {
    addons: new Set(stamps.flatMap(({ name, all }) => (all > since ? [name] : []))),
    demo: new Set(stamps.flatMap(({ name, demo }) => (demo > since ? [name] : []))),
    records: stamps.some(({ data }) => data > since),
    async settle() {
      const draft = `${file}.${process.pid}`;
      // Files saved while this process was loading its code may not be the loaded versions.
      await writeFile(draft, JSON.stringify({ ...settledTimes, [key]: loaded }));
      await rename(draft, file);
    },
  };
}

async function readSettled(file: string): Promise<Readonly<Record<string, number>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}
