import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { readBackup } from '../../backup.ts';
import { loadConfig } from '../../config.ts';
import { openDatabase } from '../../db/index.ts';
import { InvalidInput } from '../../errors.ts';
import { openBlobStore } from '../../files/blob-store.ts';
import { createLog } from '../../log.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  summary: 'Puts a backup into an empty database and data folder',
  usage: '<file>',
  least: 1,
  async run({ words: [file = ''], io }) {
    const config = loadConfig(process.env);
    const source = createReadStream(file);
    await new Promise<void>((resolve, reject) => {
      source.once('open', () => resolve());
      source.once('error', () => reject(new InvalidInput(`There is no file ${file}.`, { code: 'core.no_backup' })));
    });
    const database = await openDatabase({ url: config.databaseUrl, log: createLog('warn') });
    try {
      const unpacked = source.pipe(createGunzip());
      source.on('error', (error) => unpacked.destroy(error));
      const lines = createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY });
      const { tables, rows, files } = await readBackup(database, openBlobStore(config), lines);
      io.out(`Restored ${rows} rows of ${tables} tables, ${files} files.`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
