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

test('It leaves out options, fields of other models, and attributes that have the former name', async () => {
  const more = {
    'models/plot.ts': `import { extend, f, model } from 'pergola';
// Größe
export class Plot extends model('rota.plot', {
  name: f.char({ size: 80 }),
  size: f.integer(),
}, { order: 'size desc' }) {}
export class Bed extends model('rota.bed', {
  size: f.integer({ size: 3 }),
  plot_id: f.many2one('rota.plot', { domain: [['size', '>', 1]] }),
}) {}
export const larger = extend(Bed, { size: f.integer() });
export const wider = extend(Plot, { width: f.char({ size: 9, depends: ['size'] }) });
`,
    'islands/plot.tsx': 'export const Input = ({ plot }) => <input size="3" value={plot.width} />;\n',
    'templates/rota.plot.hbs':
      '<input size="3" name="width">\n<input name="size" value="{{values.size}}">\n{{> web.field size=size}}\n',
  };
  for (const [file, content] of Object.entries(more)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const { next } = await makePart(folder, 'migration', 'area', { rename: ['plot.size=area'] });
  expect(next.slice(0, -1)).toEqual([
    'Rename “size” to “area” by hand wherever it means the field:',
    '  models/plot.ts:5: size: f.integer(),',
    "  models/plot.ts:6: }, { order: 'size desc' }) {}",
    "  models/plot.ts:9: plot_id: f.many2one('rota.plot', { domain: [['size', '>', 1]] }),",
    "  models/plot.ts:12: export const wider = extend(Plot, { width: f.char({ size: 9, depends: ['size'] }) });",
    '  templates/rota.plot.hbs:2: <input name="size" value="{{values.size}}">',
    '  templates/rota.plot.hbs:3: {{> web.field size=size}}',
  ]);
});
