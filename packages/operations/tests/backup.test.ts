import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createLog } from '../../../core/base/log.ts';
import { createTestDatabase, eachDatabase } from '../../../tools/testing/databases.ts';
import { type Database, openDatabase, type TableSpec } from '../../db/index.ts';
import { openBlobStore } from '../../files/blob-store.ts';
import { readBackup } from '../backup.ts';
import { backupLines, writeBackupFile } from '../backups.ts';

const SECRET = 'the secret of this site';
const table: TableSpec = {
  name: 'thing',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'text' },
  ],
  indexes: [],
};

/** Lines of a backup that was taken apart, with one of them changed. */
const changed = (text: string, change: (lines: string[]) => string[]) =>
  gzipSync(
    change(text.trimEnd().split('\n'))
      .map((line) => `${line}\n`)
      .join(''),
  );
const inFile = (change: (line: string) => string) => (lines: string[]) =>
  lines.map((line) => (line.startsWith('{"file":"files/') ? change(line) : line));

/** Each way to damage a backup, and what is said of it. */
const damages: readonly (readonly [
  name: string,
  damage: (file: Buffer, text: string) => Uint8Array,
  message: RegExp,
])[] = [
  ['is cut off in its packing', (file) => file.subarray(0, file.length / 2), /file is incomplete/],
  ['is no packed file', () => Buffer.from('hello'), /is damaged or isn’t a Pergola backup/],
  [
    'has a changed byte',
    (file) => Buffer.from(file.map((byte, at) => (at === file.length - 6 ? byte ^ 1 : byte))),
    /damaged/,
  ],
  [
    'has a changed byte in a file',
    (_, text) =>
      changed(
        text,
        inFile((line) => line.replace(/"data":"./, '"data":"/')),
      ),
    /the content of files\/\w+\/\w+ was changed or damaged/,
  ],
  [
    'has a renamed file',
    (_, text) =>
      changed(
        text,
        inFile((line) => line.replace(/"files\/(..)\/..../, '"files/$1/$1ab')),
      ),
    /the content of files\/\w+\/\w+ was changed or damaged/,
  ],
  [
    'has a changed thumbnail',
    (_, text) => changed(text, (lines) => lines.map((line) => line.replace(/("file":"derived.*"data":")./, '$1/'))),
    /its content was changed or damaged/,
  ],
  [
    'lacks a file',
    (_, text) => changed(text, (lines) => lines.filter((line) => !line.startsWith('{"file":"files/'))),
    /should hold 2 files and holds 1/,
  ],
  [
    'has a changed row',
    (_, text) => changed(text, (lines) => lines.map((line) => line.replace('Ada', 'Eve'))),
    /its content was changed/,
  ],
  ['lacks its end', (_, text) => changed(text, (lines) => lines.slice(0, -1)), /it was cut off/],
  ['is cut off within a line', (_, text) => gzipSync(text.slice(0, text.length / 2)), /no line of JSON|cut off/],
  ['is cut off in a row', (_, text) => gzipSync(text.slice(0, text.indexOf('Ada'))), /no line of JSON/],
  ['is empty', () => gzipSync(''), /it was cut off/],
  ['is something else', () => gzipSync('{"a":1}\n'), /does not begin like a backup/],
];

eachDatabase('A backup', (dialect) => {
  let folder: string;
  const opened: (() => Promise<void>)[] = [];
  const open = async (name: string, secret = SECRET) => {
    const made = await createTestDatabase(dialect);
    const database = await openDatabase({ url: made.url, log: createLog('silent'), patience: 20 });
    opened.push(async () => {
      await database.close();
      await made.drop();
    });
    const dataDir = path.join(folder, name);
    return {
      database,
      dataDir,
      secret,
      blobs: openBlobStore({ dataDir, s3: null } as Parameters<typeof openBlobStore>[0]),
    };
  };
  const tablesIn = async (database: Database) => (await database.schema.introspect()).map(({ name }) => name);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
    const site = await open('site');
    const { steps } = site.database.schema.plan([table], []);
    await site.database.write(async (transaction) => {
      await site.database.schema.apply(transaction, steps);
      await transaction.query({ sql: "insert into thing (name) values ('Ada')", bindings: [] });
    });
    const content = Buffer.from('hello');
    const hash = createHash('sha256').update(content).digest('hex');
    await site.blobs.put(`files/${hash.slice(0, 2)}/${hash}`, content);
    await site.blobs.put(`derived/${hash.slice(0, 2)}/${hash}-12x12-webp`, Buffer.from('small'));
    await writeBackupFile(site, path.join(folder, 'whole'));
  });
  afterAll(async () => {
    for (const close of opened) await close();
    await rm(folder, { recursive: true });
  });

  test('is restored, and says if its secrets cannot be read', async () => {
    const lines = () => backupLines(path.join(folder, 'whole'));
    const same = await readBackup(await open('same'), lines);
    expect(same).toMatchObject({ rows: 1, files: 2, hasOtherKey: false });
    expect(await readBackup(await open('other', 'the secret of another site'), lines)).toMatchObject({
      hasOtherKey: true,
    });
  });

  test('of an older version, without a check sum, is restored after its files were checked', async () => {
    const text = gunzipSync(await readFile(path.join(folder, 'whole'))).toString();
    const older = (lines: string[]) => lines.slice(0, -1).map((line) => line.replace(/"key":"[^"]*",/, ''));
    const file = path.join(folder, 'older');
    await writeFile(file, changed(text, older));
    expect(await readBackup(await open('older-site'), () => backupLines(file))).toMatchObject({
      files: 2,
      hasOtherKey: false,
    });
    await writeFile(
      file,
      changed(text, (lines) => inFile((line) => line.replace(/"data":"./, '"data":"/'))(older(lines))),
    );
    await expect(readBackup(await open('older-damaged'), () => backupLines(file))).rejects.toThrow(
      /was changed or damaged/,
    );
  });

  test.each(damages)('that %s is refused, and nothing is stored', async (name, damage, message) => {
    const packed = await readFile(path.join(folder, 'whole'));
    const file = path.join(folder, 'damaged');
    await writeFile(file, damage(packed, gunzipSync(packed).toString()));
    const site = await open(name);
    const before = await tablesIn(site.database);
    const refused = readBackup(site, () => backupLines(file));
    await expect(refused).rejects.toMatchObject({ code: 'core.bad_backup', message: expect.stringMatching(message) });
    await expect(refused).rejects.toThrow(/Nothing was changed/);
    expect(await tablesIn(site.database)).toEqual(before);
    expect(await readdir(site.dataDir).catch(() => [])).toEqual([]);
  });
});
