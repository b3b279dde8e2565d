import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'pergola-test-';
/** In-memory file system on Linux. */
const inMemory = '/dev/shm';
/** Space for the concurrent databases of a run, with a margin, in bytes. */
const roomNeeded = 4e9;

/**
 * Creates a folder for everything that this test run writes. Its name contains the process id, by which later runs see whether it is still
 * in use.
 */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(placeToWrite(), `${prefix}${process.pid}-`));
  // If we run as root, PostgreSQL runs as another user and has to reach its own folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** Thousands of temporary databases don't need to reach a disk: on a slow one, waiting for it takes half of the time. */
function placeToWrite(): string {
  if (process.env.TMPDIR || process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomNeeded ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Removes the folder; retries for a while, since an ending process may still write to it. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Removes the folders of killed runs. */
export function sweepRunFolders(): void {
  for (const folder of [tmpdir(), inMemory].flatMap(leftIn)) {
    try {
      removeRunFolder(folder);
    } catch {
      // belongs to another user
    }
  }
}

/** Folders of runs that have ended. */
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
