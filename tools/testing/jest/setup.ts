import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDoor } from '../postgres/door.ts';
import { startPostgres } from '../postgres/start.ts';
import { atEnd } from './run.ts';
import { makeRunFolder, removeRunFolder, sweepRunFolders } from './run-folder.ts';

/**
 * jest's globalSetup: a folder for what the tests write, and a door at which they ask for PostgreSQL, which starts at the first knock (many a
 * run of a single test needs none). Both are gone when the run ends, however it ends.
 */
export default async function setup(): Promise<void> {
  sweepRunFolders();
  const folder = makeRunFolder();
  const door = await openDoor(() => startPostgres(join(folder, 'postgres')));
  // Compiled code is kept between runs; whatever else anybody writes to the folder for temporary files goes with the run.
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
