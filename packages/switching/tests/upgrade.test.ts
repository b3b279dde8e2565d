import { BrokenAddons, describeProblem } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import type { PlanItem } from '../../../core/kernel/index.ts';
import { inEnglish } from '../../../core/kernel/sentence.ts';
import { SavedCodeFollower } from '../../../tools/dev/code-follower.ts';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { rowsOf } from '../../db/run.ts';
import { models } from '../../orm/points.ts';
import { addonsFolder } from './addons-folder.ts';
import { type Node, type NodeOptions, openNode } from './harness.ts';

const addon = (version: string, fields: string): string => `import { defineAddon, f, model, access } from 'pergola';
export class Thing extends model('fx.thing', { ${fields} }) {}
export default defineAddon({ name: 'fx_grows', title: 'Grows', summary: 'Has versions', version: '${version}', models: [Thing], access: [access(Thing, { '*': 'rwcd' })] });`;
const things = (text: string): string => `import { data } from 'pergola';
import { Thing } from '../addon.ts';
export default ${text};`;
const migration = (version: string, up: string): string => `import { migration } from 'pergola';
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
    // The renamed field isn't new.
    expect(plan.items.filter(({ topic }) => topic === 'column').map(({ data }) => data.columns)).toEqual([['color']]);
    expect(
      plan.items.filter(({ topic }) => topic === 'records').map(({ sentence, data }) => [sentence.text, data.count]),
    ).toEqual([
      ['Adds records of “{model}”: {count}.', 1],
      ['Updates the records of “{model}”: {count}.', 2],
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

  test('gives records their default in a column that a migration added and filled in part', async () => {
    const add = (kind: string) => `await tools.addColumn('fx_thing', 'color', '${kind}');`;
    const filled = "await tools.db('fx_thing').where({ title: 'B' }).update({ color: 'blue' });";
    const upgraded = async (up: string): Promise<Node> => {
      const code = { ...second, 'fx_grows/migrations/0002-mark.ts': migration('1.2.0', up) };
      const fresh = await open({ roots: [addonsFolder([], code)] });
      await fresh.lifecycle.start();
      await fresh.lifecycle.upgrade([]);
      return fresh;
    };
    const problem = async (up: string) => {
      const error: unknown = await upgraded(up).catch((error: unknown) => error);
      return error instanceof BrokenAddons ? error.problems.map(describeProblem).join() : error;
    };
    expect(await problem(filled)).toContain(
      "Columns of new fields are added after the migrations. Call addColumn('fx_thing', 'color', 'text') first.",
    );
    expect(await problem(add('char'))).toContain('is of kind “text”, not “char”');
    const fresh = await upgraded(add('text') + filled);
    await fresh.finish();
    const colors = (await rows(fresh)).map(({ title, color }) => [title, color]);
    expect(colors).toEqual(
      expect.arrayContaining([
        ['B', 'blue'],
        ['A!', 'red'],
      ]),
    );
    expect(await fresh.database.schema.describe()).toEqual(await freshSchema());
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

  test('is named at a start with code that needs more of the database than its version has', async () => {
    const code = {
      ...first,
      'fx_grows/addon.ts': addon(
        '1.0.0',
        `name: f.char({ required: true, index: true }), size: f.integer(), kept: f.char(),
  owner_ids: f.many2many('fx.owner'),
  color: f.char({ translate: true }),`,
      )
        .replace(
          'export default',
          `export class Owner extends model('fx.owner', { name: f.char() }) {}
