import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeBackup } from '../../../core/app/backup.ts';
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
      const about = { tables: 0, rows: 0, files: 0 };
      const lines = Readable.from(writeBackup(database, openBlobStore(config), about));
      // Under its name only once it is whole.
      await pipeline(lines, createGzip(), createWriteStream(`${file}.part`, { flags: 'w', mode: 0o600 }));
      await rename(`${file}.part`, file);
      io.out(`${file}: ${about.rows} rows of ${about.tables} tables, ${about.files} files.`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
