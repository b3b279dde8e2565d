import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkArchitecture } from '../check.ts';

/** Checks a checkout with these files and returns each violation as `rule file:line`. */
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
  [`addons/${name}/addon.ts`]: `import { defineAddon } from 'pergola';\nexport default defineAddon({ name: '${name}', depends: ${JSON.stringify(depends)} });`,
  [`addons/${name}/index.ts`]: '',
});

describe('The core', () => {
  test('imports no addon, neither by name nor by path, nor only its types', () => {
    const violations = check({
      ...addon('shop'),
      'core/kernel.ts': `// é\nimport '@pergola/shop';\nimport type { A } from '../addons/shop/index.ts';\nexport * from './x.ts';`,
      'core/tests/kernel.test.ts': `import '@pergola/shop';`,
      'server.ts': `import './addons/shop/index.ts';`,
    });
    expect(violations).toEqual([
      'core-imports-addon core/kernel.ts:2',
      'core-imports-addon core/kernel.ts:3',
      'core-imports-addon core/tests/kernel.test.ts:1',
      'core-imports-addon server.ts:1',
    ]);
  });

  test('may use fixture addons in its tests, and nowhere else', () => {
    const violations = check({
      'tools/testing/fixtures/fx/addon.ts': `export default defineAddon({ name: 'fx' });`,
      'core/tests/kernel.test.ts': `import fx from '../../tools/testing/fixtures/fx/addon.ts';`,
      'core/kernel.ts': `import fx from '../tools/testing/fixtures/fx/addon.ts';`,
    });
    expect(violations).toEqual(['core-imports-addon core/kernel.ts:1']);
  });

  test('uses tools in its tests only', () => {
    const files = { 'tools/kit.ts': '', 'core/tests/a.test.ts': `import '../../tools/kit.ts';` };
    expect(check({ ...files, 'core/a.ts': `import type { Kit } from '../tools/kit.ts';` })).toEqual([
      'core-imports-tools core/a.ts:1',
    ]);
  });

  test('has parts that use those below them, by their faces', () => {
    const files = { 'core/base/index.ts': '', 'core/base/a.ts': '', 'core/kernel/index.ts': '' };
    const violations = check({
      ...files,
      'core/kernel/b.ts': `import '../base/index.ts';\nimport '../base/a.ts';\nimport './index.ts';`,
      'packages/http/b.ts': `import '@pergola/core';\nimport '../../core/base/index.ts';\nimport '@pergola/mailer';`,
      'core/base/b.ts': `import type { B } from '../kernel/index.ts';`,
      'packages/http/tests/b.test.ts': `import '../../../core/base/a.ts';`,
    });
    expect(violations).toEqual([
      'part-order core/base/b.ts:1',
      'part-inside core/kernel/b.ts:2',
      'part-inside packages/http/b.ts:2',
      'part-order packages/http/b.ts:3',
    ]);
  });

  test('does not import its own public face', () => {
    expect(check({ 'core/a.ts': `import 'pergola';`, 'core/tests/a.test.ts': `import 'pergola';` })).toEqual([
      'foreign-import core/a.ts:1',
    ]);
  });
});

