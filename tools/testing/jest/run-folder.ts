import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'pergola-test-';
/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';
/** Databases of a run side by side, with room to spare. */
const roomNeeded = 4e9;

/** A folder for all that this run of the tests writes; its name holds our process id, by which a later run sees whether it is still needed. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(placeToWrite(), `${prefix}${process.pid}-`));
  // PostgreSQL, which runs as another account where we are root, has to get through to its own folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** Thousands of databases that are thrown away need not reach a disk: on a slow one, waiting for it takes half of the time. */
function placeToWrite(): string {
  if (process.env.TMPDIR || process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomNeeded ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Removes it; tries again for a while, since a process that is just ending may still write. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of runs that were killed before they could do it. */
export function sweepRunFolders(): void {
  for (const folder of [tmpdir(), inMemory].flatMap(leftIn)) {
    try {
      removeRunFolder(folder);
    } catch {
      // another account's
    }
  }
}

/** The folders of runs that are over. */
function leftIn(parent: string): string[] {
  if (!existsSync(parent)) return [];
  const isLeft = (name: string): boolean => {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    return Number.isInteger(pid) && !isRunning(pid);
  };
  return readdirSync(parent)
    .filter(isLeft)
    .map((name) => join(parent, name));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
