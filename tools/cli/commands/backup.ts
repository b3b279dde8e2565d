import { writeBackupFile } from '../../../core/app/backups.ts';
import type { Command } from '../../../core/app/commands.ts';
import { loadConfig } from '../../../core/base/config.ts';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/db/index.ts';
import { openBlobStore } from '../../../core/files/blob-store.ts';

export const command: Command = {
  summary: 'Writes database and files into one file, while the site runs',
  usage: '<file>',
  least: 1,
  async run({ words: [file = ''], io }) {
    const config = loadConfig(process.env);
    const database = await openDatabase({ url: config.databaseUrl, log: createLog('warn') });
    try {
      const { rows, tables, files } = await writeBackupFile(
        { database, blobs: openBlobStore(config), secret: config.sessionSecret },
        file,
      );
      io.out(`${file}: ${rows} rows of ${tables} tables, ${files} files.`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
