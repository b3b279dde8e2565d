import { f, type Id, type Ids, InvalidInput, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { buildRegistry } from '../build-registry.ts';
import type { ModelRef } from '../types.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

class Place extends model('deletion.place', {
  name: f.char({ required: true }),
  region_id: f.many2one('deletion.region', { ondelete: 'cascade' }),
  zone_ids: f.many2many('deletion.zone', {
    empty: 'none',
    relation: { table: 'deletion_zone_rel', from: 'place_id', to: 'zone_id' },
  }),
  only_ids: f.one2many('deletion.only', 'place_id'),
}) {}
class Region extends model('deletion.region', { name: f.char({ required: true }) }) {}
/** Applies to its places, and everywhere without any. */
class Zone extends model(
  'deletion.zone',
  {
    name: f.char({ required: true }),
    place_ids: f.many2many('deletion.place', {
      empty: 'all',
      ondelete: 'restrict',
      label: 'Places',
      relation: { table: 'deletion_zone_rel', from: 'zone_id', to: 'place_id' },
    }),
  },
  { label: 'Zone' },
) {}
class Pair extends model('deletion.pair', {
  name: f.char(),
  place_ids: f.many2many('deletion.place', { empty: 'all', ondelete: 'cascade' }),
}) {}
class Only extends model('deletion.only', {
  name: f.char(),
  place_id: f.many2one('deletion.place', { empty: 'all', ondelete: 'restrict' }),
}) {}
class Unsaid extends model('deletion.unsaid', { name: f.char(), place_id: f.many2one('deletion.place') }) {}
/** Needs a place, and says so only in `validate`. */
class Trip extends model(
  'deletion.trip',
  {
    name: f.char(),
    place_ids: f.many2many('deletion.place', { empty: 'none', label: 'Stops' }),
    start_id: f.many2one('deletion.place', { empty: 'none' }),
    strict: f.boolean(),
  },
  { label: 'Trip' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { place_ids, start_id, strict } of await this.read(ids, {
      select: { place_ids: true, start_id: true, strict: true },
    }))
      if (strict && place_ids.length === 0 && start_id === null) throw new InvalidInput('A trip goes somewhere.');
  }
}
declare module 'pergola' {
  interface Models {
    'deletion.place': Place;
    'deletion.region': Region;
    'deletion.zone': Zone;
    'deletion.pair': Pair;
    'deletion.only': Only;
    'deletion.unsaid': Unsaid;
    'deletion.trip': Trip;
  }
}
const untyped = f.many2many as (to: string) => ReturnType<typeof f.many2many>;
class Loose extends model('deletion.loose', { name: f.char(), place_ids: untyped('deletion.place') }) {}

const zones = { name: 'zones', models: [Zone] };
const rest = { name: 'rest', models: [Place, Region, Pair, Only, Unsaid, Trip, Loose] };

