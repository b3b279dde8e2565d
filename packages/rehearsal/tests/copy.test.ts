import { existsSync, mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Addon, createLog } from '@pergola/core';
import { copyDatabase, openDatabase } from '@pergola/db';
import { openBlobStore } from '@pergola/files';
import { createTestDatabase, eachDatabase } from '../../../tools/testing/databases.ts';
import { keepCode, keptCode } from '../kept-code.ts';
import { refuseConnections } from '../outgoing.ts';

const log = createLog('silent');
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'copy-'));

eachDatabase('A copy of a database', (dialect) => {
  test('has the rows of the moment, and neither changes the other', async () => {
    const original = await createTestDatabase(dialect);
    const database = await openDatabase({ url: original.url, log });
    const count = async (url: string): Promise<number> => {
      const opened = await openDatabase({ url, log });
      const { rows } = await opened.reader.query({ sql: 'select count(*) as total from club', bindings: [] });
      await opened.close();
      return Number(rows[0]?.total);
    };
    const insert = (opened: typeof database) =>
      opened.write((transaction) => transaction.query({ sql: "insert into club (name) values ('Ann')", bindings: [] }));
    const columns = [
      { name: 'id', kind: 'id' as const },
      { name: 'name', kind: 'text' as const },
    ];
    await database.write((transaction) =>
      database.schema.apply(transaction, [{ type: 'createTable', table: { name: 'club', columns, indexes: [] } }]),
    );
    await insert(database);
    // The original is in use, the first copy isn't.
    const copy = await copyDatabase({ url: original.url, log });
    const second = await copyDatabase({ url: copy.url, log });
    await insert(database);
    expect(await count(copy.url)).toBe(1);
    const changed = await openDatabase({ url: second.url, log });
    await insert(changed);
    await insert(changed);
    await changed.close();
    expect([await count(original.url), await count(copy.url), await count(second.url)]).toEqual([2, 1, 3]);
    await second.remove();
    await copy.remove();
    await database.close();
    await expect(count(copy.url)).rejects.toThrow();
    await original.drop();
  });
});

test('files of a site are read by its copy, and never changed', async () => {
  const [dataDir, copyFolder] = [newFolder(), newFolder()];
  const config = { dataDir, s3: null } as never;
  const live = openBlobStore(config);
  const copy = openBlobStore({ dataDir: copyFolder, s3: null, filesBelow: config } as never);
  await live.put('files/aa/one', Buffer.from('one'));
  expect(String(await copy.get('files/aa/one'))).toBe('one');
  await copy.put('files/bb/two', Buffer.from('two'));
  await copy.remove('files/aa/one');
  const names: string[] = [];
  for await (const { name } of copy.list('files')) names.push(name);
  expect(names).toEqual(['files/bb/two']);
  expect([await copy.has('files/aa/one'), await live.has('files/aa/one'), await live.has('files/bb/two')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('no connection leaves a copy, except to the hosts it needs', async () => {
  const server = createServer((_, reply) => void reply.end('hello')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const strict = refuseConnections([]);
  await expect(fetch(url)).rejects.toMatchObject({ cause: { message: expect.stringContaining('127.0.0.1') } });
  expect([...strict.refused]).toEqual(['127.0.0.1']);
  strict.release();
  const open = refuseConnections(['127.0.0.1']);
  expect(await (await fetch(url)).text()).toBe('hello');
  open.release();
  server.closeAllConnections();
  server.close();
});

test('the code of a served version is kept as it was loaded, and older versions go', async () => {
  const [dataDir, root] = [newFolder(), newFolder()];
  const folder = join(root, 'club');
  mkdirSync(join(folder, 'node_modules/x'), { recursive: true });
  writeFileSync(join(folder, 'addon.ts'), 'first');
  const addon = (version: string): Addon => ({ name: 'club', folder, definition: { version } }) as never;
  const past = new Date(Date.now() - 10_000);
  for (const path of [join(folder, 'addon.ts'), folder]) utimesSync(path, past, past);
  await keepCode(dataDir, [addon('1.0.0')], Date.now(), log);
  expect(readdirSync(keptCode(dataDir, 'club', '1.0.0'))).toEqual(['addon.ts']);
  // Saved after the process has loaded it.
  writeFileSync(join(folder, 'addon.ts'), 'second');
  await keepCode(dataDir, [addon('1.1.0')], past.getTime() + 1_000, log);
  expect(existsSync(keptCode(dataDir, 'club', '1.1.0'))).toBe(false);
  await keepCode(dataDir, [addon('1.1.0')], Date.now() + 1_000, log);
  expect(readdirSync(join(dataDir, 'code'))).toEqual(['club-1.1.0']);
});
