import { join } from 'node:path';
import { createTestApp, eachDatabase } from '#core/testing';
import { openBlobStore } from '../../files/index.ts';
import { writeBackupFile } from '../backups.ts';

eachDatabase('A backup that cannot be written', (database) => {
  it('lets go of the database, so that later ones succeed', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { config, database: opened } = app.application;
    const source = { database: opened, blobs: openBlobStore(config), secret: config.sessionSecret };
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const file = join(config.dataDir, 'missing', `${attempt}.backup`);
      await expect(writeBackupFile(source, file)).rejects.toThrow('ENOENT');
    }
    expect(await writeBackupFile(source, join(config.dataDir, 'x.backup'))).toMatchObject({
      tables: expect.any(Number),
    });
  }, 60_000);
});