eachDatabase('Deleting what a rule refers to', (dialect) => {
  let kit: ModelKit;
  let place: Id;
  let other: Id;
  beforeAll(async () => {
    kit = await createModelKit(dialect, openToAll([rest, zones]));
  });
  afterAll(() => kit.close());
  beforeEach(async () => {
    [place = 0, other = 0] = await kit.write((ctx) => ctx.model(Place).create([{ name: 'Here' }, { name: 'There' }]));
  });
  const unlink = (ids: Id | Ids) => kit.write((ctx) => ctx.model(Place).unlink(ids));

  test('is refused with the names of the records, however many places go at once', async () => {
    const zone = await kit.write((ctx) => ctx.model(Zone).create({ name: 'Home', place_ids: [place, other] }));
    await kit.write((ctx) => ctx.model(Only).create({ name: 'Sunday', place_id: place }));
    const many = await kit.write((ctx) =>
      ctx.model(Place).create(Array.from({ length: 300 }, (_, index) => ({ name: `Place ${index}` }))),
    );
    const error = await refusal(unlink([...many, place]));
    expect(error).toMatchObject({
      status: 409,
      code: 'core.record_in_use',
      params: { records: '“Here”', users: 'Only “Sunday” (Place); Zone “Home” (Places)' },
    });
    expect(
      await kit
        .ctx()
        .model(Place)
        .count([['id', 'in', many]]),
    ).toBe(300);
    expect(
      await kit
        .ctx()
        .model(Zone)
        .get(zone, { select: { place_ids: true } }),
    ).toMatchObject({
      place_ids: [place, other],
    });
  });

  test('names a few of many', async () => {
    await kit.write((ctx) =>
      ctx.model(Only).create(Array.from({ length: 8 }, (_, index) => ({ name: `Day ${index}`, place_id: place }))),
    );
    const error = await refusal(unlink(place));
    expect(error.params.users).toBe('Only “Day 0”, “Day 1”, “Day 2”, “Day 3”, “Day 4” and 3 more (Place)');
  });

  test('takes the rule along where the field says so, whether or not other links are left', async () => {
    const pair = await kit.write((ctx) => ctx.model(Pair).create({ place_ids: [place, other] }));
    await unlink(place);
    expect(
      await kit
        .ctx()
        .model(Pair)
        .count([['id', '=', pair]]),
    ).toBe(0);
  });

  test('is refused through a cascade as well', async () => {
    const region = await kit.write((ctx) => ctx.model(Region).create({ name: 'North' }));
    await kit.write((ctx) => ctx.model(Place).write(place, { region_id: region }));
    await kit.write((ctx) => ctx.model(Zone).create({ name: 'Far', place_ids: [place] }));
    const error = await refusal(kit.write((ctx) => ctx.model(Region).unlink(region)));
    expect(error.params).toMatchObject({ records: '“Here”', users: 'Zone “Far” (Places)' });
    expect(
      await kit
        .ctx()
        .model(Region)
        .count([['id', '=', region]]),
    ).toBe(1);
  });

  test('is refused by a relation that says nothing', async () => {
    await kit.write((ctx) => ctx.model(Unsaid).create({ place_id: place }));
    await kit.write((ctx) => ctx.model(Loose).create({ place_ids: [other] }));
    expect(await refusal(unlink(place))).toMatchObject({ code: 'core.record_in_use' });
    expect(await refusal(unlink(other))).toMatchObject({ code: 'core.record_in_use' });
  });

  test('is refused where a record would become what its model refuses', async () => {
    const [free = 0] = await kit.write((ctx) =>
      ctx.model(Trip).create([
        { name: 'Anywhere', place_ids: [place] },
        { name: 'Round', strict: true, place_ids: [place] },
        { name: 'Walk', strict: true, start_id: other },
      ]),
    );
    const error = await refusal(unlink(place));
    expect(error.params.users).toBe('Trip “Round” (Stops): A trip goes somewhere.');
    expect((await refusal(unlink(other))).params.users).toMatch(/^Trip “Walk”/);
    await kit.write((ctx) => ctx.model(Trip).write(free, { place_ids: [] }));
    expect(
      await kit
        .ctx()
        .model(Place)
        .count([['id', 'in', [place, other]]]),
    ).toBe(2);
  });

  test('is refused by the database, too, for links of a disabled addon', async () => {
    await kit.write((ctx) => ctx.model(Zone).create({ name: 'Asleep', place_ids: [place] }));
    await kit.insert('core_ownership', { addon: 'zones', kind: 'link', table_name: 'deletion_zone_rel', name: '' });
    const without = kit.under(openToAll([{ ...rest, models: [...rest.models.slice(1), PlaceAlone] }]));
    const error = await refusal(without.write((ctx) => loosely(ctx, 'deletion.place').unlink(place)));
    expect(error).toMatchObject({ code: 'core.record_in_use' });
    expect(String(error.params.users)).toContain('deletion_zone_rel');
  });

  test('a rule is not emptied from the other end', async () => {
    const zone = await kit.write((ctx) => ctx.model(Zone).create({ name: 'Two', place_ids: [place, other] }));
    await kit.write((ctx) => ctx.model(Place).write(place, { zone_ids: [{ unlink: zone }] }));
    const error = await refusal(kit.write((ctx) => ctx.model(Place).write(other, { zone_ids: [] })));
    expect(error.fields.zone_ids).toContain('“Two” would apply to everything');
    const only = await kit.write((ctx) => ctx.model(Only).create({ place_id: place }));
    for (const commands of [[], [{ unlink: only }]]) {
      const refused = await refusal(kit.write((ctx) => ctx.model(Place).write(place, { only_ids: commands })));
      expect(String(refused.params.problems)).toContain('it would apply to everything');
    }
    // In its own form it is a person's choice.
    await kit.write((ctx) => ctx.model(Zone).write(zone, { place_ids: [] }));
    await kit.write((ctx) => ctx.model(Only).write(only, { place_id: null }));
  });
});

class PlaceAlone extends model('deletion.place', {
  name: f.char({ required: true }),
  region_id: f.many2one('deletion.region', { ondelete: 'cascade' }),
}) {}

describe('A field that applies to everything when it is empty', () => {
  const faults = (Rule: ModelRef): string[] =>
    buildRegistry([{ name: 'planted', models: [Region, Rule] }]).problems.map(({ message }) => message);

  test.each([
    ['many2many', f.many2many('deletion.region', { empty: 'all' })],
    ['many2one', f.many2one('deletion.region', { empty: 'all' })],
    ['many2one that is emptied', f.many2one('deletion.region', { empty: 'all', ondelete: 'set null' } as never)],
  ])('has to say what a deletion does: %s', (_kind, field) => {
    expect(faults(class extends model('planted.rule', { region: field }) {} as never)).toEqual([
      expect.stringContaining('“planted.rule.region” applies to everything when it is empty'),
    ]);
  });

  test('is taken once it says so', () => {
    const region = f.many2many('deletion.region', { empty: 'all', ondelete: 'cascade' });
    expect(faults(class extends model('planted.rule', { region }) {} as never)).toEqual([]);
  });
});
