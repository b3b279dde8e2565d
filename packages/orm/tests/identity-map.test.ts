import { jest } from '@jest/globals';
import { type Ctx, decimal, f, type Id, type Ids, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { databaseSession } from '../../db/session.ts';
import { createModelKit, type ModelKit, openToAll } from './kit.ts';

class Box extends model(
  'known.box',
  {
    name: f.char({ required: true, translate: true }),
    active: f.boolean({ default: true }),
    rank: f.integer({ default: 0 }),
    weight: f.decimal(),
    since: f.datetime(),
    day: f.date(),
    more: f.json(),
    parent_id: f.many2one('known.box', { empty: 'none' }),
    child_ids: f.one2many('known.box', 'parent_id', { order: 'name, id' }),
    path: f.char({ compute: 'computePath', depends: ['rank', 'parent_id.path'], store: true }),
    item_ids: f.one2many('known.item', 'box_id', { order: 'rank desc, id' }),
    total: f.decimal({ compute: 'computeTotal', depends: ['item_ids.worth'], store: true }),
    label_ids: f.many2many('known.label', { empty: 'none', order: 'name, id' }),
  },
  { order: 'rank, id' },
) {
  async computePath(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { rank: true, parent_id: { path: true } } });
    return new Map(rows.map((row) => [row.id, `${row.parent_id?.path ?? ''}/${row.rank}`]));
  }
  async computeTotal(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { item_ids: { worth: true } } });
    return new Map(
      rows.map((row) => [
        row.id,
        row.item_ids.reduce((sum, { worth }) => sum.plus(worth ?? '0'), decimal(0)).toString(),
      ]),
    );
  }
}
class Item extends model('known.item', {
  name: f.char({ translate: true }),
  active: f.boolean({ default: true }),
  rank: f.integer({ default: 0 }),
  worth: f.decimal({ default: '0' }),
  box_id: f.many2one('known.box', { required: true, ondelete: 'cascade' }),
  label_id: f.many2one('known.label', { empty: 'none' }),
  box_rank: f.integer({ related: 'box_id.rank' }),
}) {}
class Label extends model('known.label', {
  name: f.char({ required: true, translate: true }),
  note: f.char({ size: 40 }),
  box_ids: f.many2many('known.box', {
    empty: 'none',
    relation: { table: 'known_box__known_label__rel', from: 'known_label_id', to: 'known_box_id' },
  }),
  item_ids: f.one2many('known.item', 'label_id', { order: 'name, id' }),
}) {}
declare module 'pergola' {
  interface Models {
    'known.box': Box;
    'known.item': Item;
    'known.label': Label;
  }
}

/** Random walks; more of them by hand. */
const walks = Number(process.env.KNOWN_WALKS ?? 2);