export default`,
        )
        .replace('models: [Thing]', 'models: [Thing, Owner]'),
    };
    const fresh = await open({ roots: [addonsFolder([], code)] });
    const { leftOut } = await fresh.lifecycle.start();
    const inDatabase =
      'in the database, although version 1.0.0 of the addon is enabled. Raise `version` in addon.ts, and run `npx pergola upgrade fx_grows`.';
    expect(leftOut.get('fx_grows')?.map(describeProblem)).toEqual([
      `fx_grows addon.ts:4: The field “color” of “fx.thing” has no column ${inDatabase}`,
      `fx_grows addon.ts:5: The model “fx.owner” has no table ${inDatabase}`,
      `fx_grows addon.ts:3: The field “owner_ids” of “fx.thing” has no table ${inDatabase}`,
    ]);
    // While somebody develops, the database follows the code.
    const developing = await open({ roots: [addonsFolder([], code)] });
    const starting = developing.lifecycle.start({ ignoreMisfits: true });
    await starting;
    await new SavedCodeFollower().start(
      {
        ...developing,
        log: createLog('silent'),
        ready: true,
        generation: developing.holder.current,
        get: () => developing.database as never,
      },
      starting,
    );
    expect((await starting).leftOut.size).toBe(0);
    expect(Object.keys((await rows(developing))[0] ?? {})).toContain('color');
  });

  describe('to code without a field or model that has values', () => {
    const without = (up?: string) => ({
      'fx_grows/addon.ts': addon(
        '1.2.0',
        'name: f.char({ required: true, index: true }), amount: f.integer(), kept: f.char()',
      ),
      'fx_grows/data/things.ts': things("data(Thing, { a: { name: 'A' }, b: { name: 'B' }, gone: { name: 'Gone' } })"),
      ...(up === undefined ? {} : { 'fx_grows/migrations/0001-answer.ts': migration('1.2.0', up) }),
    });
    const upgraded = async (up?: string): Promise<Node> => {
      const fresh = await open({ roots: [addonsFolder([], without(up))] });
      await fresh.lifecycle.start();
      return fresh;
    };
    const columns = async (from: Node) => Object.keys((await rows(from))[0] ?? {});

    test('asks in the plan what becomes of the values, and changes nothing', async () => {
      const fresh = await upgraded();
      const question = [
        'fx_grows addon.ts:2: The field “size” of “fx.thing” is no longer stored, and 2 records have a value in it. Say in a migration what becomes of the values: npx pergola make migration <name> --addon fx_grows with --rename fx.thing.size=amount, --drop fx.thing.size or --keep fx.thing.size',
      ];
      expect((await fresh.lifecycle.plan('upgrade', [])).problems.map(describeProblem)).toEqual(question);
      await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({ problems: [{ addon: 'fx_grows' }] });
      expect(await columns(fresh)).not.toContain('amount');
    });

    test('is left out at a start with the version kept, with the question and the line', async () => {
      const kept = without();
      const code = { ...kept, 'fx_grows/addon.ts': kept['fx_grows/addon.ts'].replace('1.2.0', '1.0.0') };
      const fresh = await open({ roots: [addonsFolder([], code)] });
      const { leftOut } = await fresh.lifecycle.start();
      const [question] = leftOut.get('fx_grows') ?? [];
      expect(question && describeProblem(question)).toMatch(
        /^fx_grows addon\.ts:2: The field “size” of “fx\.thing” is no longer stored, and 2 records .*--rename fx\.thing\.size=amount/,
      );
      expect(fresh.holder.current.addons).toEqual([]);
      // Commands give the reason, too.
      for (const action of ['enable', 'upgrade'] as const)
        expect((await fresh.lifecycle.plan(action, ['fx_grows'])).problems).toEqual([question]);
    });

    test('asks nothing when no record has a value', async () => {
      await node.write(async (ctx) =>
        ctx.modelNamed('fx.thing').write(await ctx.modelNamed('fx.thing').search([]), { size: null }),
      );
      const fresh = await upgraded();
      await fresh.lifecycle.upgrade([]);
      expect(await columns(fresh)).toContain('amount');
    });

    test('undoes a migration that leaves the question open', async () => {
      const fresh = await upgraded("await tools.db('fx_thing').update({ kept: 'half' });");
      expect(
        (await fresh.lifecycle.plan('upgrade', [])).items.filter(({ topic }) => topic === 'removed'),
      ).toMatchObject([{ data: { table: 'fx_thing', column: 'size', count: 2 } }]);
      await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({ problems: [{ addon: 'fx_grows' }] });
      expect((await rows(fresh)).map(({ kept }) => kept)).toEqual([null, null, null]);
    });

    test.each([
      ["await tools.renameColumn('fx_thing', 'size', 'amount');", { amount: 1 }, false],
      ["await tools.dropColumn('fx_thing', 'size');", { amount: null }, false],
      ["await tools.keepColumn('fx_thing', 'size');", { amount: null, size: 1 }, true],
    ])('goes on after %s', async (up, first, isThere) => {
      const fresh = await upgraded(up);
      expect((await fresh.lifecycle.plan('upgrade', [])).items.filter(({ topic }) => topic === 'removed')).toEqual([]);
      await fresh.lifecycle.upgrade([]);
      expect((await rows(fresh))[0]).toMatchObject(first);
      expect((await columns(fresh)).includes('size')).toBe(isThere);
      // What was kept isn't asked about again, until a field used it in between.
      const later = (version: string, fields: string) => ({
        'fx_grows/addon.ts': addon(
          version,
          `name: f.char({ required: true, index: true }), amount: f.integer(), kept: f.char() ${fields}`,
        ),
        'fx_grows/data/things.ts': things("data(Thing, { a: { name: 'A' } })"),
      });
      for (const [version, fields, problems] of [
        ['1.3.0', '', 0],
        ['1.4.0', ', size: f.integer()', 0],
        ['1.5.0', '', isThere ? 1 : 0],
      ] as const) {
        const next = await open({ roots: [addonsFolder([], later(version, fields))] });
        await next.lifecycle.start();
        expect([version, (await next.lifecycle.plan('upgrade', [])).problems.length]).toEqual([version, problems]);
        if (problems === 0) await next.lifecycle.upgrade([]);
      }
    });

    /** Code of version 1.2.0 that declares the same as before, with a migration that renames. */
    const unchanged = (up: string) => ({
      ...first,
      'fx_grows/addon.ts': first['fx_grows/addon.ts'].replace('1.0.0', '1.2.0'),
      'fx_grows/migrations/0001-answer.ts': migration('1.2.0', up),
    });
    test.each([
      [
        'a field',
        "await tools.renameColumn('fx_thing', 'size', 'amount');",
        'fx_grows addon.ts:2: “fx.thing” still declares the field “size”, which migrations/0001-answer.ts renames to “amount”. Rename it there and wherever it is used, or correct the migration.',
      ],
      [
        'a field without values',
        "await tools.renameColumn('fx_thing', 'kept', 'note');",
        'fx_grows addon.ts:2: “fx.thing” still declares the field “kept”, which migrations/0001-answer.ts renames to “note”. Rename it there and wherever it is used, or correct the migration.',
      ],
      [
        'a field that needs a value',
        "await tools.renameColumn('fx_thing', 'name', 'title');",
        'fx_grows addon.ts:2: “fx.thing” still declares the field “name”, which migrations/0001-answer.ts renames to “title”. Rename it there and wherever it is used, or correct the migration.',
      ],
      [
        'a field by two steps',
        "await tools.renameColumn('fx_thing', 'size', 'width'); await tools.renameColumn('fx_thing', 'width', 'amount');",
        'fx_grows addon.ts:2: “fx.thing” still declares the field “size”, which migrations/0001-answer.ts renames to “amount”. Rename it there and wherever it is used, or correct the migration.',
      ],
      [
        'a model',
        "await tools.renameModel('fx.thing', 'fx.item');",
        'fx_grows addon.ts:2: “fx.thing” is still declared under this name, while migrations/0001-answer.ts renames the model to “fx.item”. Rename it there and wherever it is used, or correct the migration.',
      ],
    ])('names what is still declared under the former name of %s', async (_, up, problem) => {
      const fresh = await open({ roots: [addonsFolder([], unchanged(up))] });
      await fresh.lifecycle.start();
      const { problems } = await fresh.lifecycle.run('upgrade', [], { dryRun: true, rehearse: true });
      expect(problems.map(describeProblem)).toEqual([problem]);
      await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({ problems });
      expect((await rows(fresh))[0]).toMatchObject({ name: 'A', size: 1 });
    });

    test('names a rename to a field that no model declares', async () => {
      const fresh = await upgraded("await tools.renameColumn('fx_thing', 'size', 'width');");
      await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({
        problems: [
          {
            file: 'migrations/0001-answer.ts',
            message: 'The migration renames “size” to “width”, which no code declares as the field of “fx.thing”.',
          },
        ],
      });
    });

    const other = (up?: string) => ({
      ...without(up),
      'fx_grows/addon.ts': addon(
        '1.2.0',
        'name: f.char({ required: true, index: true }), size: f.integer(), kept: f.char()',
      ).replace("'fx.thing'", "'fx.item'"),
      'fx_grows/data/things.ts': things(
        "data(Thing, { a: { name: 'A', size: 1 }, b: { name: 'B', size: 2 }, gone: { name: 'Gone' } })",
      ),
    });
    test.each([
      ['', 'no longer declared', [], true],
      ["await tools.renameModel('fx.thing', 'fx.item');", null, ['A', 'B', 'Gone'], false],
      [
        "await tools.dropTable('fx_thing'); await tools.db('core_external_id').where({ model: 'fx.thing' }).delete();",
        null,
        ['A', 'B', 'Gone'],
        false,
      ],
      [
        "await tools.keepTable('fx_thing'); await tools.db('core_external_id').where({ model: 'fx.thing' }).delete();",
        null,
        ['A', 'B', 'Gone'],
        true,
      ],
    ])('asks about a model too: %s', async (up, problem, names, isThere) => {
      const fresh = await open({ roots: [addonsFolder([], other(up === '' ? undefined : up))] });
      await fresh.lifecycle.start();
      if (problem === null) await fresh.lifecycle.upgrade([]);
      else await expect(fresh.lifecycle.upgrade([])).rejects.toThrow(problem);
      const tables = (await fresh.database.schema.introspect()).map(({ name }) => name);
      expect(tables.includes('fx_thing')).toBe(isThere);
      if (names.length > 0)
        expect(
          (await rowsOf(fresh.database.reader, fresh.database.knex('fx_item').select().orderBy('id'))).map(
            ({ name }) => name,
          ),
        ).toEqual(names);
    });
  });

  test('finds records in the plan that refer to what does not exist, or that no model can take', async () => {
    const wrong = {
      'fx_grows/addon.ts': addon(
        '1.1.0',
        "name: f.char({ required: true }), size: f.integer(), kept: f.char(), above_id: f.many2one('fx.thing')",
      ),
      'fx_grows/data/things.ts': `import { data, ref } from 'pergola';
