import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestApp, type TestApp } from 'pergola/testing';
import { addonRoots, repository } from '../../../core/base/addon-folders.ts';
import type { Key } from '../../../core/kernel/key.ts';
import { Compiler } from '../../../tools/templates/compiler.ts';
import { writeTemplateTypes } from '../../../tools/templates/needs.ts';
import { type Fault, TemplateSources } from '../../../tools/templates/sources.ts';
import { typeFaults } from '../../../tools/templates/type-faults.ts';
import type { Ids } from '../../orm/fields.ts';

/** The files of `docs/write-an-addon.md`, each marked with the step that writes it. */
const page = readFileSync(path.join(repository, 'docs/write-an-addon.md'), 'utf8');
const blocks = [...page.matchAll(/<!-- step (\d+): (\S+) -->\n```\w+\n([\s\S]*?)\n```/g)].map(
  ([, step, file = '', content = '']) => ({
    step: Number(step),
    file,
    content,
  }),
);

/** Writes the addon as it is after a step, and the one over it, into a folder. */
function writeStep(step: number, root: string): void {
  for (const { file, content } of blocks.filter((block) => block.step <= step && block.step < 8)) {
    const target = path.join(root, 'hello', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, `${content}\n`);
  }
}

/** An application with the addon as it is after a step. */
async function atStep(step: number, addon = 'hello'): Promise<TestApp> {
  const root = mkdtempSync(path.join(tmpdir(), `step-${step}-`));
  writeStep(step, root);
  return createTestApp({ addons: [addon], roots: [root] });
}

/** Another extension without methods, and a mixin with a private member, as addons export them too. */
const LAYERS = `import { extend, f, mixin } from 'pergola';
import { GreetedPartner } from './res-partner.ts';
export const Warm = mixin('hello.warm', { since: f.date() }, (Base) => class extends Base {
  private readonly limit = 1;
  async warmest() { return this.search([], { limit: this.limit }); }
});
export const WarmPartner = extend(GreetedPartner, { note: f.text() }, undefined, { mixins: [Warm] });
`;

/** What an addon over the packed one relies on. */
const CONSUMER = `import type { Ctx } from 'pergola';
import { WarmPartner } from './dist/hello/models/layers.js';
import { GreetedPartner } from './dist/hello/models/res-partner.js';
export const list = async (ctx: Ctx): Promise<string> => {
  const [row] = await ctx.model(GreetedPartner).find([], { select: { email: true, greeting_ids: { warmth: true } } });
  const warmth: 'polite' | 'warm' | 'hearty' | null | undefined = row?.greeting_ids[0]?.warmth;
  await ctx.model(GreetedPartner).greet([1]);
  // @ts-expect-error a misspelt method
  await ctx.model(GreetedPartner).gret([1]);
  const { note, since } = await ctx.model(WarmPartner).get(1, { select: { note: true, since: true } });
  return [warmth, note, since, ...(await ctx.model(WarmPartner).warmest())].join();
};
`;

/** Runs a program of the repository in a folder; returns what it printed if it failed, or an empty text. */
function run(program: string, words: readonly string[], cwd: string): string {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(repository, program), ...words], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** Compiler errors in the folder of a project. */
function typeFaultsOf(config: string): Fault[] {
  using compiler = new Compiler([config]);
  return typeFaults(compiler.project(config), path.dirname(config), []);
}

describe('The steps of docs/write-an-addon.md', () => {
  it('1: two files show a page', async () => {
    await using app = await atStep(1);
    const { status, text } = await app.get('/hello');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Hello world</h1>');
  });

  it('2: a model has its table, and nobody may write without rights', async () => {
    await using app = await atStep(2);
    await app.write((ctx) => ctx.modelNamed('hello.greeting').create([{ name: 'Ada' }]));
    expect(await app.read((ctx) => ctx.modelNamed('hello.greeting').count([]))).toBe(1);
  });

  it('3: a form adds a line, and says what does not fit', async () => {
    await using app = await atStep(3);
    expect((await app.get('/hello')).text).toContain('No greetings yet.');
    expect((await app.form('/hello', { name: 'Ada' })).location).toBe('/hello');
    expect((await app.get('/hello')).text).toContain('Ada');
    const refused = await app.form('/hello', { name: ' ' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Enter your name.');
  });

  it('4: an island is rendered in its place, its action is a call and a form, and another addon fills its slot', async () => {
    await using app = await atStep(4, 'hello_stars');
    expect((await app.get('/hello')).text).toContain('No greetings yet.');
    expect(await app.rpc('/hello/greet', { name: 'Ada' })).toEqual({ id: 1, name: 'Ada' });
    expect((await app.form('/hello', { name: 'Bo' })).location).toBe('/hello');
    expect((await app.get('/hello')).text).toContain('Ada<!-- --> <span title="Ada">★</span>');
    const refused = await app.form('/hello', { name: ' ' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Enter your name.')]);
  });

  it("5: another addon's page is changed", async () => {
    await using app = await atStep(5);
    expect((await app.get('/web/login')).text).toContain('Say hello');
  });

  it("6: another addon's model has a method more", async () => {
    await using app = await atStep(6);
    await app.write(async (ctx) => {
      const partners = ctx.modelNamed('res.partner') as unknown as { greet(ids: Ids): Promise<void> };
      await partners.greet([await ctx.ref('base.admin_partner')]);
    });
    expect((await app.get('/hello')).text).toContain('Administrator');
  });

  it('7: a service gets what it needs, and other addons contribute to a point of the addon', async () => {
    await using app = await atStep(7, 'hello_stars');
    await app.form('/hello', { name: 'Ada' });
    const greeter: Key<{ sentence(): Promise<string>; names(): Promise<object[]> }> = {
      kind: 'service',
      name: 'hello.greeter',
    };
    expect(await app.read((ctx) => ctx.get(greeter).sentence())).toBe('1 greeting so far');
    expect(await app.read((ctx) => ctx.get(greeter).names())).toEqual([{ name: 'Ada', times: 1 }]);
    const phrases: Key<readonly string[]> = { kind: 'point', name: 'phrases' };
    expect(await app.read(async (ctx) => ctx.get(phrases))).toEqual(['Reach for the stars']);
  });

  it('7: the addon fits types and format, and is packed with types for addons over it', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'packed-'));
    const folder = path.join(root, 'hello');
    expect(run('bin/pergola.js', ['new', 'hello', '--outside', root], root)).toBe('');
    writeStep(7, root);
    writeTemplateTypes(await TemplateSources.read([...addonRoots(), folder]));
    expect(typeFaultsOf(path.join(folder, 'tsconfig.json'))).toEqual([]);
    expect(run('node_modules/@biomejs/biome/bin/biome', ['ci', '.'], folder)).toBe('');
    writeFileSync(path.join(folder, 'models/layers.ts'), LAYERS);
    expect(run('bin/pergola.js', ['pack', '.'], folder)).toBe('');
    writeFileSync(path.join(folder, 'consumer.ts'), CONSUMER);
    const include = ['core', 'packages', 'addons/*/addon.ts'].map((each) => path.join(repository, each));
    const project = { extends: './tsconfig.json', files: ['consumer.ts'], include };
    writeFileSync(path.join(folder, 'consumer.json'), JSON.stringify(project));
    expect(typeFaultsOf(path.join(folder, 'consumer.json'))).toEqual([]);
  });
});
