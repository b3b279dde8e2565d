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
  process.env.PERGOLA_TEST_FOLDER = folder;
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