eachDatabase('What a transaction knows', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, openToAll([{ name: 'known', models: [Box, Item, Label] }]), {
      languages: ['en_US', 'fr_FR'],
    });
  });
  afterAll(() => kit.close());

  /** All there is, with lifted rights: as it is known where it is, and as the database has it, which answers everybody who has to keep to rules. */
  async function views(ctx: Ctx): Promise<[known: unknown, asked: unknown]> {
    const of = async (at: Ctx) => {
      const item = {
        name: true,
        rank: true,
        worth: true,
        active: true,
        box_rank: true,
        label_id: { note: true },
      } as const;
      const ids = await at.model(Box).search([['active', 'in', [true, false]]]);
      const boxes = await at.model(Box).read(ids, {
        select: {
          name: true,
          active: true,
          rank: true,
          weight: true,
          since: true,
          day: true,
          more: true,
          path: true,
          total: true,
          parent_id: { rank: true, path: true, name: true },
          child_ids: { rank: true, active: true },
          item_ids: item,
          label_ids: { name: true, note: true },
        },
      });
      const labels = await at
        .model(Label)
        .find([], { select: { name: true, note: true, box_ids: { rank: true }, item_ids: item }, order: 'id' });
      const first = await at
        .model(Box)
        .read(ids.slice(0, 2), { select: { item_ids: { rank: true }, label_ids: { note: true } } });
      return [boxes, labels, first];
    };
    return [await of(ctx.sudo()), await of(ctx)];
  }

  it.each(Array.from({ length: walks }, (_, at) => 11 + 97 * at))(
    'is what the database has, whatever is done (walk %d)',
    async (start) => {
      let seed = start;
      const random = (most: number): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % most;
      };
      const text = () => ['', 'a', 'É', 'zoé', '1e3', '007', 'x'.repeat(30), '\ud83c', '2026-01-01'][random(9)] ?? '';
      await kit.write(async (given) => {
        const label = await given.model(Label).create([{ name: 'l1' }, { name: 'l2' }, { name: 'l3' }]);
        await given
          .model(Box)
          .create([{ name: 'b1' }, { name: 'b2' }, { name: 'b3', label_ids: [{ set: label.slice(1) }] }]);
        const one = (ids: readonly number[]): number => ids[random(Math.max(1, ids.length))] ?? 0;
        for (let step = 0; step < 60; step++) {
          const ctx = (random(2) ? given : given.sudo()).as({ lang: random(2) ? 'en_US' : 'fr_FR' });
          const [boxes, items, labels] = [ctx.model(Box), ctx.model(Item), ctx.model(Label)];
          const all = [['active', 'in', [true, false]]] as const;
          const [b, i, l] = [await boxes.search(all), await items.search(all), await labels.search([])];
          const steps: (() => Promise<unknown>)[] = [
            () => boxes.create({ name: `b${random(50)}`, parent_id: one(b) || null, rank: random(9) }),
            () =>
              items.create({
                name: text() || null,
                box_id: one(b),
                rank: random(5),
                worth: `${random(99)}.50`,
                label_id: one(l) || null,
              }),
            () => items.create({ box_id: one(b), worth: '0.10' }),
            () => items.write(i.slice(0, random(4)), { rank: random(9), worth: `${random(1000)}.000001` }),
            () => items.write(one(i), { box_id: one(b) }),
            () => items.write(one(i), { active: random(2) === 1, name: text() || null }),
            () => items.unlink(one(i)),
            () => boxes.write(one(b), { name: `n${text()}`, rank: random(9) }),
            () =>
              boxes.write(one(b), {
                weight: `${random(9)}`,
                since: new Date(random(2_000_000_000) * 1000),
                day: '2026-02-28',
                more: { a: [random(9)] },
              }),
            () => boxes.write(one(b), { parent_id: random(2) ? one(b) : null }),
            () => boxes.write(one(b), { active: random(2) === 1 }),
            () =>
              boxes.write(one(b), {
                item_ids: [{ create: { rank: 3, worth: '7' } }],
                label_ids: [{ set: l.slice(random(3)) }],
              }),
            () => boxes.unlink(one(b)),
            () => labels.write(one(l), { name: `t${random(20)}`, note: text() || null }),
            () => labels.write(one(l), { box_ids: [{ set: b.slice(random(3)) }] }),
            () => labels.unlink(one(l)),
            () => labels.create({ name: `new ${random(9)}`, box_ids: [{ set: b.slice(0, 1) }] }),
            () =>
              ctx.get(databaseSession).connection.query({ sql: 'update known_item set rank = rank + 1', bindings: [] }),
            () =>
              ctx.get(databaseSession).connection.query({
                sql: 'with old as (select max(id) as id from known_item) delete from known_item where id in (select id from old)',
                bindings: [],
              }),
            () => views(ctx).then(() => boxes.write(one(b), { rank: 8 })),
            () =>
              ctx.savepoint(async () => {
                await items.create({ box_id: one(b), rank: 9 });
                await boxes.write(b.slice(0, 2), { name: 'undone', rank: 99, label_ids: [{ set: [] }] });
                await views(given);
                throw new Error('undone');
              }),
            () =>
              // A reading begun before a write and one begun with it.
              Promise.all([
                views(given),
                ctx
                  .get(databaseSession)
                  .connection.query({ sql: 'update known_item set rank = rank + 2', bindings: [] }),
                views(given),
              ]),
          ];
          // Each in a savepoint of its own: what is refused (a circle, a record that is gone) leaves nothing.
          await given.savepoint(() => steps[random(steps.length)]?.() ?? Promise.resolve()).catch(() => null);
          const [known, asked] = await views(given.as({ lang: random(2) ? 'en_US' : 'fr_FR' }));
          expect(known).toEqual(asked);
        }
        await given.get(databaseSession).connection.query({ sql: 'delete from known_item', bindings: [] });
        await given
          .sudo()
          .model(Box)
          .unlink(await given.model(Box).search([['active', 'in', [true, false]]]));
      });
    },
  );

  it('is not changed by who reads it', async () => {
    await kit.write(async (given) => {
      const boxes = given.sudo().model(Box);
      const id = await boxes.create({ name: 'b', since: new Date('2026-05-01T10:00:00Z') });
      const read = async () => (await boxes.get(id, { select: { since: true } })).since;
      await read();
      (await read())?.setUTCFullYear(1999);
      expect((await read())?.toISOString()).toBe('2026-05-01T10:00:00.000Z');
    });
  });

  it('takes in what is read along with a lock', async () => {
    const id = await kit.write((ctx) => ctx.model(Box).create({ name: 'locked' }), { su: true });
    await kit.write(
      async (given) => {
        const read = () => given.model(Box).read([id], { select: { rank: true, item_ids: { worth: true } } });
        const [, along] = await Promise.all([given.lock(Box, [id]), read()]);
        const asked = jest.spyOn(given.get(databaseSession).connection, 'query');
        expect(await read()).toEqual(along);
        expect(asked).not.toHaveBeenCalled();
      },
      { su: true },
    );
  });

  it('holds on what was read before a lock, which fails when others have changed it since', async () => {
    const id = await kit.write((ctx) => ctx.model(Box).create({ name: 'read first' }), { su: true });
    const read = (given: Ctx) => given.model(Box).get(id, { select: { rank: true } });
    await Promise.all(
      Array.from({ length: 8 }, () =>
        kit.write(
          async (given) => {
            const { rank } = await read(given);
            await given.lock(Box, [id]);
            const asked = jest.spyOn(given.get(databaseSession).connection, 'query');
            expect((await read(given)).rank).toBe(rank);
            expect(asked).not.toHaveBeenCalled();
            asked.mockRestore();
            await given.model(Box).write(id, { rank: (rank ?? 0) + 1 });
          },
          { su: true },
        ),
      ),
    );
    expect(await kit.write(read, { su: true })).toMatchObject({ rank: 8 });
  });
});
