import { jest } from '@jest/globals';
import { f, type Id, type Ids, InvalidInput, model, Unavailable } from 'pergola';
import { WrongCode } from '../../../core/base/errors.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { isPreview, trialIn } from '../write/trial.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

class Area extends model('preview.area', { name: f.char({ required: true }) }) {}
class Place extends model('preview.place', {
  name: f.char({ required: true }),
  area_id: f.many2one('preview.area', { required: true }),
}) {}
class Trip extends model('preview.trip', {
  name: f.char({ required: true }),
  day: f.date(),
  area_id: f.many2one('preview.area'),
  place_id: f.many2one('preview.place', { within: { area_id: 'area_id' } }),
  stop_ids: f.one2many('preview.stop', 'trip_id', { order: 'id' }),
  length: f.integer({ compute: 'computeLength', depends: ['stop_ids.length'], store: true }),
}) {
  async computeLength(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.read(ids, { select: { stop_ids: { length: true } } });
    return new Map(rows.map(({ id, stop_ids }) => [id, stop_ids.reduce((sum, stop) => sum + (stop.length ?? 0), 0)]));
  }
  override async validate(ids: Ids): Promise<void> {
    for (const { name, length } of await this.read(ids, { select: { name: true, length: true } }))
      if (name === 'Fault') throw new Error('A fault of the server.');
      else if (name === 'Wrong') throw new WrongCode('The model is wrong.');
      else if (name === 'Away') throw new Unavailable('The map is away.');
      else if ((length ?? 0) > 100) throw new InvalidInput('Too far.', { fields: { length: 'Too far.' } });
  }
}
const seen: boolean[] = [];
class Stop extends model('preview.stop', {
  trip_id: f.many2one('preview.trip', { required: true, ondelete: 'cascade' }),
  name: f.char({ required: true }),
  length: f.integer({ default: 1, min: 0 }),
}) {
  override async afterCreate(ids: Ids, values: readonly never[]): Promise<void> {
    seen.push(isPreview(this.ctx));
    await super.afterCreate(ids, values);
  }
}
declare module 'pergola' {
  interface Models {
    'preview.area': Area;
    'preview.place': Place;
    'preview.trip': Trip;
    'preview.stop': Stop;
  }
}

const addons = openToAll([{ name: 'preview', models: [Area, Place, Trip, Stop] }]);

eachDatabase('Records that are tried out', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons);
  });
  afterAll(() => kit.close());

  const select = {
    name: true,
    length: true,
    area_id: true,
    place_id: true,
    stop_ids: { name: true, length: true },
  } as const;
  const preview = (id: Id | null, values: object) =>
    kit.write(async (ctx) => {
      const trips = loosely(ctx, 'preview.trip');
      const found = await trips.preview(id, values as never, async (made) => ({
        trip: await trips.get(made, { select }),
        problems: trialIn(ctx)?.problems,
        places: trialIn(ctx)?.placesOf('stop_ids').size,
      }));
      expect(isPreview(ctx)).toBe(false);
      return found;
    });
  const count = () => kit.ctx().model(Trip).count([]);

  it('show what follows, though something is missing, and are gone again', async () => {
    const before = await count();
    seen.length = 0;
    const heard = jest.fn();
    const stop = kit.database.changes.subscribe(heard);
    const { trip, places } = await preview(null, { stop_ids: [{ create: { name: 'a', length: 3 } }, { create: {} }] });
    stop();
    expect(trip).toMatchObject({ name: '', length: 4, stop_ids: [{ name: 'a' }, { name: '', length: 1 }] });
    expect(places).toBe(2);
    expect(seen.splice(0)).toEqual([true]);
    expect(await count()).toBe(before);
    expect(heard).not.toHaveBeenCalled();
  });

  it('tell what the model has against them, and refuse values that do not fit', async () => {
    const id = await kit.write((ctx) => loosely(ctx, 'preview.trip').create({ name: 'Far' }));
    const { trip, problems } = await preview(id, { name: '', stop_ids: [{ create: { name: 'a', length: 101 } }] });
    expect(trip).toMatchObject({ name: 'Far', length: 101 });
    expect(problems).toEqual({ length: 'Too far.' });
    const error = await refusal(preview(id, { stop_ids: [{ create: { name: 'b' } }, { create: { length: -1 } }] }));
    expect(error.fields).toEqual({ 'stop_ids.1.length': 'Enter 0 or more.' });
    expect(
      await kit
        .ctx()
        .model(Trip)
        .get(id, { select: { length: true } }),
    ).toMatchObject({ length: 0 });
  });

  it('let go what does not go with another field any more, as saving does', async () => {
    const [north, south, lake] = await kit.write(async (ctx) => {
      const areas = await loosely(ctx, 'preview.area').create([{ name: 'North' }, { name: 'South' }]);
      const place = await loosely(ctx, 'preview.place').create({ name: 'Lake', area_id: areas[0] });
      return [...areas, place];
    });
    const id = await kit.write((ctx) =>
      loosely(ctx, 'preview.trip').create({ name: 'Walk', area_id: north, place_id: lake }),
    );
    expect((await preview(id, { area_id: south })).trip).toMatchObject({ area_id: south, place_id: null });
    const error = await refusal(preview(id, { area_id: south, place_id: lake }));
    expect(error.fields).toHaveProperty('place_id');
    await kit.write((ctx) => loosely(ctx, 'preview.trip').write(id, { area_id: south }));
    expect(
      await kit
        .ctx()
        .model(Trip)
        .get(id, { select: { place_id: true } }),
    ).toMatchObject({ place_id: null });
    const made = kit.write((ctx) =>
      loosely(ctx, 'preview.trip').create({ name: 'No', area_id: south, place_id: lake }),
    );
    expect((await refusal(made)).fields).toHaveProperty('place_id');
  });

  it('fail with faults of the server, which are no problems of the values', async () => {
    await expect(preview(null, { name: 'Fault' })).rejects.toThrow('A fault of the server.');
    await expect(preview(null, { name: 'Wrong' })).rejects.toThrow('The model is wrong.');
    await expect(preview(null, { name: 'Away' })).rejects.toThrow('The map is away.');
  });
});
