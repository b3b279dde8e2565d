import { createReadStream } from 'node:fs';
import { readBackup } from '../../../core/app/backup.ts';
import { backupLines } from '../../../core/app/backups.ts';
import type { Command } from '../../../core/app/commands.ts';
import { loadConfig } from '../../../core/base/config.ts';
import { InvalidInput } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/db/index.ts';
import { openBlobStore } from '../../../core/files/blob-store.ts';

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
      const { tables, rows, files } = await readBackup(database, openBlobStore(config), backupLines(source));
      io.out(`Restored ${rows} rows of ${tables} tables, ${files} files.`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
