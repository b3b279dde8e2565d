import type { Command } from '@pergola/core';
import { createLog } from '@pergola/core';
import { openDatabase } from '@pergola/db';
import { openBlobStore } from '@pergola/files';
import { writeBackupFile } from '@pergola/operations';
import { existingSite } from '../existing-site.ts';

export const command: Command = {
  summary: 'Backs up the database and files of a running site into one file',
  usage: '<file>',
  least: 1,
  async run({ words: [file = ''], io }) {
    const config = await existingSite();
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
