import { data, f, model, ref } from 'pergola';
import type { BrokenAddons } from 'pergola/kernel';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import type { ShippedSet } from '../data/entries.ts';
import { loadData } from '../data/load.ts';
import { resolveRef } from '../data/resolve.ts';
import { readTexts } from '../terms/read.ts';
import { createModelKit, type ModelKit, openToAll, refusal } from './kit.ts';

class Currency extends model('ship.currency', { name: f.char({ required: true }), digits: f.integer({ max: 3 }) }) {}
class Country extends model('ship.country', {
  name: f.char({ required: true, translate: true }),
  code: f.char({ unique: true }),
  currency_id: f.many2one('ship.currency'),
  capital_id: f.many2one('ship.city'),
  city_ids: f.one2many('ship.city', 'country_id'),
  friend_ids: f.many2many('ship.country', {
    empty: 'none',
    relation: { table: 'ship_friend', from: 'one', to: 'other' },
  }),
  options: f.json<{ best: number }>(),
}) {}
class City extends model('ship.city', {
  name: f.char({ required: true }),
  country_id: f.many2one('ship.country', { required: true }),
}) {}
class Envoy extends model('ship.envoy', {
  country_id: f.many2one('ship.country', { required: true }),
  country: f.char({ related: 'country_id.name', writable: true, translate: true }),
  code: f.char({ related: 'country_id.code', writable: true }),
  digits: f.integer({ default: 0 }),
  cents: f.integer({
    store: false,
    depends: ['digits'],
    compute: 'countCents',
    inverse: 'storeCents',
  }),
}) {
  async countCents(ids: number[]): Promise<Map<number, number>> {
    const envoys = await this.find([['id', 'in', ids]], { select: { digits: true } });
    return new Map(envoys.map(({ id, digits }) => [id, 10 ** (digits ?? 0)]));
  }
  async storeCents(ids: number[], cents: number): Promise<void> {
    await this.write(ids, { digits: Math.log10(cents) });
  }
}
declare module 'pergola' {
  interface Models {
    'ship.currency': Currency;
    'ship.country': Country;
    'ship.city': City;
    'ship.envoy': Envoy;
  }
}

const addons = openToAll([{ name: 'ship', models: [Currency, Country, City, Envoy] }]);
const euro = data(Currency, { eur: { name: 'Euro', digits: 2 } });