describe('An addon', () => {
  test('imports of the core its public faces only, and those for tests only in tests', () => {
    const violations = check({
      ...addon('shop'),
      'addons/shop/a.ts': `import 'pergola';\nimport 'pergola/browser';\nimport 'pergola/testing';\nimport 'pergola/model/types';\nimport '../../core/db.ts';`,
      'addons/shop/tests/a.test.ts': `import 'pergola/testing';`,
    });
    expect(violations).toEqual([3, 4, 5].map((line) => `foreign-import addons/shop/a.ts:${line}`));
  });

  test('imports of other addons those it depends on, also through others, and only their public faces', () => {
    const violations = check({
      ...addon('base'),
      ...addon('web', 'base'),
      ...addon('shop', 'web'),
      ...addon('forum', 'web'),
      'addons/shop/a.ts': [
        `import '@pergola/base';`,
        `import '@pergola/web/browser';`,
        `import '@pergola/forum';`,
        `type A = import('@pergola/forum').A;`,
        `await import('@pergola/forum/browser');`,
        `import '@pergola/web/models/menu.ts';`,
        `import '../web/index.ts';`,
        `import '@pergola/shop';`,
        `import '@pergola/shop/browser';`,
      ].join('\n'),
    });
    expect(violations).toEqual([
      ...[3, 4, 5].map((line) => `undeclared-dependency addons/shop/a.ts:${line}`),
      ...[6, 7, 8].map((line) => `foreign-import addons/shop/a.ts:${line}`),
    ]);
  });

  test('says what it depends on as a plain list', () => {
    const text = `const names = ['base'];\nexport default defineAddon({ name: 'shop', depends: names });`;
    expect(check({ 'addons/shop/addon.ts': text })).toEqual(['manifest addons/shop/addon.ts:2']);
  });

  test('names the same addons in package.json', () => {
    const shop = { ...addon('base'), ...addon('mail'), ...addon('shop', 'base') };
    const packaged = (...names: string[]) =>
      check({
        ...shop,
        'addons/shop/package.json': JSON.stringify({
          name: '@pergola/shop',
          dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
        }),
      });
    expect(packaged('@pergola/base', 'zod')).toEqual([]);
    expect(packaged('@pergola/mail')).toEqual(['manifest addons/shop/addon.ts:2', 'manifest addons/shop/addon.ts:2']);
  });

  test('in a circle of dependencies is checked all the same', () => {
    expect(
      check({ ...addon('a', 'b'), ...addon('b', 'a'), 'addons/a/x.ts': `import '@pergola/b';\nimport '@pergola/c';` }),
    ).toEqual(['undeclared-dependency addons/a/x.ts:2']);
  });
});

