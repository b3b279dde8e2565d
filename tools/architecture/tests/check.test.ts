import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkArchitecture } from '../check.ts';

/** Checks a checkout of these files, and answers each problem as `rule file:line`. */
function check(files: Record<string, string>): string[] {
  return problems(files).map(({ rule, file, line }) => `${rule} ${file}:${line}`);
}

function problems(files: Record<string, string>): ReturnType<typeof checkArchitecture> {
  const root = mkdtempSync(join(tmpdir(), 'law-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkArchitecture(root);
}

const addon = (name: string, ...depends: string[]): Record<string, string> => ({
  [`addons/${name}/addon.ts`]: `import { defineAddon } from '#core';\nexport default defineAddon({ name: '${name}', depends: ${JSON.stringify(depends)} });`,
  [`addons/${name}/index.ts`]: '',
});

describe('The core', () => {
  test('imports no addon, neither by name nor by path, nor only its types', () => {
    const found = check({
      ...addon('shop'),
      'core/kernel.ts': `// é\nimport '#addons/shop';\nimport type { A } from '../addons/shop/index.ts';\nexport * from './x.ts';`,
      'core/tests/kernel.test.ts': `import '#addons/shop';`,
      'server.ts': `import './addons/shop/index.ts';`,
    });
    expect(found).toEqual([
      'core-imports-addon core/kernel.ts:2',
      'core-imports-addon core/kernel.ts:3',
      'core-imports-addon core/tests/kernel.test.ts:1',
      'core-imports-addon server.ts:1',
    ]);
  });

  test('may use fixture addons in its tests, and nowhere else', () => {
    const found = check({
      'tools/testing/fixtures/fx/addon.ts': `export default defineAddon({ name: 'fx' });`,
      'core/tests/kernel.test.ts': `import fx from '../../tools/testing/fixtures/fx/addon.ts';`,
      'core/kernel.ts': `import fx from '../tools/testing/fixtures/fx/addon.ts';`,
    });
    expect(found).toEqual(['core-imports-addon core/kernel.ts:1']);
  });

  test('uses tools in its tests only', () => {
    const files = { 'tools/kit.ts': '', 'core/tests/a.test.ts': `import '../../tools/kit.ts';` };
    expect(check({ ...files, 'core/a.ts': `import type { Kit } from '../tools/kit.ts';` })).toEqual([
      'core-imports-tools core/a.ts:1',
    ]);
  });

  test('has parts that use those below them, by their faces', () => {
    const files = { 'core/base/index.ts': '', 'core/base/a.ts': '', 'core/http/index.ts': '' };
    const found = check({
      ...files,
      'core/http/b.ts': `import '../base/index.ts';\nimport '../base/a.ts';\nimport './index.ts';`,
      'core/base/b.ts': `import type { B } from '../http/index.ts';`,
      'core/http/tests/b.test.ts': `import '../../base/a.ts';`,
    });
    expect(found).toEqual(['part-order core/base/b.ts:1', 'part-inside core/http/b.ts:2']);
  });

  test('does not import its own public face', () => {
    expect(check({ 'core/a.ts': `import '#core';`, 'core/tests/a.test.ts': `import '#core';` })).toEqual([
      'foreign-import core/a.ts:1',
    ]);
  });
});

describe('An addon', () => {
  test('imports of the core its public faces only, and those for tests only in tests', () => {
    const found = check({
      ...addon('shop'),
      'addons/shop/a.ts': `import '#core';\nimport '#core/browser';\nimport '#core/testing';\nimport '#core/model/types';\nimport '../../core/db.ts';`,
      'addons/shop/tests/a.test.ts': `import '#core/testing';`,
    });
    expect(found).toEqual([3, 4, 5].map((line) => `foreign-import addons/shop/a.ts:${line}`));
  });

  test('imports of other addons those it depends on, also through others, and only their public faces', () => {
    const found = check({
      ...addon('base'),
      ...addon('web', 'base'),
      ...addon('shop', 'web'),
      ...addon('forum', 'web'),
      'addons/shop/a.ts': [
        `import '#addons/base';`,
        `import '#addons/web/browser';`,
        `import '#addons/forum';`,
        `type A = import('#addons/forum').A;`,
        `await import('#addons/forum/browser');`,
        `import '#addons/web/models/menu.ts';`,
        `import '../web/index.ts';`,
        `import '#addons/shop';`,
        `import '#addons/shop/browser';`,
      ].join('\n'),
    });
    expect(found).toEqual([
      ...[3, 4, 5].map((line) => `undeclared-dependency addons/shop/a.ts:${line}`),
      ...[6, 7, 8].map((line) => `foreign-import addons/shop/a.ts:${line}`),
    ]);
  });

  test('says what it depends on as a plain list', () => {
    const text = `const names = ['base'];\nexport default defineAddon({ name: 'shop', depends: names });`;
    expect(check({ 'addons/shop/addon.ts': text })).toEqual(['manifest addons/shop/addon.ts:2']);
  });

  test('in a circle of dependencies is checked all the same', () => {
    expect(
      check({ ...addon('a', 'b'), ...addon('b', 'a'), 'addons/a/x.ts': `import '#addons/b';\nimport '#addons/c';` }),
    ).toEqual(['undeclared-dependency addons/a/x.ts:2']);
  });
});

describe('Browser code', () => {
  test('is not imported by the server where it is JSX', () => {
    const found = check({
      ...addon('shop'),
      'addons/shop/islands/cart.tsx': '',
      'addons/shop/a.ts': `import { Cart } from './islands/cart.tsx';\nimport type { B } from './islands/cart.tsx';\nimport('./islands/cart.tsx');`,
      'addons/shop/islands/tests/cart.test.tsx': `import { Cart } from '../cart.tsx';`,
      'addons/shop/islands/list.tsx': `import { Cart } from './cart.tsx';`,
    });
    expect(found).toEqual(['server-imports-tsx addons/shop/a.ts:1', 'server-imports-tsx addons/shop/a.ts:3']);
  });

  test('says so where a script follows a link itself, since the first tap comes before the script', () => {
    const link = (attributes: string) => `<a href="/x" ${attributes}>x</a>`;
    const file = [
      'const stop = (event) => event.preventDefault();',
      'function plain(event) { stop(event); return true; }',
      `export const a = ${link('onClick={(event) => event.preventDefault()}')};`,
      `export const b = ${link('onClick={stop}')};`,
      `export const c = ${link('onClick={(event) => plain(event) && go()}')};`,
      `export const d = ${link('data-in-place onClick={stop}')};`,
      `export const e = ${link('onClick={() => count()}')};`,
      `export const g = ${link('role="button" onClick={stop}')};`,
      'export const f = <button type="button" onClick={stop}>x</button>;',
    ].join('\n');
    const found = check({
      ...addon('shop'),
      'addons/shop/islands/cart.tsx': file,
      'addons/shop/kit.tsx': file,
      'addons/shop/backend/kit/list.tsx': file,
    });
    expect(found).toEqual(
      ['islands/cart', 'kit'].flatMap((name) => [3, 4, 5].map((line) => `late-link addons/shop/${name}.tsx:${line}`)),
    );
  });

  test('asks the server in the language of its page', () => {
    const text = `await fetch('/x');\nnew EventSource('/y');\nawait request('/z');`;
    const found = check({ ...addon('shop'), 'addons/shop/islands/cart.tsx': text, 'addons/shop/routes.ts': text });
    expect(found).toEqual([1, 2].map((line) => `bare-fetch addons/shop/islands/cart.tsx:${line}`));
  });

  test('takes nothing along that is for the server, however it is reached', () => {
    const files = {
      ...addon('base'),
      ...addon('shop', 'base'),
      'addons/shop/islands/cart.tsx': `import { rpc } from '#core';\nimport type { Ctx } from '#core';\nimport '#core/browser';\nimport '../shared.ts';\nimport 'react';`,
      'addons/shop/shared.ts': `import './deep.ts';`,
      'addons/shop/deep.ts': `import fs from 'node:fs';\nimport '#addons/base';\nimport '#addons/base/browser';`,
      'addons/shop/server-only.ts': `import 'node:fs';`,
      'addons/shop/behaviours/slider.ts': `import 'path';`,
      'addons/shop/browser.ts': `export * from '#core/testing';`,
    };
    expect(check(files)).toEqual([
      'browser-imports-server addons/shop/behaviours/slider.ts:1',
      'foreign-import addons/shop/browser.ts:1',
      'browser-imports-server addons/shop/browser.ts:1',
      'browser-imports-server addons/shop/deep.ts:1',
      'browser-imports-server addons/shop/deep.ts:2',
      'browser-imports-server addons/shop/islands/cart.tsx:1',
    ]);
    const deep = problems(files).find(({ file }) => file === 'addons/shop/deep.ts');
    expect(deep?.message).toContain('addons/shop/islands/cart.tsx imports it');
  });

  test('imports props schemas by type only; the word inside the braces is not enough', () => {
    const found = check({
      ...addon('shop'),
      'addons/shop/islands/cart.props.ts': `import { z } from '#core';`,
      'addons/shop/islands/cart.tsx': `import type { Props } from './cart.props.ts';\nimport { type Props as P } from './cart.props.ts';\nimport { schema } from './cart.props.ts';`,
      'addons/shop/routes.ts': `import { schema } from './islands/cart.props.ts';`,
    });
    expect(found).toEqual([2, 3].map((line) => `props-imported-by-value addons/shop/islands/cart.tsx:${line}`));
  });
});

describe('A module', () => {
  test('keeps nothing that can change', () => {
    const text = [
      'let a = 1;',
      'export var b;',
      'declare let c: string;',
      'const d = new Map<string, string>();',
      "const e = new Set(['x']), f: string[] = [], g = Object.freeze([]), h = new WeakMap();",
      'export const i = {} as Record<string, string>;',
      'class J { static k = new Set(); static readonly l = 1; m = []; }',
      'function n() { let o = 1; return o; }',
    ].join('\n');
    expect(check({ 'core/a.ts': text })).toEqual([1, 2, 4, 5, 6, 7].map((line) => `mutable-module core/a.ts:${line}`));
    expect(check({ 'core/tests/a.test.ts': text })).toEqual([]);
  });

  test('may keep what it knows of its page where it only ever runs in one', () => {
    const found = check({
      ...addon('shop'),
      'core/browser/a.ts': 'let a;',
      'addons/shop/behaviours/a.ts': 'let a;',
      'addons/shop/islands/a.tsx': 'let a;',
    });
    expect(found).toEqual(['mutable-module addons/shop/islands/a.tsx:1']);
  });

  test('counts other records under a lock before it refuses something', () => {
    const text = [
      'class A {',
      '  async bad(ids) {',
      '    if ((await this.count([])) === 0) throw new Conflict("One must remain.");',
      '  }',
      '  async #hidden(ids) {',
      '    const left = await this.ctx.sudo().model(B).count([]);',
      '    if (left === 0) throw refusal();',
      '  }',
      '  async good(ids) {',
      '    const left = await this.invariant(B, ids, () => this.count([]));',
      '    if (left === 0) throw new Conflict("One must remain.");',
      '  }',
      '  async locked(ids) {',
      '    await this.#lockOwner();',
      '    if ((await this.count([])) > 9) throw new Conflict("Nine are enough.");',
      '  }',
      '  async missing(id) {',
      '    if ((await this.count([])) === 0) throw new NotFound("It doesn’t exist.");',
      '  }',
      '  async shown(id) { return this.count([]); }',
      '}',
    ].join('\n');
    const files = { 'addons/shop/models/a.ts': text, 'addons/shop/pages/a.ts': text };
    expect(check({ ...addon('shop'), ...files })).toEqual(
      ['a.ts:3', 'a.ts:6'].map((place) => `unlocked-count addons/shop/models/${place}`),
    );
  });

  test('compares email addresses by their key', () => {
    const text = [
      'const same = email.toLowerCase() === other;',
      'const holders = rows.map(({ login }) => login.trim().toLowerCase());',
      'const order = row.invoice_email?.toLocaleLowerCase();',
      'const right = emailKey(email) === key && name.toLowerCase() === "hana";',
    ].join('\n');
    const files = {
      'addons/shop/services/a.ts': text,
      'addons/shop/tests/a.test.ts': text,
      'core/mail/address.ts': text,
    };
    expect(check({ ...addon('shop'), ...files })).toEqual(
      [1, 2, 3].map((line) => `lowered-address addons/shop/services/a.ts:${line}`),
    );
  });

  test('reads every argument that its routes and methods take', () => {
    const text = [
      'const shape = z.object({ a: z.string(), unused: z.string() });',
      "export const one = route.rpc('/1', { input: shape }, ({ input: { a } }) => a);",
      "export const two = route.rpc('/2', {",
      '  input: z.object({ a: z.string(),',
      '    load: z.string() }),',
      '}, async ({ ctx, input }) => ctx.find(input.a));',
      "export const whole = route.rpc('/3', { input: z.object({ a: z.string() }) }, ({ input }) => read(input));",
      "export const call = route.rpc('/4', { input: z.object({ a: z.string() }) }, (call) => answer(call));",
      "export const early = route.form('/5', { body: z.object({ a: z.string() }), writes: ({ body }) => body.a === '1' }, () => 1);",
      "export const parts = route.page('/6', { query: z.object({ a: z.string() }) }, ({ query }) => { const { a } = query; return a; });",
      'const read = method(z.object({ ids: z.any(), lazy: z.any() }), (call, { ids }) => ids);',
    ].join('\n');
    expect(check({ ...addon('shop'), 'addons/shop/routes/a.ts': text })).toEqual(
      [1, 5, 11].map((line) => `unread-argument addons/shop/routes/a.ts:${line}`),
    );
  });

  test('ships no French sign that could stand on a line of its own', () => {
    const text = [
      "export const title = { en_US: 'Why?', fr_FR: 'Pourquoi ?' };",
      'export const lead = () => `<a href="/">« Ici »</a>`;',
      "export const good = { fr_FR: 'Pourquoi\\u00a0? («\\u00a0a:b\\u00a0»)' };",
      'export const either = (one: boolean) => (one ? 1 : 2);',
    ].join('\n');
    const files = { 'addons/shop/data/a.ts': text, 'addons/shop/demo/b/a.ts': text, 'addons/shop/pages/a.ts': text };
    expect(check({ ...addon('shop'), ...files })).toEqual(
      ['data/a.ts:1', 'data/a.ts:2', 'demo/b/a.ts:1', 'demo/b/a.ts:2'].map(
        (place) => `french-plain-space addons/shop/${place}`,
      ),
    );
  });

  test('compares no secret letter by letter', () => {
    const text = [
      'if (token === given) x();',
      'if (row.access_token != given) x();',
      "if (body['signature'] === sign(body)) x();",
      'if (given === this.csrfToken) x();',
      'if ((await hmac) !== (given as string)) x();',
      'if (row?.secret === given) x();',
      "if (token === undefined || token === null || token === '' || typeof token === kind) x();",
      'if (tokens === given || token.length === given.length || tokenizer === given) x();',
    ].join('\n');
    expect(check({ 'core/a.ts': text })).toEqual([1, 2, 3, 4, 5, 6].map((line) => `secret-compared core/a.ts:${line}`));
  });

  test('makes safe strings only in core/page', () => {
    const text = `import H from 'handlebars';\nnew H.SafeString('x');`;
    expect(check({ 'core/page/a.ts': text, 'core/mail/a.ts': text })).toEqual(['safe-string core/mail/a.ts:2']);
  });

  test('changes no table the way that loses rows', () => {
    const text = `table.string('name').alter();\ntable.dropColumn('name');\ntable?.dropColumns('a', 'b');\nschema.dropColumn('table', 'name');\nalter();`;
    expect(check({ 'core/a.ts': text })).toEqual([1, 2, 3].map((line) => `destructive-migration core/a.ts:${line}`));
  });

  test('makes nothing for a request that outlives it', () => {
    const text = [
      'this.settle = () => done();',
      'this.#settle ??= async function () {};',
      'list[0] = (x) => x;',
      'const view = Object.create(session);',
      'const settle = () => done(); this.settle = settle; const o = { settle: () => 1 };',
      'const map = Object.create(null);',
    ].join('\n');
    expect(check({ 'core/a.ts': text })).toEqual([1, 2, 3, 4].map((line) => `outlives-request core/a.ts:${line}`));
    expect(check({ 'core/tests/a.test.ts': text, 'core/browser/a.ts': text.slice(0, 26) })).toEqual([]);
  });

  test('that is no TypeScript is told with the line, and the others are checked', () => {
    expect(check({ 'core/a.ts': 'const a = 1;\nconst = 2;', 'core/b.ts': 'let b;' })).toEqual([
      'unreadable core/a.ts:2',
      'mutable-module core/b.ts:1',
    ]);
  });
});

describe('A place', () => {
  const reason = '// architecture-exempt(secret-compared): a token of a grammar, no secret';

  test('may be excused, with a reason, on its line or the line before', () => {
    expect(check({ 'core/a.ts': `${reason}\nif (token === next) x();\nif (token === next) x(); ${reason}` })).toEqual(
      [],
    );
  });

  test('is excused from that rule only, and not without a reason', () => {
    const text = `// architecture-exempt(mutable-module): counts for all applications\nif (token === next) x();`;
    expect(check({ 'core/a.ts': text })).toEqual(['exemption core/a.ts:1', 'secret-compared core/a.ts:2']);
    expect(check({ 'core/a.ts': `// architecture-exempt(secret-compared): ok\nif (token === next) x();` })).toEqual([
      'secret-compared core/a.ts:2',
    ]);
  });

  test('that needs no excuse any more is told', () => {
    expect(check({ 'core/a.ts': `${reason}\nx();` })).toEqual(['exemption core/a.ts:1']);
  });
});

describe('Error codes', () => {
  const explained = '# Errors\n\n## shop.no_cart\n\nThe cart is gone.\n\n→ Begin another one.\n';

  test('are explained in errors.md of whose they are, and what stands there is raised', () => {
    const files = {
      ...addon('shop'),
      'core/base/errors.ts': `export class PergolaError extends Error {}\nexport class NotFound extends PergolaError {}\nexport class Away extends Error { constructor() { super('x', 'core.away'); } }`,
      'addons/shop/cart.ts': `throw new NotFound('There is no cart.', {\n  code: 'shop.no_cart',\n});\nconst other = { code: 'shop.other' };`,
      'addons/shop/data/a.ts': `export default { code: 'shop.sequence' };`,
      'addons/shop/errors.md': `${explained}\n## shop.gone\n\nNobody raises it.\n`,
    };
    expect(check(files)).toEqual([
      'error-unexplained addons/shop/cart.ts:4',
      'error-unknown addons/shop/errors.md:9',
      'error-unexplained addons/shop/errors.md:9',
      'error-unexplained core/base/errors.ts:1',
      'error-unexplained core/base/errors.ts:2',
      'error-unexplained core/base/errors.ts:3',
    ]);
  });
});
