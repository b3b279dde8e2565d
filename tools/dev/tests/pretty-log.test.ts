import { BrokenAddons, createLog, NotFound } from '@pergola/core';
import { prettyLines } from '../pretty-log.ts';

test('At a terminal a line is readable, and a fault stands there once', () => {
  let text = '';
  const log = createLog(
    'info',
    { node: 'a' },
    prettyLines((more) => (text += more), false),
  );
  const problem = { addon: 'ship', file: 'addon.ts', line: 3, message: 'cannot be loaded.' };
  log.info({ method: 'GET', status: 200 }, 'Request');
  log.warn({ addon: 'ship', problem }, 'An addon cannot be used');
  log.error({ err: new BrokenAddons([problem]) }, 'A switch of addons failed');
  const err = new Error('thrown here');
  err.stack =
    'Error: thrown here\n    at ship.ts:1:1\n    at node:internal/process:5:2\n    at file:///x/node_modules/knex/a.js:1:1';
  log.error({ err }, 'Request failed');
  const refusal = new NotFound('There is none.', { code: 'ship.none' });
  refusal.stack = 'NotFound: There is none.';
  log.warn({ err: refusal }, 'Request refused');
  expect(text.replace(/^\d\d:\d\d:\d\d /gm, '')).toBe(`info Request method=GET status=200
WARN An addon cannot be used addon=ship
    ship addon.ts:3: cannot be loaded.
ERROR A switch of addons failed
ERROR Request failed
    Error: thrown here
        at ship.ts:1:1
        … 2 calls within Pergola and its packages
WARN Request refused
    NotFound: There is none.
    More: npx pergola explain ship.none
`);
});