eachDatabase('Shipped data', (dialect) => {
  let kit: ModelKit;
  beforeEach(async () => {
    kit = await createModelKit(dialect, addons, { languages: ['en_US', 'fr_FR'] });
  });
  afterEach(() => kit.close());

  const load = (sets: readonly ShippedSet[], mode: 'install' | 'upgrade' = 'install', addon = 'ship', kind?: string) =>
    kit.write((ctx) => loadData(ctx, addon, sets, { mode, kind }));
  const problemsOf = async (sets: readonly ShippedSet[], addon?: string) =>
    ((await refusal(load(sets, 'install', addon))) as BrokenAddons).problems;
  const country = async (name = 'be') =>
    kit
      .ctx()
      .model(Country)
      .get(await resolveRef(kit.ctx(), `ship.${name}`), {
        select: {
          name: true,
          code: true,
          currency_id: true,
          capital_id: { name: true },
          friend_ids: true,
          options: true,
        },
      });

  test('is made in whatever order the records refer to each other, also in a circle', async () => {
    const result = await load([
      data(City, { brussels: { name: 'Brussels', country_id: ref('be') } }),
      data(Country, {
        be: {
          name: { en_US: 'Belgium', fr_FR: 'Belgique' },
          capital_id: ref('brussels'),
          currency_id: ref('ship.eur'),
          friend_ids: [ref('lu')],
          options: { best: ref('lu') },
        },
        lu: { name: 'Luxembourg', friend_ids: [{ link: ref('be') }], city_ids: [{ create: { name: 'Lux' } }] },
      }),
      euro,
    ]);
    expect(result).toEqual({ created: 4, updated: 0, kept: 0, removed: 0 });
    const lu = await resolveRef(kit.ctx(), 'ship.lu');
    expect(await country()).toMatchObject({
      name: 'Belgium',
      capital_id: { name: 'Brussels' },
      currency_id: await resolveRef(kit.ctx(), 'ship.eur'),
      friend_ids: [lu],
      options: { best: lu },
    });
    expect(
      (
        await kit
          .ctx({ lang: 'fr_FR' })
          .model(Country)
          .get((await country()).id, { select: { name: true } })
      ).name,
    ).toBe('Belgique');
  });

  test('may give whatever create() takes, and keeps what an administrator changed there', async () => {
    const envoy = (name: string, code: string, cents: number) => data(Envoy, { ann: { country: name, code, cents } });
    await load([envoy('Belgum', 'B', 10)]);
    const select = { country: true, code: true, digits: true, country_id: true } as const;
    const read = async () =>
      kit
        .ctx({ su: true })
        .model(Envoy)
        .get(await resolveRef(kit.ctx(), 'ship.ann'), { select });
    const { country_id: countryId, ...created } = await read();
    expect(created).toMatchObject({ country: 'Belgum', code: 'B', digits: 1 });
    await kit.write((ctx) => ctx.model(Country).write(countryId ?? 0, { code: 'BEL' }));
    expect(await load([envoy('Belgium', 'BE', 100)], 'upgrade')).toEqual({
      created: 0,
      updated: 1,
      kept: 1,
      removed: 0,
    });
    expect(await read()).toMatchObject({ country: 'Belgium', code: 'BEL', digits: 2, country_id: countryId });
    await kit.write(async (ctx) => ctx.model(Envoy).write((await read()).id, { digits: 5 }));
    expect(await load([envoy('Belgium', 'BE', 1000)], 'upgrade')).toMatchObject({ updated: 0, kept: 1 });
  });

  test('is brought up to date on upgrade, but for what an administrator changed', async () => {
    await load([
      euro,
      data(Country, { be: { name: { en_US: 'Belgum', fr_FR: 'Belgiqe' }, code: 'B', currency_id: ref('eur') } }),
    ]);
    const { id } = await country();
    await kit.write((ctx) => ctx.model(Country).write(id, { code: 'BEL', name: { fr_FR: 'Royaume' } }));
    const better = [
      euro,
      data(Country, { be: { name: { en_US: 'Belgium', fr_FR: 'Belgique' }, code: 'BE', options: { best: 1 } } }),
    ];
    expect(await load(better, 'upgrade')).toEqual({ created: 0, updated: 1, kept: 1, removed: 0 });
    expect(await country()).toMatchObject({ id, name: 'Belgium', code: 'BEL', options: { best: 1 } });
    expect(
      (
        await kit
          .ctx({ lang: 'fr_FR' })
          .model(Country)
          .get(id, { select: { name: true } })
      ).name,
    ).toBe('Royaume');
  });

  test('that words a text anew keeps a translation that still fits it, but marks one of an administrator’s text', async () => {
    const named = (en_US: string, fr_FR: string) => [data(Country, { be: { name: { en_US, fr_FR } } })];
    await load(named('Belgum', 'Belgique'));
    const { id } = await country();
    const french = async () =>
      (await kit.write((ctx) => readTexts(ctx.model(Country), [id], 'name'))).get(id)?.languages.get('fr_FR');
    await load(named('Belgium', 'Belgique'), 'upgrade');
    expect([(await country()).name, await french()]).toEqual(['Belgium', 'Belgique']);
    await kit.write((ctx) => ctx.model(Country).write(id, { name: { fr_FR: 'Royaume' } }));
    await load(named('Kingdom of Belgium', 'Belgique'), 'upgrade');
    expect([(await country()).name, await french()]).toEqual(['Kingdom of Belgium', ['Royaume', 'Belgium']]);
  });

  test('keeps the mark of a translation whose source an administrator changed', async () => {
    const named = (nl_NL: string) => [data(Country, { be: { name: { en_US: 'Belgium', fr_FR: 'Belgique', nl_NL } } })];
    await load(named('Belgie'));
    const { id } = await country();
    const french = async () =>
      (await kit.write((ctx) => readTexts(ctx.model(Country), [id], 'name'))).get(id)?.languages.get('fr_FR');
    await kit.write((ctx) => ctx.model(Country).write(id, { name: { en_US: 'Home' } }));
    await load(named('België'), 'upgrade');
    expect([(await country()).name, await french()]).toEqual(['Home', ['Belgique', 'Belgium']]);
  });

  test('is not written at all when it is shipped as before', async () => {
    const sets = [euro, data(Country, { be: { name: 'Belgium', currency_id: ref('eur'), friend_ids: [] } })];
    await load(sets);
    const { id } = await country();
    const stamp = async () =>
      (
        await kit
          .ctx()
          .model(Country)
          .get(id, { select: { write_date: true } })
      ).write_date;
    const before = await stamp();
    expect(await load(sets, 'upgrade')).toEqual({ created: 0, updated: 0, kept: 0, removed: 0 });
    expect(await stamp()).toEqual(before);
  });

  test('that says noupdate is made once, and never again', async () => {
    const once = (name: string) => [data(Currency, { x: { name }, y: { name } }, { noupdate: true })];
    await load(once('first'));
    const x = await resolveRef(kit.ctx(), 'ship.x');
    await kit.write((ctx) => ctx.model(Currency).unlink(x));
    expect((await refusal(resolveRef(kit.ctx(), 'ship.x'))).code).toBe('core.no_external_id');
    expect(await load(once('second'), 'upgrade')).toEqual({ created: 0, updated: 0, kept: 0, removed: 0 });
    expect(
      await kit
        .ctx()
        .model(Currency)
        .find([], { select: { name: true } }),
    ).toMatchObject([{ name: 'first' }]);
    // What refers to a record that is gone for good does without it.
    await load([...once('third'), data(Country, { nl: { name: 'Netherlands', currency_id: ref('x') } })], 'upgrade');
    expect(await country('nl')).toMatchObject({ currency_id: null });
    await load([], 'upgrade');
    expect(await kit.ctx().model(Currency).count([])).toBe(1);
  });

  test('that says noupdate takes what another addon ships about it, and stays as it was made', async () => {
    const once = [data(Currency, { x: { name: 'first' } }, { noupdate: true })];
    const more = (digits: number) => [data(Currency, { 'ship.x': { digits } })];
    const x = async () =>
      kit
        .ctx()
        .model(Currency)
        .get(await resolveRef(kit.ctx(), 'ship.x'), { select: { name: true, digits: true } });
    await load(once);
    await load(more(2), 'install', 'other');
    expect(await x()).toMatchObject({ name: 'first', digits: 2 });
    await load([data(Currency, { x: { name: 'second', digits: 0 } }, { noupdate: true })], 'upgrade');
    expect(await x()).toMatchObject({ name: 'first', digits: 2 });
    await kit.write(async (ctx) => ctx.model(Currency).write((await x()).id, { digits: 1 }));
    await load(more(3), 'upgrade', 'other');
    expect(await x()).toMatchObject({ digits: 1 });
    // It is not the other addon's to take away.
    await load([], 'upgrade', 'other');
    expect(await x()).toMatchObject({ name: 'first', digits: 1 });
  });

  test('that was deleted comes back with the next upgrade', async () => {
    await load([euro]);
    await kit.write(async (ctx) => ctx.model(Currency).unlink(await resolveRef(ctx, 'ship.eur')));
    expect(await load([euro], 'upgrade')).toMatchObject({ created: 1 });
    await kit.sql('delete from ship_currency');
    expect(await load([euro], 'upgrade')).toMatchObject({ created: 1 });
    await resolveRef(kit.ctx(), 'ship.eur');
  });

  test('no longer shipped goes on upgrade, unless somebody changed or uses it', async () => {
    await load([
      data(Currency, { a: { name: 'a' }, b: { name: 'b' }, c: { name: 'c' } }),
      data(Country, { at: { name: 'Austria' }, de: { name: 'Germany' } }),
    ]);
    await kit.write(async (ctx) => {
      await ctx.model(Currency).write(await resolveRef(ctx, 'ship.b'), { name: 'mine' });
      await ctx.model(City).create({ name: 'Wien', country_id: await resolveRef(ctx, 'ship.at') });
    });
    expect(await load([data(Currency, { a: { name: 'a' } })], 'install')).toMatchObject({ removed: 0 });
    expect(await load([data(Currency, { a: { name: 'a' } })], 'upgrade')).toMatchObject({ removed: 2, kept: 2 });
    const names = await kit
      .ctx()
      .model(Currency)
      .find([], { select: { name: true }, order: 'name' });
    expect(names.map(({ name }) => name)).toEqual(['a', 'mine']);
    expect(await kit.ctx().model(Country).count([])).toBe(1);
    expect((await refusal(resolveRef(kit.ctx(), 'ship.at'))).status).toBe(404);
  });

  test('of one kind and addon does not take away that of another', async () => {
    await load([euro]);
    await load([data(Currency, { usd: { name: 'Dollar' } })], 'install', 'ship', 'demo');
    await load([data(Currency, { 'ship.own': { name: 'Reflected' } })], 'install', 'other', 'reflect');
    await load([euro], 'upgrade');
    await load([], 'upgrade', 'other');
    for (const name of ['eur', 'usd', 'own']) await resolveRef(kit.ctx(), `ship.${name}`);
  });

  test('may be worked out when it is loaded', async () => {
    await load([data(Currency, async (ctx) => ({ now: { name: String(await ctx.model(Currency).count([])) } }))]);
    expect(
      await kit
        .ctx()
        .model(Currency)
        .find([], { select: { name: true } }),
    ).toMatchObject([{ name: '0' }]);
  });

  test('with problems names all of them by file, record and field, and keeps nothing', async () => {
    const problems = await problemsOf([
      {
        ...data(Country, { be: { name: 'x', currency_id: ref('nope'), capital_id: ref('other.city') } }),
        file: 'data/countries.ts',
      },
      { model: 'ship.county', records: {}, noupdate: false, file: 'data/counties.ts' },
      { model: 'ship.currency', records: { eur: { nam: 'x' } }, noupdate: false, file: 'data/money.ts' },
      {
        model: 'ship.currency',
        records: { eur: { name: 'y' }, 'bad id': { name: 'z' } },
        noupdate: false,
        file: 'data/more.ts',
      },
    ]);
    expect(problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
      'data/counties.ts It ships records of “ship.county”, which is not there.',
      'data/money.ts “ship.eur”: “ship.currency” has no field “nam”.',
      'data/more.ts “ship.eur”: It is shipped twice.',
      'data/more.ts “ship.bad id”: This cannot be an external id.',
      'data/countries.ts “ship.be”: currency_id: it refers to “ship.nope”, which does not exist.',
      'data/countries.ts “ship.be”: capital_id: it refers to “other.city”, which does not exist.',
    ]);
  });

  test('with values that do not fit names each record', async () => {
    const records = { a: { name: 'a' }, b: { name: 'b', digits: 9 }, c: { digits: 'x' }, d: { name: 'd' } };
    const problems = await problemsOf([{ model: 'ship.currency', records, noupdate: false, file: 'data/money.ts' }]);
    expect(problems.map(({ message }) => message)).toEqual([
      '“ship.b”: digits: Enter 3 or less.',
      '“ship.c”: digits: Enter a whole number.',
      '“ship.c”: name: Fill in this field.',
    ]);
    expect(await kit.ctx().model(Currency).count([])).toBe(0);
  });

  test('that cannot be ordered says which records need each other', async () => {
    class Knot extends model('ship.knot', { other_id: f.many2one('ship.knot', { required: true }) }) {}
    const knotted = kit.under(openToAll([{ name: 'ship', models: [Currency, Country, City, Knot] }]));
    const records = { one: { other_id: ref('two') }, two: { other_id: ref('one') } };
    const error = (await refusal(
      knotted.write((ctx) =>
        loadData(ctx, 'ship', [{ model: 'ship.knot', records, noupdate: false }], { mode: 'install' }),
      ),
    )) as BrokenAddons;
    expect(error.problems[0]?.message).toContain('ship.one → ship.two → ship.one');
  });

  test('of thousands of records is made in lots', async () => {
    const records = Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [`c${n}`, { name: `City ${n}`, country_id: ref('be') }]),
    );
    expect(await load([data(City, records), data(Country, { be: { name: 'Belgium' } })])).toMatchObject({
      created: 2001,
    });
    expect(await load([data(City, records), data(Country, { be: { name: 'Belgium' } })], 'upgrade')).toMatchObject({
      updated: 0,
    });
  });
});
