import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makePart } from '../make.ts';

const root = mkdtempSync(join(tmpdir(), 'former-names-'));
const folder = join(root, 'rota');
const files = {
  'addon.ts':
    "import { defineAddon } from 'pergola';\nexport default defineAddon({ name: 'rota', title: 'Rota', version: '1.0.0' });\n",
  'models/shift.ts': "export const fields = {\n  note: 1,\n  footnote: 2,\n};\nexport const model = 'rota.shift';\n",
  'templates/rota.list.hbs': '<ul>\n  <li>{{field this "note"}}</li>\n</ul>\n',
  'migrations/0001-first.ts': "export const column = 'note';\n",
};

beforeEach(() => {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('A migration that renames a field lists where code and templates still have the former name', async () => {
  const { next } = await makePart(folder, 'migration', 'remarks', { rename: ['shift.note=remark'] });
  expect(next.slice(0, 3)).toEqual([
    'Rename “note” to “remark” by hand wherever it means the field:',
    '  models/shift.ts:2: note: 1,',
    '  templates/rota.list.hbs:2: <li>{{field this "note"}}</li>',
  ]);
  expect(next[3]).toMatch(/^It runs once/);
  expect(readFileSync(join(folder, 'models/shift.ts'), 'utf8')).toContain('note: 1');
});

test('A migration that drops a field or renames a model does, too', async () => {
  const dropped = await makePart(folder, 'migration', 'drop', { drop: ['shift.footnote'] });
  expect(dropped.next.slice(0, 2)).toEqual([
    'Remove “footnote” by hand wherever it means the field:',
    '  models/shift.ts:3: footnote: 2,',
  ]);
  const renamed = await makePart(folder, 'migration', 'job', { 'rename-model': ['shift=job'] });
  expect(renamed.next.slice(0, 2)).toEqual([
    'Rename “rota.shift” to “rota.job” by hand wherever it means the model:',
    "  models/shift.ts:5: export const model = 'rota.shift';",
  ]);
});

test('It lists nothing when the code has the new name already', async () => {
  const { next } = await makePart(folder, 'migration', 'weight', { rename: ['shift.weight=load'] });
  expect(next[0]).toMatch(/^It runs once/);
});
