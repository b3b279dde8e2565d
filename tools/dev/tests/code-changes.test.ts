import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Discovery } from '../../../core/kernel/index.ts';
import { codeChanges } from '../code-changes.ts';

test('Files saved since the last start are told apart by kind', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'changes-'));
  const since = Date.now() + 60_000;
  const save = (path: string, at: number): void => {
    writeFileSync(join(dataDir, path), '');
    utimesSync(join(dataDir, path), at / 1000, at / 1000);
  };
  const addons = ['shelf', 'room'].map((name) => ({ name, folder: join(dataDir, name) }));
  for (const path of ['shelf/data', 'shelf/demo', 'room']) mkdirSync(join(dataDir, path), { recursive: true });
  const follow = () => codeChanges({ dataDir, databaseUrl: 'sqlite:x' }, { addons, since } as unknown as Discovery);
  const kinds = async () => {
    const { addons, demo, records } = await follow();
    return { addons: [...addons], demo: [...demo], records };
  };
  for (const path of ['shelf/addon.ts', 'shelf/data/books.ts', 'shelf/demo/books.ts', 'room/addon.ts'])
    save(path, since - 1000);
  expect(await kinds()).toEqual({ addons: ['shelf', 'room'], demo: ['shelf'], records: true });
  await (await follow()).settle();
  expect(await kinds()).toEqual({ addons: [], demo: [], records: false });
  save('room/addon.ts', since + 1000);
  expect(await kinds()).toEqual({ addons: ['room'], demo: [], records: false });
  save('shelf/data/books.ts', since + 1000);
  expect(await kinds()).toEqual({ addons: ['shelf', 'room'], demo: [], records: true });
  rmSync(dataDir, { recursive: true });
});