describe('Browser code', () => {
  test('is not imported by the server where it is JSX', () => {
    const violations = check({
      ...addon('shop'),
      'addons/shop/islands/cart.tsx': '',
      'addons/shop/a.ts': `import { Cart } from './islands/cart.tsx';\nimport type { B } from './islands/cart.tsx';\nimport('./islands/cart.tsx');`,
      'addons/shop/islands/tests/cart.test.tsx': `import { Cart } from '../cart.tsx';`,
      'addons/shop/islands/list.tsx': `import { Cart } from './cart.tsx';`,
    });
    expect(violations).toEqual(['server-imports-tsx addons/shop/a.ts:1', 'server-imports-tsx addons/shop/a.ts:3']);
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
    const violations = check({
      ...addon('shop'),
      'addons/shop/islands/cart.tsx': file,
      'addons/shop/kit.tsx': file,
      'addons/shop/backend/kit/list.tsx': file,
    });
    expect(violations).toEqual(
      ['islands/cart', 'kit'].flatMap((name) => [3, 4, 5].map((line) => `late-link addons/shop/${name}.tsx:${line}`)),
    );
  });

  test('takes labels, images and dialogs from the kit', () => {
    const file = [
      'export const a = <label htmlFor="x">x</label>;',
      'export const b = <img src="/x" alt="" />;',
      'export const c = <dialog open />;',
      'export const d = <Field label="x">{(control) => <input {...control} />}</Field>;',
    ].join('\n');
    const violations = check({
      ...addon('shop'),
      ...addon('web'),
      'addons/shop/backend/list.tsx': file.replaceAll('>x<', '>1<'),
      'addons/web/kit/field.tsx': file.replaceAll('>x<', '>1<'),
      'addons/shop/islands/tests/cart.test.tsx': file,
    });
    expect(violations).toEqual([1, 2, 3].map((line) => `raw-element addons/shop/backend/list.tsx:${line}`));
  });

  test('asks the server in the language of its page', () => {
    const text = `await fetch('/x');\nnew EventSource('/y');\nawait request('/z');`;
    const violations = check({ ...addon('shop'), 'addons/shop/islands/cart.tsx': text, 'addons/shop/routes.ts': text });
    expect(violations).toEqual([1, 2].map((line) => `bare-fetch addons/shop/islands/cart.tsx:${line}`));
  });

  test('says its own texts', () => {
    const files = { 'addons/shop/texts.ts': "texts('shop');\ntexts('shpo');\ntexts(name);" };
    expect(check({ ...addon('shop'), ...files })).toEqual(['foreign-texts addons/shop/texts.ts:2']);
  });

  test('takes nothing along that is for the server, however it is reached', () => {
    const files = {
      ...addon('base'),
      ...addon('shop', 'base'),
      'addons/shop/islands/cart.tsx': `import { rpc } from 'pergola';\nimport type { Ctx } from 'pergola';\nimport 'pergola/browser';\nimport '../shared.ts';\nimport 'react';`,
      'addons/shop/shared.ts': `import './deep.ts';`,
      'addons/shop/deep.ts': `import fs from 'node:fs';\nimport '@pergola/base';\nimport '@pergola/base/browser';`,
      'addons/shop/models.ts': `import 'pergola';`,
      'addons/shop/islands/order.tsx': `import 'pergola/browser';\nimport 'pergola/orm';\nimport type { Order } from '../models.ts';\nimport { Order as Model } from '../models.ts';`,
      'addons/shop/server-only.ts': `import 'node:fs';`,
      'addons/shop/behaviours/slider.ts': `import 'path';`,
      'addons/shop/browser.ts': `export * from 'pergola/testing';`,
    };
    expect(check(files)).toEqual([
      'browser-imports-server addons/shop/behaviours/slider.ts:1',
      'foreign-import addons/shop/browser.ts:1',
      'browser-imports-server addons/shop/browser.ts:1',
      'browser-imports-server addons/shop/islands/cart.tsx:1',
      'browser-imports-server addons/shop/islands/cart.tsx:4',
      'browser-imports-server addons/shop/islands/order.tsx:2',
      'browser-imports-server addons/shop/islands/order.tsx:4',
    ]);
    const deep = problems(files).find(({ file, line }) => file === 'addons/shop/islands/cart.tsx' && line === 4);
    expect(deep?.message).toContain(': islands/cart.tsx → shared.ts → deep.ts → node:fs.');
    expect(deep?.remedy).toContain('`import type`');
  });

  test('imports props schemas by type only; the word inside the braces is not enough', () => {
    const violations = check({
      ...addon('shop'),
      'addons/shop/islands/cart.props.ts': `import { z } from 'pergola';`,
      'addons/shop/islands/cart.tsx': `import type { Props } from './cart.props.ts';\nimport { type Props as P } from './cart.props.ts';\nimport { schema } from './cart.props.ts';`,
      'addons/shop/routes.ts': `import { schema } from './islands/cart.props.ts';`,
    });
    expect(violations).toEqual([2, 3].map((line) => `props-imported-by-value addons/shop/islands/cart.tsx:${line}`));
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
    const violations = check({
      ...addon('shop'),
      'packages/browser/a.ts': 'let a;',
      'addons/shop/behaviours/a.ts': 'let a;',
      'addons/shop/islands/a.tsx': 'let a;',
    });
    expect(violations).toEqual(['mutable-module addons/shop/islands/a.tsx:1']);
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

  test('looks at other records under a lock where a validation refuses by them, in whatever file models are', () => {
    const text = [
      'class A extends model("shop.a", {}) {',
      '  async validate(ids) {',
      '    const taken = await this.search([["room", "=", 1]]);',
      '    const [other] = await this.ctx.model(B).find([["room", "=", 1], ["id", "!=", ids]]);',
      '    const first = await this.first([["room", "=", 1]]);',
      '    const own = await this.ctx.model(B).find([["id", "in", ids]]);',
      '    const all = await this.ctx.model(B).search([]);',
      '    const locked = await this.invariant(B, all, () => this.group([["room", "=", 1]], {}));',
      '    if (taken.length > 3 || other || first || own || locked) throw new Conflict("Taken.");',
      '  }',
      '  async other() { const [one] = await this.search([["room", "=", 1]]); if (!one) throw new Conflict("None."); }',
      '}',
    ].join('\n');
    expect(check({ ...addon('shop'), 'addons/shop/models.ts': text })).toEqual(
      [3, 4, 5].map((line) => `unlocked-count addons/shop/models.ts:${line}`),
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
      'packages/mailer/address.ts': text,
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

  test('fills the names in its texts', () => {
    const text = [
      "export const right = (ctx: Ctx, n: number) => [t(ctx, '{n} seats', { n }), plural(ctx, '{n} seat', '{n} seats', n), t('{n} left')];",
      "export const early = (ctx: Ctx, values: Values) => [t(ctx, '{n} seats', values), t(ctx, '{n} seats', { ...values })];",
      "export const typed = (ctx: Ctx, seats: number) => t(ctx, '{seat} seats', { seats });",
      "export const bare = (ctx: Ctx) => t(ctx, '{n} seats');",
      "const message = 'At most {most} seats.';",
      "export const refused = (max: number) => new InvalidInput(message, { params: { max }, fields: { seats: 'Only {most}.' } });",
      "export const counted = (ctx: Ctx, n: number) => plural(ctx, '{n} seat of {event}', '{n} seats', n);",
      "export const marked = (ctx: Ctx) => t(ctx, 'button\\u0004Post {n}', {});",
      "export const alone = () => new InvalidInput('At most {most}.');",
      'export function local(max: number) {',
      "  const text = max === 1 ? 'At most one.' : 'At most {maxi}.';",
      '  return new InvalidInput(text, { params: { max } });',
      '}',
    ].join('\n');
    const violations = problems({ ...addon('shop'), 'addons/shop/routes/a.ts': text });
    expect(violations.map(({ rule, line }) => `${rule} ${line}`)).toEqual(
      [3, 4, 5, 6, 7, 8, 9, 11].map((line) => `unfilled-name ${line}`),
    );
    expect(violations[0]?.remedy).toBe('Did you mean “seats”?');
    const island = "export function Seats({ t }: Texts) { return <p>{t('{n} seats')}</p>; }";
    expect(check({ ...addon('shop'), 'addons/shop/islands/seats.tsx': island })).toEqual([
      'unfilled-name addons/shop/islands/seats.tsx:1',
    ]);
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

  test('makes safe strings only in packages/pages', () => {
    const text = `import H from 'handlebars';\nnew H.SafeString('x');`;
    expect(check({ 'packages/pages/a.ts': text, 'packages/mailer/a.ts': text })).toEqual([
      'safe-string packages/mailer/a.ts:2',
    ]);
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
    expect(check({ 'core/tests/a.test.ts': text, 'packages/browser/a.ts': text.slice(0, 26) })).toEqual([]);
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

  test('of a package are explained in its own errors.md', () => {
    const files = {
      'packages/http/a.ts': `throw new Error('Gone', { code: 'core.gone' });\nthrow new Error('Lost', { code: 'core.lost' });`,
      'packages/http/errors.md': '## core.gone\n\nIt is gone.\n\n→ Wait.\n\n## core.never\n\nIt never is.\n\n→ Wait.\n',
    };
    expect(check(files)).toEqual(['error-unexplained packages/http/a.ts:2', 'error-unknown packages/http/errors.md:7']);
  });
});

describe('A reference to a shipped record', () => {
  const files = (text: string, data = `data(Thing, { first: {}, [\`size_\${n}\`]: {} });`) => ({
    ...addon('shop'),
    ...addon('forum', 'shop'),
    'addons/shop/data/things.ts': `import { data } from 'pergola';\nexport default ${data}`,
    'addons/shop/security.ts':
      "import { group } from 'pergola';\nexport const groups = [group('shop.staff', { label: 'Staff' })];",
    'addons/forum/demo/things.ts': `import { ref } from 'pergola';\nexport const list = [${text}];`,
  });

  test('names one that the code of an addon ships', () => {
    expect(problems(files("ref('shop.first'), ref('shop.size_12'), ref('shop.staff'), ctx.ref('shop.first')"))).toEqual(
      [],
    );
    expect(
      problems(files("ref('shop.frist'), ref('shop.zebra'), ref('own'), ctx.ref('shpo.first')")).map(
        ({ rule, line, message, remedy }) => `${rule} ${line} ${message} ${remedy}`,
      ),
    ).toEqual([
      'unknown-ref 2 “shop” doesn’t ship a record “frist”. Did you mean “first”?',
      'unknown-ref 2 “shop” doesn’t ship a record “zebra”. Correct the name, or ship the record.',
      'unknown-ref 2 “forum” doesn’t ship a record “own”. Correct the name, or ship the record.',
      'unknown-ref 2 “shpo.first” refers to a record of “shpo”, which is not an installed addon. Did you mean “shop”?',
    ]);
  });

  test('is no column that knex names', () => {
    const report = `export async function report(ctx: Ctx, own: Knex, { db: tables }: Tools) {
  const { knex } = ctx.get(database);
  const q = ctx.db;
  const rows = ctx.db('a').where('a.id', ctx.db.ref('b.a_id')).where('c.id', q.ref('b.c_id'));
  return [rows, own.ref('b.id'), tables.ref('b.id'), knex.ref('b.id'), knex('b').client.ref('b.id'), this.ctx.ref('shop.frist')];
}`;
    expect(check({ ...files("ref('shop.first')"), 'addons/forum/services/report.ts': report })).toEqual([
      'unknown-ref addons/forum/services/report.ts:5',
    ]);
  });

  test('may name a record whose name is calculated, unless it resembles one that is written', () => {
    const calculated = 'data(Thing, { first: {}, ...Object.fromEntries(list.map((code) => [code, {}])) });';
    expect(problems(files("ref('shop.fr'), ref('shop.germany')", calculated))).toEqual([]);
    expect(check(files("ref('shop.frist')", calculated))).toEqual(['unknown-ref addons/forum/demo/things.ts:2']);
  });
});

test('Islands read nothing while they render that differs between server and browser', () => {
  const island = `import { useEffect, useState } from 'react';
export default function Clock({ start }: { start: number }) {
  const [width, setWidth] = useState(() => window.innerWidth);
  const [token] = useState(start);
  useEffect(() => setWidth(window.innerWidth), []);
  const later = () => Date.now();
  return <p onClick={later}>{Math.random()} {new Date().getTime()} {new Date(start).getTime()} {document.title}</p>;
}
function helper() {
  return Date.now();
}`;
  expect(
    problems({ ...addon('shop'), 'addons/shop/islands/clock.tsx': island })
      .filter(({ rule }) => rule === 'unstable-render')
      .map(({ line, message }) => `${line} ${message.split(' is read')[0]}`),
  ).toEqual(['3 window.innerWidth', '7 Math.random()', '7 new Date()', '7 document.title']);
  const stableCode = `const Hour = ({ at }: { at: string }) => <b>{new Date(at).getHours()}</b>;
export const Day = memo(({ at }) => <i>{new Date(at).toLocaleDateString()}</i>);
export default () => (typeof window === 'undefined' ? <Hour /> : <Day />);
const Utc = ({ at }) => <b onClick={() => at.getDay()}>{at.getUTCHours()}</b>;
const label = () => Date.now();`;
  expect(
    problems({ ...addon('shop'), 'addons/shop/islands/clock.tsx': stableCode })
      .filter(({ rule }) => rule === 'unstable-render')
      .map(({ line, message }) => `${line} ${message.split(' is read')[0]}`),
  ).toEqual(['1 getHours()', '2 toLocaleDateString()', '3 typeof window']);
});

test('Islands show no text that stays in English', () => {
  const island = `export default function Card() {
  return <><p>Rent a tool</p><kbd>Ctrl</kbd><b translate="no">Pergola</b><i>SHA-256 {1}</i>Hello<u> · </u></>;
}`;
  expect(
    problems({ ...addon('shop'), 'addons/shop/islands/card.tsx': island }).map(
      ({ rule, line, message }) => `${rule} ${line} ${message}`,
    ),
  ).toEqual([
    'untranslated-text 2 “Hello” is shown in English to readers of every language.',
    'untranslated-text 2 “Rent a tool” is shown in English to readers of every language.',
  ]);
});

test('Stored fields depend on all that their methods read', () => {
  const source = (fields: string) => `import { f, model } from 'pergola';
export class Order extends model('shop.order', { ${fields} }) {
  async countTotal(ids) {
    const rows = await this.read(ids, { select: { days: true, tool_id: { price: true } } });
    return new Map(rows.map(({ id, days, tool_id }) => [id, days * tool_id.price]));
  }
}`;
  const violationsFor = (fields: string) =>
    problems({ ...addon('shop'), 'addons/shop/models/order.ts': source(fields) })
      .filter(({ rule }) => rule === 'missing-depends')
      .map(({ line, remedy }) => `${line} ${remedy}`);
  expect(violationsFor("total: f.integer({ compute: 'countTotal', store: true })")).toEqual([
    "2 Add 'days' to depends.",
    "2 Add 'tool_id.price' to depends.",
  ]);
  expect(violationsFor("total: f.integer({ compute: 'countTotal', depends: ['days'], store: true })")).toEqual([
    "2 Add 'tool_id.price' to depends.",
  ]);
  expect(
    violationsFor("total: f.integer({ compute: 'countTotal', depends: ['days', 'tool_id.price'], store: true })"),
  ).toEqual([]);
  expect(violationsFor("total: f.integer({ compute: 'countTotal', depends: ['days'] })")).toEqual([]);
});

describe('An addon outside', () => {
  const root = mkdtempSync(join(tmpdir(), 'law-'));
  // Inside an addon these folder names determine the kind of a file; above it they must not.
  const folder = join(root, 'data/tests/browser/models/club');
  const write = (files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  };
  const violations = () =>
    checkArchitecture(join(root, 'home'), [folder], [folder]).map(({ rule, file, line }) => `${rule} ${file}:${line}`);
  const file = (name: string) => `../data/tests/browser/models/club/${name}`;

  beforeAll(() => {
    write({
      'home/addons/base/addon.ts': `export default defineAddon({ name: 'base', depends: [] });`,
      'home/addons/base/data/a.ts': `export default () => [{ ref: 'eur' }];`,
      'home/addons/base/models/a.ts': 'let broken = 0;\nthis is no TypeScript',
      'home/core/base/b.ts': `import '../http/index.ts';\nlet count = 0;`,
      'home/core/http/index.ts': '',
      'home/core/errors.md': '## core.nothing\n\nNothing raises it.\n\n→ Wait.\n',
      'data/tests/browser/models/club/addon.ts': `export default defineAddon({ name: 'club', depends: ['base'] });`,
    });
  });

  test('is held to the rules for addons alone, and nothing else is reported', () => {
    write({
      'data/tests/browser/models/club/errors.md': '## club.gone\n\nIt is gone.\n\n→ Look again.\n',
      'data/tests/browser/models/club/services/a.ts': [
        `import { inner } from '@pergola/base/models/a.ts';`,
        `import '@pergola/shop';`,
        'let members = 0;',
        `const known = ref('base.eur');`,
        `const unknown = ref('base.euro');`,
        `throw new Conflict('Gone.', { code: 'club.lost' });`,
        `this.done = () => members;`,
      ].join('\n'),
      'data/tests/browser/models/club/models/member.ts': [
        `export class Member extends model('club.member', {}) {`,
        `  async validate(ids) { if ((await this.count([])) > 9) throw new Conflict('Nine are enough.'); }`,
        '}',
      ].join('\n'),
      'data/tests/browser/models/club/islands/clock.tsx':
        'export default function Clock() { return <p>{Date.now()}</p>; }',
    });
    expect(violations()).toEqual([
      `error-unknown ${file('errors.md')}:1`,
      `unstable-render ${file('islands/clock.tsx')}:1`,
      `unlocked-count ${file('models/member.ts')}:2`,
      `foreign-import ${file('services/a.ts')}:1`,
      `undeclared-dependency ${file('services/a.ts')}:2`,
      `mutable-module ${file('services/a.ts')}:3`,
      `unknown-ref ${file('services/a.ts')}:5`,
      `error-unexplained ${file('services/a.ts')}:6`,
      `outlives-request ${file('services/a.ts')}:7`,
    ]);
  });

  test('has its own broken files reported, with those of no one else', () => {
    write({ 'data/tests/browser/models/club/services/b.ts': 'this is no TypeScript' });
    expect(violations().filter((problem) => problem.startsWith('unreadable'))).toEqual([
      `unreadable ${file('services/b.ts')}:1`,
    ]);
  });
});
