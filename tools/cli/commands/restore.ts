import { stat } from 'node:fs/promises';
import type { Command } from '@pergola/core';
import { createLog, InvalidInput, loadConfig } from '@pergola/core';
import { openDatabase } from '@pergola/db';
import { openBlobStore } from '@pergola/files';
import { backupLines, readBackup } from '@pergola/operations';
import { parts } from '../../parts.ts';

export const command: Command = {
  summary: 'Restores a backup into an empty database and data folder',
  usage: '<file>',
  least: 1,
  async run({ words: [file = ''], io }) {
    const config = loadConfig(process.env, parts);
    const stats = await stat(file).catch(() => null);
    if (!stats?.isFile()) throw new InvalidInput(`There is no file ${file}.`, { code: 'core.no_backup' });
    const database = await openDatabase({ url: config.databaseUrl, log: createLog('warn') });
    try {
      const source = { database, blobs: openBlobStore(config), secret: config.sessionSecret };
      const { tables, rows, files, hasOtherKey } = await readBackup(source, () => backupLines(file));
      io.out(`Restored ${rows} rows of ${tables} tables, ${files} files.`);
      if (hasOtherKey)
        io.err(
          'The backup was made with another SESSION_SECRET, so saved passwords, keys and authenticator apps can’t be decrypted. ' +
            'Start the site with the original SESSION_SECRET, or enter the passwords of the mail server, mailboxes, providers and payment methods again.',
        );
      return 0;
    } finally {
      await database.close();
    }
  },
};
