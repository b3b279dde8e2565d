import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { describeProblem } from '../../base/errors.ts';
import { rowsOf } from '../../db/run.ts';
import { addonsFolder } from './addons-folder.ts';
import { type Node, type NodeOptions, openNode } from './harness.ts';

const addon = (version: string, fields: string): string => `import { defineAddon, f, model, access } from '#core';
export class Thing extends model('fx.thing', { ${fields} }) {}
export default defineAddon({ name: 'fx_grows', title: 'Grows', summary: 'Has versions', version: '${version}', models: [Thing], access: [access(Thing, { '*': 'rwcd' })] });`;
const things = (text: string): string => `import { data } from '#core';
import { Thing } from '../addon.ts';
export default ${text};`;
const migration = (version: string, up: string): string => `import { migration } from '#core';
export default migration({ version: '${version}', summary: 'Renames', async up(tools) { ${up} } });`;

const first = {
  'fx_grows/addon.ts': addon(
    '1.0.0',
    'name: f.char({ required: true, index: true }), size: f.integer(), kept: f.char()',
  ),
  'fx_grows/data/things.ts': things(
    "data(Thing, { a: { name: 'A', size: 1 }, b: { name: 'B', size: 2 }, gone: { name: 'Gone' } })",
  ),
};
const second = {
  'fx_grows/addon.ts': addon(
    '1.2.0',
    "title: f.char({ required: true, index: true }), size: f.integer(), kept: f.char(), color: f.char({ default: 'red' })",
  ),
  'fx_grows/data/things.ts': things(
    "data(Thing, { a: { title: 'A!', size: 10 }, b: { title: 'B', size: 2 }, c: { title: 'C' } })",
  ),
  'fx_grows/migrations/0001-name-to-title.ts': migration(
    '1.1.0',
    "await tools.renameColumn('fx_thing', 'name', 'title');",
  ),
  'fx_grows/migrations/0002-mark.ts': migration(
    '1.2.0',
    "await tools.db('fx_thing').where({ title: 'B' }).update({ kept: 'migrated' });",
  ),
  'fx_grows/migrations/0003-later.ts': migration('2.0.0', "throw new Error('not yet');"),
};