import { Thing } from '../addon.ts';
export default data(Thing, {
  a: { name: 'A', above_id: ref('b') },
  b: { name: 'B', above_id: ref('goen') },
  gone: { name: 'Gone', siez: 1 },
});`,
    };
    const fresh = await open({ roots: [addonsFolder([], wrong)] });
    await fresh.lifecycle.start();
    expect((await fresh.lifecycle.plan('upgrade', [])).problems.map(describeProblem)).toEqual([
      'fx_grows data/things.ts:6: “fx_grows.gone”: “fx.thing” has no field “siez”. Did you mean “size”?',
      'fx_grows data/things.ts:5: “fx_grows.b”: above_id: it refers to “fx_grows.goen”, which does not exist. Did you mean “fx_grows.gone”?',
    ]);
  });

  describe('to code that stored values do not fit', () => {
    const choosing = (values: string) =>
      `name: f.char({ required: true, index: true }), size: f.integer(), kept: f.char(), state: f.selection([${values}])`;
    const version = (number: string, fields: string, up?: string, data?: string) => ({
      'fx_grows/addon.ts': addon(number, fields),
      ...(data === undefined ? {} : { 'fx_grows/data/things.ts': things(data) }),
      ...(up === undefined ? {} : { 'fx_grows/migrations/0001-answer.ts': migration('1.2.0', up) }),
    });
    const started = async (files: Record<string, string>): Promise<Node> => {
      const fresh = await open({ roots: [addonsFolder([], files)] });
      await fresh.lifecycle.start();
      return fresh;
    };
    const report = async (from: Node, rehearse = false) => {
      const { problems, items } = await from.lifecycle.run('upgrade', [], { dryRun: true, rehearse });
      const notes = items.filter(({ topic }) => topic === 'note').map(({ sentence }) => inEnglish(sentence));
      return { problems: problems.map(describeProblem), notes };
    };
    /** A site whose things have these values. */
    const filled = async (rows: Record<string, unknown>[]): Promise<void> => {
      const old = await started(version('1.1.0', choosing("'open', 'done', 'lost'")));
      await old.lifecycle.upgrade([]);
      await old.write(async (ctx) => {
        const model = ctx.modelNamed('fx.thing');
        await model.unlink(await model.search([]));
        await model.create(rows);
      });
    };
    const states = [
      { name: 'A', state: 'open' },
      { name: 'B', state: 'lost' },
      { name: 'C', state: 'lost' },
      { name: 'D', state: 'done' },
      { name: 'E' },
    ];

    test('names the values that a selection no longer has, before anything changes', async () => {
      await filled(states);
      const fresh = await started(version('1.2.0', `${choosing("'open'")}, color: f.char()`));
      const problem =
        "fx_grows addon.ts:2: “fx.thing”: the selection “state” doesn’t offer these stored values: “done” (1 record), “lost” (2 records). Change them in a migration (npx pergola make migration <name> --addon fx_grows): await db('fx_thing').where({ state: 'done' }).update({ state: '…' }). Or declare the value again.";
      expect((await report(fresh)).problems).toEqual([problem]);
      await expect(fresh.lifecycle.upgrade([])).rejects.toMatchObject({ problems: [{ addon: 'fx_grows' }] });
      expect(Object.keys((await rows(fresh))[0] ?? {})).not.toContain('color');
    });

    test('goes on after a migration that changes all of them', async () => {
      await filled(states);
      const changing = (value: string) =>
        `await tools.db('fx_thing').where({ state: '${value}' }).update({ state: 'open' });`;
      const half = await started(version('1.2.0', choosing("'open'"), changing('lost')));
      expect((await report(half, true)).problems).toEqual([expect.stringContaining('values: “done” (1 record).')]);
      await expect(half.lifecycle.upgrade([])).rejects.toMatchObject({ problems: [{ addon: 'fx_grows' }] });
      expect((await rows(half)).map(({ state }) => state)).toEqual(['open', 'lost', 'lost', 'done', null]);
      const whole = await started(version('1.2.0', choosing("'open', 'done'"), changing('lost')));
      expect(await report(whole, true)).toEqual({ problems: [], notes: [] });
      await whole.lifecycle.upgrade([]);
      expect((await rows(whole)).map(({ state }) => state)).toEqual(['open', 'open', 'open', 'done', null]);
    });

    test('goes on where the shipped records change them', async () => {
      const shipped = (state: string) => `data(Thing, { a: { name: 'A', state: '${state}' } })`;
      const all = choosing("'open', 'lost'");
      await (await started(version('1.1.0', all, undefined, shipped('lost')))).lifecycle.upgrade([]);
      const fresh = await started(version('1.2.0', choosing("'open'"), undefined, shipped('open')));
      expect(await report(fresh, true)).toEqual({ problems: [], notes: [] });
      const other = await started(version('1.2.0', choosing("'open'"), undefined, "data(Thing, { a: { name: 'A' } })"));
      expect((await report(other, true)).problems).toEqual([expect.stringContaining('values: “lost” (1 record).')]);
    });

    test('leaves alone the values of a disabled addon', async () => {
      const extending = (values: string) => ({
        'fx_states/addon.ts': `import { defineAddon, extend, f } from 'pergola';
