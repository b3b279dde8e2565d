import { BrokenAddons, describeProblem } from '../../../core/base/errors.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { addonsFolder, writeFiles } from './addons-folder.ts';
import { type Node, openNode } from './harness.ts';

const told = (error: unknown): string =>
  error instanceof BrokenAddons ? error.problems.map(describeProblem).join('\n') : String(error);

const failing = {
  'fx_bad_data/addon.ts': `import { defineAddon, f, model } from 'pergola';
export class Thing extends model('fx.thing', { name: f.char({ required: true }) }) {}
export default defineAddon({ name: 'fx_bad_data', title: 'Bad data', summary: 'Ships what does not fit', version: '1.0.0', models: [Thing] });`,
  'fx_bad_data/data/things.ts': `import { data } from 'pergola';
import { Thing } from '../addon.ts';
export default data(Thing, { good: { name: 'Good' }, bad: { nmae: 'Bad' } });`,
};

eachDatabase('A switch that fails', (dialect) => {
  let made: TestDatabase;
  let node: Node;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
  });
  afterEach(async () => {
    await node.close();
    await made.drop();
  });
  const everything = async () => ({
    schema: await node.database.schema.describe(),
    served: node.holder.current,
    states: (await node.lifecycle.list()).map(({ name, state }) => `${name} ${state}`),
  });

  test('because the addon is broken changes nothing and tells all that is wrong, with file and line', async () => {
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_hello'] });
    const before = await everything();
    const refused = await node.lifecycle
      .enable(['fx_patch_without_target', 'fx_route_twice'])
      .catch((error: unknown) => error);
    expect(told(refused)).toMatch(/fx_patch_without_target templates\/fx_hello\.hello\.patch\.hbs:1/);
    expect(told(refused)).toMatch(/fx_route_twice addon\.ts:\d+: GET \/fx\/hello exists in addon fx_hello/);
    expect(await everything()).toEqual(before);
    const [shown] = (await node.lifecycle.list()).filter(({ name }) => name === 'fx_patch_without_target');
    expect(shown?.problems.map(describeProblem).join()).toMatch(/hello\.patch\.hbs:1/);
  });

  test('because an addon to upgrade could never be enabled says what is wrong with it', async () => {
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_hello'] });
    const upgraded = (name: string) => node.lifecycle.upgrade([name]).catch((error: unknown) => error);
    expect(told(await upgraded('fx_patch_without_target'))).toMatch(
      /is not enabled, so there is nothing to upgrade\.[\s\S]*fx_hello\.hello\.patch\.hbs:1/,
    );
    expect(told(await upgraded('fx_throws_at_load'))).toMatch(/^fx_throws_at_load settings\.ts:\d+: cannot be loaded/);
    expect(told(await upgraded('fx_host'))).toMatch(/^fx_host: is not enabled.*`pergola enable fx_host`$/);
    expect(await node.lifecycle.upgrade(['fx_hello'])).toMatchObject({ addons: [], problems: [] });
  });

  test('in the transaction changes nothing either', async () => {
    node = await openNode(made.url, { roots: [addonsFolder(['fx_hello'], failing)] });
    await node.lifecycle.start({ install: ['fx_hello'] });
    const before = await everything();
    const refused = await node.lifecycle.enable(['fx_bad_data']).catch((error: unknown) => error);
    expect(told(refused)).toMatch(/fx_bad_data data\/things\.ts:3: .*no field “nmae”/);
    expect(await everything()).toEqual(before);
    // And it can be tried again at once: the lock was given back.
    await expect(node.lifecycle.enable(['fx_bad_data'])).rejects.toBeInstanceOf(BrokenAddons);
  });

  test('because nobody knows the name says which was meant', async () => {
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_hello'] });
    expect(told(await node.lifecycle.enable(['fx_helo']).catch((error: unknown) => error))).toMatch(
      /Did you mean “fx_hello”/,
    );
  });

  test('because somebody else switches is a clear conflict, and both can go on after', async () => {
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_hello'] });
    const other = await openNode(made.url, { name: 'other' });
    await other.lifecycle.start();
    const both = await Promise.allSettled([
      node.lifecycle.enable(['fx_layers_a']),
      other.lifecycle.enable(['fx_host']),
    ]);
    const refused = both.filter(({ status }) => status === 'rejected');
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'core.switch_running', status: 409 } });
    expect(refused.length).toBeLessThan(2);
    await node.lifecycle.enable(['fx_layers_a']);
    await other.lifecycle.enable(['fx_host']);
    await node.lifecycle.follower.check();
    expect(node.holder.current.addons.map(({ name }) => name)).toEqual(['fx_hello', 'fx_host', 'fx_layers_a']);
    expect(other.holder.current.number).toBe(node.holder.current.number);
    await other.close();
  });
});