eachDatabase('An upgrade', (dialect) => {
  let made: TestDatabase;
  let node: Node;
  const opened: Node[] = [];
  const open = async (options: NodeOptions): Promise<Node> => {
    const one = await openNode(made.url, options);
    opened.push(one);
    return one;
  };

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    node = await open({ roots: [addonsFolder([], first)] });
    await node.lifecycle.start({ install: ['fx_grows'] });
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await made.drop();
  });
  const rows = (from: Node) => rowsOf(from.database.reader, from.database.knex('fx_thing').select().orderBy('id'));

  test('runs migrations in order, brings schema and shipped records up to date, and keeps what was changed', async () => {
    await node.write(async (ctx) => {
      const b = await ctx.ref('fx_grows.b');
      await ctx.modelNamed('fx.thing').write(b, { size: 99 });
      await ctx.modelNamed('fx.thing').create([{ name: 'own' }]);
    });
    const outdated: string[] = [];
    const old = await open({ roots: [addonsFolder([], first)], onOutdated: () => outdated.push('told') });
    await old.lifecycle.start();
    const fresh = await open({ roots: [addonsFolder(['fx_hello'], second)] });
    const { missing } = await fresh.lifecycle.start();
    expect(missing).toEqual([{ addon: 'fx_grows', version: '1.0.0', loaded: '1.2.0' }]);
    // Until then nothing else can be switched with the newer code, and whoever tries is told what comes first.
    expect((await fresh.lifecycle.plan('enable', ['fx_hello'])).problems.map(describeProblem)).toEqual([
      'fx_grows: version 1.0.0 is enabled, and version 1.2.0 is on this machine. Upgrade it first: `npx pergola upgrade fx_grows`, or “Upgrade” on the Apps screen.',
    ]);
    const plan = await fresh.lifecycle.plan('upgrade', []);
    expect(plan.addons).toMatchObject([{ name: 'fx_grows', fromVersion: '1.0.0', toVersion: '1.2.0' }]);
    expect(plan.items.filter(({ topic }) => topic === 'migration').map(({ data }) => data.version)).toEqual([
      '1.1.0',
      '1.2.0',
    ]);

    await fresh.lifecycle.upgrade([]);
    expect(await rows(fresh)).toMatchObject([
      { title: 'A!', size: 10, color: 'red', kept: null },
      { title: 'B', size: 99, kept: 'migrated' },
      { title: 'own', color: 'red' },
      { title: 'C', color: 'red' },
    ]);
    expect(fresh.holder.current.addons.map(({ definition }) => definition.version)).toEqual(['1.2.0']);
    expect((await fresh.lifecycle.list())[0]).toMatchObject({ state: 'enabled', version: '1.2.0' });
    await fresh.finish();
    expect(await fresh.database.schema.describe()).toEqual(await freshSchema());

    // A process with the older code sees it, stays as it is, and asks for a successor.
    await old.lifecycle.follower.check();
    expect(outdated).toEqual(['told']);
    expect(old.lifecycle.follower.unready).toEqual([
      'fx_grows: version 1.2.0 is enabled, and this process has loaded 1.0.0. Put the newer code on this machine and start the server again.',
    ]);
    await expect(old.lifecycle.disable(['fx_grows'])).resolves.toBeDefined();
  });

  test('that fails changes nothing, and says in which file', async () => {
    const before = await node.database.schema.describe();
    const broken = {
      ...second,
      'fx_grows/migrations/0002-mark.ts': migration(
        '1.2.0',
        "await tools.dropColumn('fx_thing', 'size'); throw new Error('half way');",
      ),
    };
    const fresh = await open({ roots: [addonsFolder([], broken)] });
    await fresh.lifecycle.start();
    await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({
      problems: [{ addon: 'fx_grows', file: 'migrations/0002-mark.ts', message: 'failed: half way' }],
    });
    expect(await node.database.schema.describe()).toEqual(before);
    expect(await rows(node)).toMatchObject([{ name: 'A' }, { name: 'B' }, { name: 'Gone' }]);
    await node.lifecycle.follower.check();
    expect(node.lifecycle.follower.unready).toEqual([]);
  });

  /** The schema of a site that began with the new version. */
  async function freshSchema(): Promise<string[]> {
    const database = await createTestDatabase(dialect);
    const other = await openNode(database.url, { roots: [addonsFolder([], second)] });
    try {
      await other.lifecycle.start({ install: ['fx_grows'] });
      return await other.database.schema.describe();
    } finally {
      await other.close();
      await database.drop();
    }
  }

  test('brings demo records that a newer version ships to whoever has its demo data, and leaves those that are there alone', async () => {
    const withDemo = (version: string, records: string) => ({
      'fx_grows/addon.ts': addon(version, 'name: f.char({ required: true })'),
      'fx_grows/demo/things.ts': things(`data(Thing, ${records})`),
    });
    const named = async (from: Node) => (await rows(from)).map(({ name }) => name);
    await node.lifecycle.uninstall('fx_grows', { confirm: 'fx_grows' });
    const old = await open({ roots: [addonsFolder([], withDemo('1.1.0', "{ x: { name: 'X' } }"))] });
    await old.lifecycle.start();
    await old.lifecycle.enable(['fx_grows'], { demo: true });
    await old.finish();
    expect(await named(old)).toEqual(['X']);
    await old.write(async (ctx) => ctx.modelNamed('fx.thing').write(await ctx.ref('fx_grows.x'), { name: 'Mine' }));
    const newer = await open({
      roots: [addonsFolder([], withDemo('1.2.0', "{ x: { name: 'X!' }, y: { name: 'Y' } }"))],
    });
    await newer.lifecycle.start();
    const { items } = await newer.lifecycle.plan('upgrade', []);
    expect(items.filter(({ topic }) => topic === 'demo')).toHaveLength(1);
    await newer.lifecycle.upgrade([]);
    await newer.finish();
    expect(await named(newer)).toEqual(['Mine', 'Y']);
  });
});
