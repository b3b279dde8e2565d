import { extend, type FieldsOf, f, type Ids, InvalidInput, model, type Values } from 'pergola';
import type { TrackedChange } from 'pergola/orm';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { databaseSession } from '../../db/session.ts';
import { createModelKit, type ModelKit, openToAll, refusal } from './kit.ts';

const heard: string[] = [];
const audited: TrackedChange[] = [];

class Thing extends model('hook.thing', {
  name: f.char({ required: true, tracked: true }),
  title: f.char({ translate: true, tracked: true }),
  state: f.selection(['new', 'done'], { default: 'new', tracked: true }),
  tag_ids: f.many2many('hook.tag', { empty: 'none', tracked: true }),
  part_ids: f.one2many('hook.part', 'thing_id'),
  count: f.integer({ compute: 'computeCount', depends: ['part_ids'], store: true, tracked: true }),
  owner_id: f.many2one('hook.tag', { empty: 'none', tracked: true }),
  password: f.char({ tracked: true, secret: true }),
}) {
  async computeCount(ids: Ids): Promise<Map<number, number>> {
    heard.push('compute');
    const rows = await this.read(ids, { select: { part_ids: true } });
    return new Map(rows.map(({ id, part_ids }) => [id, part_ids.length]));
  }
  override async beforeCreate(values: readonly Given[]): Promise<readonly Given[]> {
    heard.push('beforeCreate');
    return values.map((one) => ({ ...one, name: `${one.name}!` }));
  }
  override async afterCreate(ids: Ids, values: readonly Given[]): Promise<void> {
    heard.push(`afterCreate ${ids.length} ${values.map(({ name, state }) => `${name} ${state}`)}`);
  }
  override async beforeWrite(_: Ids, values: Given): Promise<Given> {
    heard.push('beforeWrite');
    return values.name === 'loud' ? { ...values, name: 'LOUD' } : values;
  }
  override async afterWrite(_: Ids, values: Given): Promise<void> {
    heard.push(`afterWrite ${Object.keys(values)}`);
    if (values.name === 'echo') await this.ctx.model(Tag).create({ name: 'from the hook' });
    if (values.name === 'fails late') throw new InvalidInput('Too late.');
  }
  override async beforeUnlink(_: Ids): Promise<void> {
    heard.push('beforeUnlink');
  }
  override async afterUnlink(_: Ids): Promise<void> {
    heard.push('afterUnlink');
  }
  override async validate(_: Ids, changed: ReadonlySet<string>): Promise<void> {
    heard.push(`validate ${[...changed].sort()}`);
    if (changed.has('name') && (await this.count([['name', '=', 'bad']])) > 0) throw new InvalidInput('Not bad.');
  }
}
type Given = Values<FieldsOf<Thing>>;
class Part extends model('hook.part', { thing_id: f.many2one('hook.thing', { required: true, ondelete: 'cascade' }) }) {
  override async beforeCreate(values: readonly Values<FieldsOf<Part>>[]): Promise<readonly Values<FieldsOf<Part>>[]> {
    heard.push('part beforeCreate');
    return values;
  }
  override async afterCreate(_: Ids): Promise<void> {
    heard.push('part afterCreate');
  }
  override async afterUnlink(_: Ids): Promise<void> {
    heard.push('part afterUnlink');
  }
}
class Tag extends model('hook.tag', { name: f.char() }) {}
class Counter extends model('hook.counter', { n: f.integer() }, { volatile: true }) {}
declare module 'pergola' {
  interface Models {
    'hook.thing': Thing;
    'hook.part': Part;
    'hook.tag': Tag;
    'hook.counter': Counter;
  }
}
const LayeredThing = extend(
  Thing,
  {},
  (Base) =>
    class extends Base {
      override async afterUnlink(ids: Ids): Promise<void> {
        await super.afterUnlink(ids);
        heard.push('extension afterUnlink');
      }
    },
);

const addon = {
  name: 'hook',
  ...openToAll([{ name: 'hook', models: [Thing, Part, Tag, Counter, LayeredThing] }])[0],
  audit: async (_: unknown, changes: readonly TrackedChange[]) => {
    heard.push('audit');
    audited.push(...changes);
  },
};

