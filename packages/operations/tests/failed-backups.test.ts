import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestApp, eachDatabase } from 'pergola/testing';
import { openBlobStore } from '../../files/index.ts';
import { runningBackup, writeBackupFile } from '../backups.ts';

eachDatabase('A backup that cannot be written', (database) => {
  it('lets go of the database, so that later ones succeed, and is known while it is written', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { config, database: opened } = app;
    const source = { database: opened, blobs: openBlobStore(config), secret: config.sessionSecret };
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const file = join(config.dataDir, 'missing', `${attempt}.backup`);
      await expect(writeBackupFile(source, file)).rejects.toThrow('ENOENT');
    }
    expect(await writeBackupFile(source, join(config.dataDir, 'x.backup'))).toMatchObject({
      tables: expect.any(Number),
    });
    const running = join(config.dataDir, 'backups', 'x.running');
    const progress = { startedAt: '2026-05-01T10:00:00.000Z', rows: 4, files: 2, bytes: 900 };
    await mkdir(join(config.dataDir, 'backups'), { recursive: true });
    await writeFile(running, JSON.stringify(progress));
    expect(await app.read(runningBackup)).toEqual(progress);
    await utimes(running, 0, 0);
    expect(await app.read(runningBackup)).toBeNull();
  });
});
