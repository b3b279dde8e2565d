import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Discovery, newestIn } from '@pergola/core';

/** What of the addons on disk is newer than what a database was last brought in line with. */
export interface CodeChanges {
  /** Names of addons with any file that is newer. */
  readonly addons: ReadonlySet<string>;
  /** Those of them with newer demo data. */
  readonly demo: ReadonlySet<string>;
  /** Whether records that are shipped may be other ones: pages count on them. */
  readonly records: boolean;
  /** Notes that the database is in line with the code this process loaded. */
  settle(): Promise<void>;
}

/** Where it is noted, by database: one data folder may be used with several while somebody develops. */
const FILE = 'development.json';

/** For development: what was saved since the database last followed the code. All counts as new where that is not known. */
export async function codeChanges(
  { dataDir, databaseUrl }: { readonly dataDir: string; readonly databaseUrl: string },
  { addons, since: loaded }: Pick<Discovery, 'addons' | 'since'>,
): Promise<CodeChanges> {
  const file = join(dataDir, FILE);
  const key = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  const settled = await readSettled(file);
  const since = settled[key] ?? 0;
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
      // What was saved while this process loaded its code may not be what it loaded.
      await writeFile(draft, JSON.stringify({ ...settled, [key]: loaded }));
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
