import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDoor } from '../postgres/door.ts';
import { startPostgres } from '../postgres/start.ts';
import { atEnd } from './run.ts';
import { makeRunFolder, removeRunFolder, sweepRunFolders } from './run-folder.ts';

/**
 * Jest's globalSetup: creates a folder for everything the tests write, and a port where they request PostgreSQL, which starts on the first
 * request (many single tests need none). Both are removed when the run ends, however it ends.
 */
export default async function setup(): Promise<void> {
  shiftTime();
  sweepRunFolders();
  const folder = makeRunFolder();
  const door = await openDoor(() => startPostgres(join(folder, 'postgres')));
  // Compiled code is kept between runs; everything else in the folder for temporary files is deleted with the run.
  process.env.NODE_COMPILE_CACHE ||= join(tmpdir(), 'node-compile-cache');
  process.env[process.platform === 'win32' ? 'TEMP' : 'TMPDIR'] = folder;
  process.env.PERGOLA_TEST_POSTGRES = String(door.port);

  const remove = (): void => removeRunFolder(folder);
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void door.close().finally(() => {
        remove();
        process.kill(process.pid, signal);
      });
    });
  }
  atEnd(async () => {
    await door.close();
    remove();
  });
}

/** With `TEST_TIME=2026-12-31T23:30+01:00`, all processes of the run start at that time. */
function shiftTime(): void {
  const { TEST_TIME: time, NODE_OPTIONS: options = '' } = process.env;
  if (!time) return;
  const shift = Date.parse(time) - Date.now();
  if (Number.isNaN(shift))
    throw new Error(`TEST_TIME is “${time}”. Write a date and time, such as 2026-12-31T23:30+01:00.`);
  process.env.TEST_TIME_SHIFT = String(shift);
  process.env.NODE_OPTIONS = `${options} --import ${new URL('./shift-time.ts', import.meta.url).href}`;
}