import { Thing } from '../fx_grows/addon.ts';
export default defineAddon({ name: 'fx_states', title: 'States', summary: 'Adds states', version: '${values === '' ? '1.1.0' : '1.0.0'}', depends: ['fx_grows'],
  models: [extend(Thing, { ${values} })] });`,
      });
      const state = "state: f.selectionAdd(['paused'], { onUninstall: { paused: 'open' } })";
      const with1 = version('1.1.0', choosing("'open', 'done', 'lost'"));
      const both = await started({ ...with1, ...extending(state) });
      await both.lifecycle.upgrade([]);
      await both.lifecycle.enable(['fx_states']);
      await both.write(async (ctx) => ctx.modelNamed('fx.thing').create([{ name: 'P', state: 'paused' }]));
      const without = await started({ ...with1, ...extending('') });
      expect((await report(without)).problems).toEqual([
        expect.stringMatching(/^fx_states addon\.ts:4: .*values: “paused” \(1 record\)/),
      ]);
      await both.lifecycle.disable(['fx_states']);
      const fresh = await started({ ...version('1.2.0', choosing("'open', 'done', 'lost'")), ...extending(state) });
      expect((await report(fresh)).problems).toEqual([]);
    });

    test('names values that are no longer unique in what must be', async () => {
      await filled([
        { name: 'A', kept: 'x' },
        { name: 'B', kept: 'x' },
        { name: 'C', kept: 'y' },
        { name: 'D' },
        { name: 'E' },
      ]);
      const fields = choosing("'open', 'done', 'lost'");
      const unique = fields.replace('kept: f.char()', 'kept: f.char({ unique: true })');
      const problem =
        'fx_grows addon.ts:2: “fx.thing”: “kept” must be unique, but 1 value occurs more than once, such as “x” in 2 records. Correct the records before the upgrade, or in a migration: npx pergola make migration <name>';
      expect((await report(await started(version('1.2.0', unique)))).problems).toEqual([problem]);
      const migrating = await started(
        version('1.2.0', unique, "await tools.db('fx_thing').where({ name: 'B' }).update({ kept: null });"),
      );
      await migrating.lifecycle.upgrade([]);
      await expect(
        migrating.write(async (ctx) => ctx.modelNamed('fx.thing').create([{ name: 'F', kept: 'x' }])),
      ).rejects.toThrow();
    });

    test('notes what stays, and is refused at the next change of a record', async () => {
      await filled([{ name: 'A', size: 10, kept: 'éàü' }, { name: 'B', size: 1, kept: 'four' }, { name: 'Long' }]);
      const fields = choosing("'open', 'done', 'lost'")
        .replace('size: f.integer()', 'size: f.integer({ required: true, min: 2, max: 9 })')
        .replace('kept: f.char()', 'kept: f.char({ size: 3 })');
      const fresh = await started(version('1.2.0', `${fields}, color: f.char({ required: true })`));
      const expected = {
        problems: [],
        notes: [
          'Records of “Thing” without “Size”, which is required: 1.',
          'Records of “Thing” whose “Size” is less than 2: 1.',
          'Records of “Thing” whose “Size” is more than 9: 1.',
          'Records of “Thing” whose “Kept” is longer than 3 characters: 1.',
          'Records of “Thing” without “Color”, which is required: 3.',
        ],
      };
      expect(await report(fresh)).toEqual(expected);
      expect(await report(fresh, true)).toEqual(expected);
      const migrating = await started(
        version(
          '1.2.0',
          fields,
          "await tools.db('fx_thing').update({ size: 5 }); await tools.db('fx_thing').where({ name: 'Long' }).update({ kept: 'long' });",
        ),
      );
      expect((await report(migrating)).notes).toEqual([]);
      expect((await report(migrating, true)).notes).toEqual([
        'Records of “Thing” whose “Kept” is longer than 3 characters: 2.',
      ]);
    });
  });

  test('makes one more generation for all values that it works out afterwards', async () => {
    const computing = (failing: string) => ({
      'fx_grows/addon.ts': `import { defineAddon, f, model, access } from 'pergola';
