import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { access, f, model } from 'pergola';
import { createTestApp } from 'pergola/testing';
import type { Addon } from '../../../core/kernel/addon.ts';
import { buildRegistry } from '../build-registry.ts';
import { modelsWithoutAccess } from '../places.ts';

/** An addon with these files; answers what is wrong with it. */
async function problemsOf(files: Readonly<Record<string, string>>): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'shelf', file)), { recursive: true });
    writeFileSync(join(root, 'shelf', file), text);
  }
  const app = await createTestApp({ addons: ['shelf', 'web'], roots: [root] }).catch((error: unknown) => error);
  return app instanceof Error ? app.message : 'nothing';
}

const addon = `import { defineAddon } from 'pergola';
import { Book } from './models/book.ts';
import { rights } from './security.ts';
import { views } from './views.ts';
export default defineAddon({ name: 'shelf', title: 'Shelf', summary: 'Books', version: '1.0.0', depends: ['web'], models: [Book], access: [rights], views });
`;
const book = (fields: string): string => `import { f, model } from 'pergola';

export class Book extends model('shelf.book', {
  name: f.char({ required: true }),
${fields}
}) {}
`;
const security = (rights: string): string => `import { access } from 'pergola';
import { Book } from './models/book.ts';
export const rights = access(Book, {
  '*': 'r',
${rights}
});
`;
const views = (column: string): string => `import { view } from '@pergola/web';
import { Book } from './models/book.ts';
export const views = [
  view.list(Book, {
    columns: ['name',
      '${column}'],
  }),
];
`;

test('Problems of models, rights and views name the file and the line', async () => {
  const broken = await problemsOf({
    'addon.ts': addon,
    'models/book.ts': book("  shelf_id: f.many2one('shelf.nothing'),"),
    'security.ts': security("  'shelf.nobody': 'rw',"),
    'views.ts': views('name'),
  });
  expect(broken).toContain('shelf models/book.ts:5: “shelf.book.shelf_id” leads to the model “shelf.nothing”');
  expect(broken).toContain('shelf security.ts:5: The group “shelf.nobody”');
  expect(
    await problemsOf({
      'addon.ts': addon,
      'models/book.ts': book(''),
      'security.ts': security(''),
      'views.ts': views('nme'),
    }),
  ).toContain('shelf views.ts:6: the list of "shelf.book"');
});

test('Problems of services name the file and the line', async () => {
  const broken = await problemsOf({
    'addon.ts': `import { defineAddon } from 'pergola';
import { Lender } from './services/lender.ts';
export default defineAddon({ name: 'shelf', title: 'Shelf', summary: 'Books', version: '1.0.0', depends: ['web'], services: [Lender] });
`,
    'services/lender.ts': `import { service } from 'pergola';

class Clock extends service('shelf.clock') {}

export class Lender extends service('shelf.lender', {
  clock: Clock,
}) {}
`,
  });
  expect(broken).toContain(
    'shelf services/lender.ts:6: service "shelf.lender" needs service "shelf.clock" (as `clock`)',
  );
});

test('A model without an access list is told, one with an empty list is meant so', () => {
  class Shelf extends model('shelf.shelf', { name: f.char() }) {}
  class Loan extends model('shelf.loan', { name: f.char() }) {}
  const definition = { models: [Shelf, Loan], access: [access(Shelf, {})] };
  const { registry } = buildRegistry([{ name: 'shelf', ...definition }]);
  const addon = { name: 'shelf', folder: import.meta.dirname, definition } as unknown as Addon;
  expect(modelsWithoutAccess(registry, [addon])).toMatchObject([
    { addon: 'shelf', message: expect.stringContaining('“shelf.loan” has no access list'), line: expect.any(Number) },
  ]);
});