eachDatabase('At the start', (dialect) => {
  let made: TestDatabase;
  let node: Node;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
  });
  afterEach(async () => {
    await node.close();
    await made.drop();
  });
  const hello = (text: string): Record<string, string> => ({ 'fx_hello/templates/fx_hello.hello.hbs': text });

  test('an addon adds a column to a table, and ships records that create others in that table', async () => {
    const roots = [
      addonsFolder(['fx_host'], {
        'fx_writers/addon.ts': `import { defineAddon, access } from 'pergola';
import { Dated, Writer } from './models.ts';
export default defineAddon({ name: 'fx_writers', title: 'Writers', summary: 'Writers', version: '1.0.0', depends: ['fx_host'],
  models: [Dated, Writer], access: [access(Writer, { '*': 'rwcd' })] });`,
        'fx_writers/models.ts': `import { Author } from '@pergola/fx_host';
import { extend, f, model } from 'pergola';
export const Dated = extend(Author, { born: f.date() });
export class Writer extends model('fx.writer', { name: f.char(), author_id: f.many2one('fx.author', {
  default: (ctx) => ctx.model('fx.author').create({ name: 'Ann' }) }) }) {}`,
        'fx_writers/data/writers.ts': `import { data } from 'pergola';
import { Writer } from '../models.ts';
export default data(Writer, { ann: { name: 'Ann' } });`,
      }),
    ];
    node = await openNode(made.url, { roots });
    await node.lifecycle.start({ install: ['fx_host'] });
    expect((await node.lifecycle.enable(['fx_writers'])).problems).toEqual([]);
    const authors = await node.read((ctx) =>
      ctx.modelNamed('fx.author').search([
        ['name', '=', 'Ann'],
        ['born', '=', null],
      ]),
    );
    expect(authors).toHaveLength(1);
  });

  test('broken addons and those that need them are left out, and the site runs without', async () => {
    const good = addonsFolder(['fx_hello', 'fx_host', 'fx_shared_columns']);
    node = await openNode(made.url, { roots: [good] });
    await node.lifecycle.start({ install: ['fx_hello', 'fx_shared_columns'] });
    expect(node.holder.current.addons).toHaveLength(3);
    await node.close();

    const bad = addonsFolder(['fx_hello', 'fx_host', 'fx_shared_columns'], {
      ...hello('<main><h1>Never closed</main>'),
      'fx_host/models.ts':
        'export const [Attached, Author, Book] = [0, 0, 0];\nthrow new Error("not on this machine");',
    });
    node = await openNode(made.url, { roots: [bad] });
    await node.lifecycle.start();
    expect(node.holder.current.addons).toEqual([]);
    const list = await node.lifecycle.list();
    expect(list.map(({ name, state, leftOut }) => `${name} ${state} ${leftOut}`)).toEqual([
      'fx_hello enabled true',
      'fx_host enabled true',
      'fx_shared_columns enabled true',
    ]);
    expect(list.flatMap(({ problems }) => problems.map(describeProblem)).join('\n')).toMatch(
      /fx_hello templates\/fx_hello\.hello\.hbs:1.*\n?[\s\S]*fx_host models\.ts:2: cannot be loaded: not on this machine/,
    );
    await node.close();

    node = await openNode(made.url, { roots: [good] });
    await node.lifecycle.start();
    expect(node.holder.current.addons).toHaveLength(3);
  });

  test('one that was mended works again once it was switched off and on', async () => {
    const folder = addonsFolder(['fx_hello']);
    node = await openNode(made.url, { roots: [folder] });
    await node.lifecycle.start({ install: ['fx_hello'] });
    await node.close();
    writeFiles(folder, hello('<main><h1>Never closed</main>'));
    node = await openNode(made.url, { roots: [folder] });
    await node.lifecycle.start();
    expect([...node.lifecycle.leftOut.keys()]).toEqual(['fx_hello']);
    writeFiles(folder, hello('<main>Mended</main>'));
    await node.lifecycle.disable(['fx_hello']);
    expect([...node.lifecycle.leftOut.keys()]).toEqual([]);
    await node.lifecycle.enable(['fx_hello']);
    expect(node.holder.current.addons.map(({ name }) => name)).toEqual(['fx_hello']);
  });

  test('nothing is served while an active version is not on this machine; switching the addon off here helps', async () => {
    node = await openNode(made.url, { roots: [addonsFolder(['fx_hello', 'fx_host'])] });
    await node.lifecycle.start({ install: ['fx_hello', 'fx_host'] });
    await node.close();
    node = await openNode(made.url, { roots: [addonsFolder(['fx_hello'])] });
    const { missing } = await node.lifecycle.start();
    expect(missing).toEqual([{ addon: 'fx_host', version: '1.0.0', loaded: null }]);
    expect(node.holder.ready).toBe(false);
    expect(node.lifecycle.follower.unready).toEqual([
      expect.stringContaining('fx_host: version 1.0.0 is enabled, and was not on this machine'),
    ]);
    await node.lifecycle.disable(['fx_host']);
    expect(node.holder.current.addons.map(({ name }) => name)).toEqual(['fx_hello']);
    expect(node.lifecycle.follower.unready).toEqual([]);
  });

  test('two processes on an empty database make it once', async () => {
    const [one, other] = await Promise.all([
      openNode(made.url, { name: 'one' }),
      openNode(made.url, { name: 'other' }),
    ]);
    node = one;
    const install = ['fx_hello', 'fx_host'];
    const started = await Promise.all([one.lifecycle.start({ install }), other.lifecycle.start({ install })]);
    expect(started.filter(({ firstStart }) => firstStart)).toHaveLength(1);
    expect([one.holder.current.number, other.holder.current.number]).toEqual([1, 1]);
    await other.close();
  });
});
