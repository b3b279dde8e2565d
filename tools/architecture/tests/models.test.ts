import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerResolve } from '@pergola/core';
import { loadAddons } from '../../templates/loaded-addons.ts';
import { modelWarnings } from '../models.ts';

const root = mkdtempSync(join(tmpdir(), 'models-'));
const undo = registerResolve([root]);
afterAll(() => {
  undo();
  rmSync(root, { recursive: true, force: true });
});

/** Writes an addon with two models, one of which has an access list. */
function write(name: string, ...depends: string[]): string {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(
    join(root, name, 'addon.ts'),
    `import { access, defineAddon, f, model } from 'pergola';
class Open extends model('${name}.open', { name: f.char() }, { label: 'Open' }) {}
class Closed extends model('${name}.closed', { name: f.char() }, { label: 'Closed' }) {}
export default defineAddon({
  name: '${name}', title: 'Club', summary: 'Club', version: '1.0.0', depends: ${JSON.stringify(depends)},
  models: [Open, Closed], access: [access(Open, { '${name}.nobody': 'r' })],
});
`,
  );
  return join(root, name);
}

test('Only a model without an access list is warned of', async () => {
  expect(await modelWarnings([write('club')])).toEqual([
    expect.stringMatching(/^club addon\.ts:3: “club\.closed” has no access list/),
  ]);
});

test('What addons declare and isn’t there is told with its place', async () => {
  const { problems } = await loadAddons([write('lodge'), write('lost', 'lodg')]);
  expect(problems).toEqual([
    expect.objectContaining({ addon: 'lost', file: 'addon.ts', message: expect.stringContaining('"lodg"') }),
    expect.objectContaining({ addon: 'lodge', file: 'addon.ts', message: expect.stringContaining('lodge.nobody') }),
  ]);
});
