import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { loadConfig } from '../../../core/base/config.ts';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../db/index.ts';
import { openBlobStore } from '../blob-store.ts';
import { HashedFileStore } from '../file-store.ts';
import { filesPart } from '../part.ts';
import { sweepFiles } from '../sweep.ts';

it('leaves the sizes and types a picture is served in as long as a row names it, and then takes all of them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sweep-'));
  const blobs = openBlobStore(loadConfig({ DATA_DIR: folder, SESSION_SECRET: 'a secret of the tests' }, [filesPart]));
  const files = new HashedFileStore(blobs);
  const database = await openDatabase({ url: `sqlite:${folder}/site.db`, log: createLog('silent') });
  const { knex } = database;
  const run = (query: { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }) =>
    database.write((transaction) =>
      transaction.query(query.toSQL().toNative() as { sql: string; bindings: unknown[] }),
    );
  const listed = async (): Promise<string[]> => {
    const names = [];
    for (const kind of ['derived', 'files'] as const)
      for await (const { name } of blobs.list(kind)) {
        names.push(name);
        utimesSync(path.join(folder, name), new Date(0), new Date(0));
      }
    return names.sort();
  };
  await database.write((transaction) =>
    transaction.query({ sql: 'create table shown (image json text)', bindings: [] }),
  );
  const noise = await sharp({
    create: {
      width: 90,
      height: 60,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer();
  const file = await files.putImage(noise);
  await run(knex('shown').insert({ image: JSON.stringify(file) }));
  const box = { width: 45, height: 45 };
  const any = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  const made = [
    file,
    await files.resized(file, box),
    await files.resized(file, box, 'webp'),
    await files.resized(file, any, 'webp'),
  ];
  expect(new Set(made.map(({ hash }) => hash)).size).toBe(4);
  const all = await listed();
  expect(all.filter((name) => name.startsWith('derived/'))).toHaveLength(3);
  expect(await sweepFiles(database, blobs, new Date())).toBe(0);
  expect(await listed()).toEqual(all);
  await run(knex('shown').delete());
  expect(await sweepFiles(database, blobs, new Date())).toBe(4);
  expect(await listed()).toEqual([]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
