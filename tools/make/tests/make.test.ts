import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePart } from '../make.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('A migration says that it raises the version of the package, too', async () => {
  writeFileSync(
    join(folder, 'addon.ts'),
    "import { defineAddon } from 'pergola';\nexport default defineAddon({ name: 'x', title: 'X', summary: 'X', version: '1.0.0' });\n",
  );
  writeFileSync(join(folder, 'package.json'), '{ "name": "x", "version": "1.0.0" }\n');
  const { changed } = await makePart(folder, 'migration', 'answers', { rename: ['part.remarks=notes'] });
  expect(changed).toEqual(['addon.ts', 'package.json']);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"version": "1.1.0"');
  const later = await makePart(folder, 'migration', 'again', { drop: ['part.color'], version: '1.1.0' });
  expect(later.changed).not.toContain('package.json');
});