eachDatabase('Hooks', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, [addon], { languages: ['en_US', 'fr_FR'] });
  });
  afterAll(() => kit.close());
  beforeEach(() => {
    heard.length = 0;
    audited.length = 0;
  });
  const thing = (values: Given = { name: 'x' }) => kit.write((ctx) => ctx.model(Thing).create(values));

  test('run in one order when records are made: lines, computed values, validate, what comes after', async () => {
    await thing({ name: 'a', part_ids: [{ create: {} }] });
    expect(heard).toEqual([
      'beforeCreate',
      'part beforeCreate',
      'compute',
      'validate count,name,part_ids,state',
      'part afterCreate',
      'afterCreate 1 a! new',
    ]);
  });

  test('run in one order when records change, and may change the values', async () => {
    const id = await thing();
    heard.length = 0;
    await kit.write((ctx) => ctx.model(Thing).write(id, { name: 'loud' }));
    expect(heard).toEqual(['beforeWrite', 'validate name', 'afterWrite name', 'audit']);
    expect(
      (
        await kit
          .ctx()
          .model(Thing)
          .get(id, { select: { name: true } })
      ).name,
    ).toBe('LOUD');
  });

  test('run in one order when records go, those of lines and extensions too', async () => {
    const id = await thing({ name: 'x', part_ids: [{ create: {} }] });
    heard.length = 0;
    await kit.write((ctx) => ctx.model(Thing).unlink(id));
    expect(heard).toEqual(['beforeUnlink', 'part afterUnlink', 'afterUnlink', 'extension afterUnlink']);
  });

  test('that refuse undo everything, and the transaction goes on', async () => {
    const id = await thing();
    const texts = await kit.write(async (ctx) => {
      const early = await refusal(ctx.model(Thing).write(id, { name: 'bad', tag_ids: [{ create: { name: 'lost' } }] }));
      const effects: string[] = [];
      const late = await refusal(
        ctx.savepoint(async () => {
          ctx.get(databaseSession).transaction?.afterCommit(() => {
            effects.push('lost');
          });
          await ctx.model(Thing).write(id, { name: 'fails late' });
        }),
      );
      await ctx.model(Thing).write(id, { name: 'echo' });
      return [early.message, late.message, ...effects];
    });
    expect(texts).toEqual(['Not bad.', 'Too late.']);
    expect(
      await kit
        .ctx()
        .model(Thing)
        .get(id, { select: { name: true, tag_ids: true } }),
    ).toMatchObject({ name: 'echo', tag_ids: [] });
    const tags = await kit
      .ctx()
      .model(Tag)
      .find([['name', 'in', ['lost', 'from the hook']]], { select: { name: true } });
    expect(tags.map(({ name }) => name)).toEqual(['from the hook']);
  });

  test('of the audit trail hear of changes of tracked fields, with what was there before', async () => {
    const [one = 0, two = 0] = await kit.write((ctx) => ctx.model(Tag).create([{ name: '1' }, { name: '2' }]));
    const id = await thing({ name: 'x', title: 'T', tag_ids: [one], owner_id: two });
    expect(audited).toEqual([]);
    await kit.write((ctx) =>
      ctx.model(Thing).write(id, {
        state: 'done',
        name: 'x!',
        title: { fr_FR: 'Titre' },
        tag_ids: [two],
        part_ids: [{ create: {} }],
      }),
    );
    expect(audited).toEqual([
      { model: 'hook.thing', id, field: 'state', old: 'new', new: 'done' },
      { model: 'hook.thing', id, field: 'title', old: { en_US: 'T' }, new: { en_US: 'T', fr_FR: 'Titre' } },
      { model: 'hook.thing', id, field: 'tag_ids', old: [one], new: [two] },
      { model: 'hook.thing', id, field: 'count', old: 0, new: 1 },
    ]);
    audited.length = 0;
    await kit.write((ctx) => ctx.model(Thing).write(id, { password: 'one' }));
    await kit.write((ctx) => ctx.model(Thing).write(id, { password: 'two' }));
    expect(audited).toMatchObject([
      { old: null, new: '***' },
      { old: '***', new: '***' },
    ]);
    audited.length = 0;
    await kit.write((ctx) => ctx.model(Tag).unlink(two));
    expect(audited).toEqual([{ model: 'hook.thing', id, field: 'owner_id', old: two, new: null }]);
  });

  test('are not needed for pages to hear of changes, and counters do not make them stale', async () => {
    const version = (table: string) => kit.database.changes.version(table);
    const seen = () => ['hook_thing', 'hook_tag__hook_thing__rel', 'hook_part', 'hook_counter'].map(version);
    const changedBy = async (work: Parameters<ModelKit['write']>[0]) => {
      const before = seen();
      await kit.write(work);
      return seen().map((now, position) => now > (before[position] ?? 0));
    };
    const [tag = 0] = await kit.write((ctx) => ctx.model(Tag).create([{ name: 't' }]));
    const id = await thing();
    expect(await changedBy((ctx) => ctx.model(Thing).write(id, { name: 'y' }))).toEqual([true, false, false, false]);
    expect(await changedBy((ctx) => ctx.model(Thing).write(id, { tag_ids: [tag] }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await changedBy((ctx) => ctx.model(Thing).write(id, { tag_ids: [tag] }))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await changedBy((ctx) => ctx.model(Part).create({ thing_id: id }))).toEqual([true, false, true, false]);
    expect(await changedBy((ctx) => ctx.model(Counter).create({ n: 1 }))).toEqual([false, false, false, false]);
    expect(await changedBy((ctx) => ctx.model(Thing).unlink(id))).toEqual([true, true, true, false]);
  });
});
