import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nearestTests } from '../nearest-tests.ts';

const root = mkdtempSync(join(tmpdir(), 'nearest-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(() => {
  const files = {
    'addons/shop/models/order.ts': '',
    'addons/shop/services/totals.ts': `import { Order } from '../models/order.ts';`,
    'addons/shop/services/unused.ts': '',
    'addons/shop/tests/kit.ts': `export * from '../services/totals.ts';`,
    'addons/shop/tests/orders.test.ts': `import {\n  Order,\n} from '../models/order.ts';`,
    'addons/shop/tests/order-browser.test.ts': `import { Order } from '../models/order.ts'; withBrowser();`,
    'addons/shop/tests/totals.test.ts': `import { makeTotals } from './kit.ts';`,
    'addons/events/tests/orders.test.ts': `import { Order } from '../../shop/models/order.ts';`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

test.each([
  ['a file that tests import', 'addons/shop/models/order.ts', ['addons/shop/tests/orders.test.ts']],
  ['a file that only a kit of tests imports', 'addons/shop/services/totals.ts', ['addons/shop/tests/totals.test.ts']],
  ['a file that nothing imports', 'addons/shop/services/unused.ts', []],
  ['a test', 'addons/shop/tests/order-browser.test.ts', ['addons/shop/tests/order-browser.test.ts']],
  ['a test that was deleted', 'addons/shop/tests/gone.test.ts', []],
])('The tests nearest to %s', (_what, file, tests) => {
  expect(nearestTests(root, file)).toEqual(tests);
});
