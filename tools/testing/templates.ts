import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase, type TestDialect } from './databases.ts';

/** Copies a database and data folder that `make` created the first time in this test run, in any worker. */
export async function copyTemplate(
  dialect: TestDialect,
  key: string,
  dataDir: string,
  make: (url: string, dataDir: string) => Promise<void>,
): Promise<TestDatabase> {
  const folder = path.join(
    tmpdir(),
    'templates',
    `${dialect}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`,
  );
  await once(folder, async () => {
    const database = await createTestDatabase(dialect);
    await make(database.url, path.join(folder, 'data'));
    writeFileSync(path.join(folder, 'url'), database.url);
  });
  cpSync(path.join(folder, 'data'), dataDir, { recursive: true });
  return createTestDatabase(dialect, readFileSync(path.join(folder, 'url'), 'utf8'));
}

/** Longer than the largest application takes to start at ten times the load. */
const LONGEST_MS = 600_000;

/** Runs the work unless it is already done; other processes that need it wait. */
async function once(folder: string, work: () => Promise<void>): Promise<void> {
  const doneFile = path.join(folder, 'done');
  const lock = `${folder}.lock`;
  mkdirSync(folder, { recursive: true });
  for (const end = performance.now() + LONGEST_MS; !existsSync(doneFile); ) {
    try {
      mkdirSync(lock);
    } catch {
      if (performance.now() > end) throw new Error(`No process completed ${folder}.`);
      await sleep(50);
      continue;
    }
    try {
      if (!existsSync(doneFile)) {
        await work();
        writeFileSync(doneFile, '');
      }
    } finally {
      rmdirSync(lock);
    }
  }
}