const values = (ids, value) => new Map(ids.map((id) => [id, value]));
const fields = { name: f.char({ required: true, index: true }), size: f.integer(), kept: f.char() };
export class Thing extends model('fx.thing', { ...fields, width: f.integer({ compute: 'measure', store: true }) }) {
  async measure(ids) { ${failing} return values(ids, 1); }
}
export class Other extends model('fx.other', { name: f.char(), depth: f.integer({ compute: 'measure', store: true }) }) {
  async measure(ids) { return values(ids, 2); }
}
export default defineAddon({ name: 'fx_grows', title: 'Grows', summary: 'Has versions', version: '1.2.0', models: [Thing, Other], access: [access(Thing, { '*': 'rwcd' }), access(Other, { '*': 'rwcd' })] });`,
    });
    const before = {
      'fx_grows/addon.ts': computing('')
        ['fx_grows/addon.ts'].replace(/, (?:width|depth): f.integer\(.*?\)/g, '')
        .replace('1.2.0', '1.1.0'),
    };
    const old = await open({ roots: [addonsFolder([], before)] });
    await old.lifecycle.start();
    await old.lifecycle.upgrade([]);
    await old.write(async (ctx) => {
      await ctx.modelNamed('fx.thing').create([{ name: 'A' }]);
      await ctx.modelNamed('fx.other').create([{ name: 'B' }]);
    });
    const failing = await open({ roots: [addonsFolder([], computing("throw new Error('no measure');"))] });
    await failing.lifecycle.start();
    await failing.lifecycle.upgrade([]);
    const pending = () => failing.holder.current.get(models).pendingFields;
    expect(pending()).toEqual(new Set(['fx.thing.width', 'fx.other.depth']));
    const { number } = failing.holder.current;
    // What could be worked out doesn't wait for what fails.
    await expect(failing.finish()).rejects.toThrow('no measure');
    await failing.lifecycle.follower.check();
    expect([failing.holder.current.number - number, pending()]).toEqual([1, new Set(['fx.thing.width'])]);
    const fresh = await open({ roots: [addonsFolder([], computing(''))] });
    await fresh.lifecycle.start();
    await fresh.lifecycle.disable(['fx_grows']);
    await fresh.lifecycle.enable(['fx_grows']);
    expect(fresh.holder.current.get(models).pendingFields.size).toBe(2);
    const back = fresh.holder.current.number;
    await fresh.finish();
    expect(fresh.holder.current.number - back).toBe(1);
    expect(fresh.holder.current.get(models).pendingFields.size).toBe(0);
    expect((await rows(fresh)).at(-1)).toMatchObject({ name: 'A', width: 1 });
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

  describe('is rehearsed', () => {
    const rehearsed = async (files: Record<string, string>, demo = false): Promise<string> => {
      if (demo) {
        await node.lifecycle.uninstall('fx_grows', { confirm: 'fx_grows' });
        await node.lifecycle.enable(['fx_grows'], { demo: true });
      }
      const fresh = await open({ roots: [addonsFolder([], files)] });
      await fresh.lifecycle.start();
      const before = await stateOf();
      const { problems } = await fresh.lifecycle.upgrade([], { dryRun: true, rehearse: true });
      expect(await stateOf()).toEqual(before);
      return problems.map(describeProblem).join('\n');
    };
    const stateOf = async () => ({
      schema: await node.database.schema.describe(),
      rows: await rows(node),
      newest: (await node.lifecycle.list()).map(({ version, problems }) => ({ version, problems })),
      tasks: await rowsOf(node.database.reader, node.database.knex('core_addon_task').select()),
      history: await rowsOf(node.database.reader, node.database.knex('core_addon_log').select('id')),
    });
    const withData = (records: string) => ({ ...second, 'fx_grows/data/things.ts': things(`data(Thing, ${records})`) });
    const linked = {
      ...first,
      'fx_grows/addon.ts': addon(
        '1.2.0',
        "name: f.char({ required: true, index: true }), size: f.integer({ max: 9 }), kept: f.char(), parent_id: f.many2one('fx.thing', { empty: 'none' })",
      ),
    };
    const linkedTo = (records: string) => ({
      ...linked,
      'fx_grows/data/things.ts': `${things(`data(Thing, ${records})`).replace('{ data }', '{ data, ref }')}`,
    });

    test('and finds nothing where the upgrade works', async () => {
      expect(await rehearsed(second)).toBe('');
      expect(
        await rehearsed(linkedTo("async () => ({ a: { name: 'A', parent_id: ref('b') }, b: { name: 'B' } })")),
      ).toBe('');
    });

    test('and finds a reference that leads nowhere, of records that a function makes', async () => {
      expect(await rehearsed(linkedTo("async () => ({ a: { name: 'A', parent_id: ref('bb') } })"))).toMatch(
        /fx_grows data\/things\.ts:3: “fx_grows\.a”: parent_id: it refers to “fx_grows\.bb”, which does not exist/,
      );
    });

    test('and finds one in an upgrade with migrations', async () => {
      const files = linkedTo("{ a: { name: 'A', parent_id: ref('bb') } }");
      const up = migration('1.1.0', "await tools.db('fx_thing').update({ size: 0 });");
      expect(await rehearsed({ ...files, 'fx_grows/migrations/0001-zero.ts': up })).toContain('“fx_grows.bb”');
    });

    test('and finds values that the model refuses', async () => {
      expect(await rehearsed(linkedTo("{ a: { name: 'A', size: 10 } }"))).toMatch(
        /things\.ts:3: “fx_grows\.a”: size: /,
      );
    });

    test('and finds a function that fails, with its line', async () => {
      const failing = "async () => {\n  throw new TypeError('no pictures');\n}";
      expect(await rehearsed(withData(failing))).toBe(
        'fx_grows data/things.ts:4: The records can’t be made: no pictures',
      );
    });

    test('and finds a migration that fails', async () => {
      const files = {
        ...second,
        'fx_grows/migrations/0002-mark.ts': migration('1.2.0', "throw new Error('half way');"),
      };
      expect(await rehearsed(files)).toContain('migrations/0002-mark.ts: failed: half way');
    });

    test('and finds demo records that are refused, also where records name later ones', async () => {
      const demo = (records: string) => ({
        ...linked,
        'fx_grows/demo/things.ts': `${things(`data(Thing, async () => (${records}))`).replace('{ data }', '{ data, ref }')}`,
        'fx_grows/demo/zebras.ts': things("data(Thing, { z: { name: 'Z' } })"),
      });
      const later = "{ x: { name: 'X', parent_id: ref('z') } }";
      expect(await rehearsed(demo(later), true)).toBe('');
      expect(await rehearsed(demo("{ x: { name: 'X', parent_id: ref('zz') } }"))).toMatch(
        /demo\/things\.ts.*“fx_grows\.zz”/,
      );
    });
  });

  test('brings demo records that a newer version ships to whoever has its demo data, and leaves those that are there alone', async () => {
    const withDemo = (version: string, records: string) => ({
      'fx_grows/addon.ts': addon(version, 'name: f.char({ required: true })'),
      'fx_grows/demo/things.ts': things(`data(Thing, ${records})`),
    });
    const named = async (from: Node) => (await rows(from)).map(({ name }) => name);
    const demoIn = (items: readonly PlanItem[]) =>
      items.filter(({ topic }) => topic === 'demo').map(({ sentence, data }) => [sentence.text, data.count]);
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
    expect(demoIn(items)).toEqual([['Adds demo records of “{model}”: {count}.', 1]]);
    await newer.lifecycle.upgrade([]);
    await newer.finish();
    expect(await named(newer)).toEqual(['Mine', 'Y']);
    // Nothing that came before is announced again; how many a function makes isn't known before it ran.
    for (const [version, records, announced] of [
      ['1.3.0', "{ x: { name: 'X!' }, y: { name: 'Y' } }", []],
      ['1.4.0', "async () => ({ x: { name: 'X' } })", [['Adds demo records of “{model}” if any are missing.', 0]]],
    ] as const) {
      const again = await open({ roots: [addonsFolder([], withDemo(version, records))] });
      await again.lifecycle.start();
      expect(demoIn((await again.lifecycle.plan('upgrade', [])).items)).toEqual(announced);
    }
    // A rehearsal knows: nothing is said where nothing is missing.
    for (const [records, announced] of [
      ["async () => ({ x: { name: 'X' }, y: { name: 'Y' } })", []],
      [
        "async () => ({ x: { name: 'X' }, v: { name: 'V' }, w: { name: 'W' } })",
        [['Adds demo records of “{model}”: {count}.', 2]],
      ],
    ] as const) {
      const again = await open({ roots: [addonsFolder([], withDemo('1.5.0', records))] });
      await again.lifecycle.start();
      const rehearsed = await again.lifecycle.run('upgrade', [], { dryRun: true, rehearse: true });
      expect(demoIn(rehearsed.items)).toEqual(announced);
      expect(await named(again)).toEqual(['Mine', 'Y']);
    }
  });
});
