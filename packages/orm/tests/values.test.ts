import fc from 'fast-check';
import { f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { DatabaseMisuse } from '../../db/index.ts';
import { readTexts } from '../terms/read.ts';
import { createModelKit, loosely, type ModelKit, openToAll, refusal } from './kit.ts';

class Target extends model('val.target', { name: f.char() }) {}
class Thing extends model(
  'val.thing',
  {
    name: f.char({ required: true, size: 20 }),
    body: f.text(),
    rich: f.html({ sanitize: 'comment' }),
    title: f.char({ translate: true }),
    whole: f.integer({ min: -10, max: 1_000_000_000_000 }),
    measure: f.float(),
    price: f.decimal(),
    rate: f.decimal({ places: 2 }),
    currency_id: f.many2one('val.target'),
    amount: f.money(),
    done: f.boolean(),
    day: f.date(),
    moment: f.datetime(),
    state: f.selection(['new', 'old'], { default: 'new' }),
    extra: f.json<unknown>(),
    file: f.binary({ maxBytes: 1000 }),
    picture: f.image(),
    target_id: f.many2one('val.target'),
    token: f.char({ default: () => Math.random().toString(36) }),
    double: f.integer({ compute: 'computeDouble' }),
  },
  { search: ['name', 'title', 'rich'] },
) {
  async computeDouble(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.read(ids, { select: { whole: true } });
    return new Map(rows.map(({ id, whole }) => [id, (whole ?? 0) * 2]));
  }
}
declare module 'pergola' {
  interface Models {
    'val.target': Target;
    'val.thing': Thing;
  }
}

const addons = openToAll([{ name: 'val', models: [Target, Thing] }]);
const hash = 'a'.repeat(64);

eachDatabase('Values', (dialect) => {
  let kit: ModelKit;
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons, { languages: ['en_US', 'fr_FR'] });
  });
  afterAll(() => kit.close());

  const roundTrip = (values: object) =>
    kit.write(async (ctx) => {
      const id = await ctx.model(Thing).create({ name: 'x', ...values });
      const select = Object.fromEntries(Object.keys(values).map((name) => [name, true as const]));
      return loosely(ctx, 'val.thing').get(id, { select });
    });

  test('of every type come back as they were written', async () => {
    const values = {
      body: 'two\nlines',
      rich: '<p>Hello <b>you</b></p>',
      title: 'Title',
      whole: -10,
      measure: 1.25,
      price: '12.345678',
      rate: '0.05',
      amount: -1999,
      done: true,
      day: '2026-02-28',
      moment: new Date('2026-11-21T10:11:12.345Z'),
      state: 'old',
      extra: { a: [1, { b: null }] },
      file: { hash, mimetype: 'text/plain', size: 12, name: 'a.txt' },
      picture: { hash, mimetype: 'image/png', size: 12, width: 3, height: 4 },
    };
    expect(await roundTrip(values)).toMatchObject(values);
  });

  test('that are empty are null, and false for a boolean', async () => {
    const empty = {
      body: '',
      rich: null,
      title: null,
      price: null,
      moment: null,
      extra: null,
      file: null,
      target_id: null,
    };
    const row = await roundTrip({ ...empty, done: null });
    expect(row).toMatchObject({ ...empty, body: null, done: false });
  });

  test('are cleaned: no NUL, no line break in one line, no script, no half characters', async () => {
    const row = await roundTrip({
      body: 'a\0b',
      title: 'one\r\ntwo',
      rich: '<p onclick="x()">a<script>b</script></p>',
    });
    expect(row).toMatchObject({ body: 'ab', title: 'one two', rich: '<p>a</p>' });
    expect((await roundTrip({ body: 'x\ud800y' })).body).toBe('x\ufffdy');
  });

  test('that do not fit are refused all at once, each beside its field', async () => {
    const error = await refusal(
      kit.write((ctx) =>
        loosely(ctx, 'val.thing').create({
          name: 'x'.repeat(21),
          whole: -11,
          measure: Number.NaN,
          price: '0.1234567',
          rate: '1.005',
          amount: 1.5,
          done: 'yes',
          day: '2026-02-30',
          moment: 'now',
          state: 'gone',
          file: { hash, mimetype: 'text/plain', size: 1001 },
          picture: { hash, mimetype: 'text/plain', size: 1 },
          target_id: -1,
          double: 3,
          id: 7,
          create_uid: 1,
        }),
      ),
    );
    expect(error).toMatchObject({ status: 422, code: 'core.invalid_values' });
    expect(error.fields).toEqual({
      name: 'Use at most 20 characters.',
      whole: 'Enter -10 or more.',
      measure: 'Enter a number.',
      price: 'Use at most 6 decimals.',
      rate: 'Use at most 2 decimals.',
      amount: 'Enter a whole number.',
      done: 'Choose yes or no.',
      day: 'Enter a date such as 2026-11-21.',
      moment: 'Enter a date and time.',
      state: '“gone” isn’t one of the options.',
      file: 'This file is too large. The limit is 1000 bytes.',
      picture: 'Only image files can be uploaded',
      target_id: '“-1” isn’t a record.',
      double: 'This field is calculated and can’t be edited.',
      id: 'This field is set automatically and can’t be edited.',
      create_uid: 'This field is set automatically and can’t be edited.',
    });
    expect(
      await kit
        .ctx()
        .model(Thing)
        .count([['name', '=', 'x'.repeat(21)]]),
    ).toBe(0);
  });

  test('that are required may not be empty or blank, on creating and on writing', async () => {
    for (const name of [undefined, null, '', '  ']) {
      const error = await refusal(kit.write((ctx) => loosely(ctx, 'val.thing').create({ name })));
      expect(error.fields).toEqual({ name: 'Fill in this field.' });
    }
    const id = await kit.write((ctx) => ctx.model(Thing).create({ name: 'kept' }));
    expect((await refusal(kit.write((ctx) => ctx.model(Thing).write(id, { name: ' ' })))).fields).toHaveProperty(
      'name',
    );
    expect(
      (
        await kit
          .ctx()
          .model(Thing)
          .get(id, { select: { name: true } })
      ).name,
    ).toBe('kept');
  });

  test('get their defaults, each record its own', async () => {
    const rows = await kit.write(async (ctx) => {
      const ids = await ctx
        .model(Thing)
        .create([{ name: 'a' }, { name: 'b', state: 'old' }, { name: 'c', token: undefined }]);
      return ctx.model(Thing).read(ids, { select: { state: true, token: true } });
    });
    expect(rows.map(({ state }) => state)).toEqual(['new', 'old', 'new']);
    expect(new Set(rows.map(({ token }) => token)).size).toBe(3);
    expect(await kit.ctx().model(Thing).defaults(['state', 'name'])).toEqual({ state: 'new' });
  });

  test('are stamped with who wrote them and when', async () => {
    const id = await kit.write((ctx) => ctx.model(Thing).create({ name: 'stamped' }), { id: 3 });
    await kit.write((ctx) => ctx.model(Thing).write(id, { whole: 1 }), { id: 4 });
    const select = { create_uid: true, write_uid: true, create_date: true, write_date: true } as const;
    const row = await kit.ctx().model(Thing).get(id, { select });
    expect(row).toMatchObject({ create_uid: 3, write_uid: 4 });
    expect(row.write_date.getTime()).toBeGreaterThanOrEqual(row.create_date.getTime());
    const old = new Date('2020-01-01T00:00:00Z');
    const imported = await kit.write((ctx) => ctx.sudo().model(Thing).create({ name: 'old', create_date: old }));
    expect((await kit.ctx().model(Thing).get(imported, { select })).create_date).toEqual(old);
  });

  test('of translated fields are kept by language and fall back to the default one', async () => {
    const titles = async (id: number) =>
      Promise.all(
        ['en_US', 'fr_FR'].map(
          async (lang) =>
            (
              await kit
                .ctx({ lang })
                .model(Thing)
                .get(id, { select: { title: true } })
            ).title,
        ),
      );
    const id = await kit.write((ctx) => ctx.model(Thing).create({ name: 't', title: 'Aide' }), { lang: 'fr_FR' });
    expect(await titles(id)).toEqual(['Aide', 'Aide']);
    expect(await titles(await kit.write((ctx) => ctx.model(Thing).copy(id)))).toEqual(['Aide', 'Aide']);
    const [row] = await kit.sql('select title from val_thing where id = ?', id);
    expect(kit.database.codec.decode('json', row?.title)).toEqual({
      en_US: 'Aide',
      fr_FR: 'Aide',
      _terms: { source: 'fr_FR' },
    });
    await kit.write((ctx) => ctx.model(Thing).write(id, { title: 'Help' }));
    expect(await titles(id)).toEqual(['Help', 'Aide']);
    await kit.write((ctx) => ctx.model(Thing).write(id, { title: { fr_FR: 'Secours' } }));
    expect(await titles(id)).toEqual(['Help', 'Secours']);
    await kit.write((ctx) => ctx.model(Thing).write(id, { title: null }), { lang: 'fr_FR' });
    expect(await titles(id)).toEqual(['Help', 'Help']);
    await kit.write((ctx) => ctx.model(Thing).write(id, { title: null }));
    expect(await titles(id)).toEqual([null, null]);
    const error = await refusal(kit.write((ctx) => ctx.model(Thing).write(id, { title: { klingon: 'x' } })));
    expect(error.fields).toEqual({ title: 'Unknown language “klingon”.' });
  });

  test('of translated fields know which are missing, and which translate a former text', async () => {
    const id = await kit.write((ctx) => ctx.model(Thing).create({ name: 't', title: 'Aide' }), { lang: 'fr_FR' });
    const write = (title: string | null | Record<string, string>, lang = 'en_US') =>
      kit.write((ctx) => ctx.model(Thing).write(id, { title }), { lang });
    const known = async () => {
      const texts = (await kit.write((ctx) => readTexts(ctx.model(Thing), [id], 'title'))).get(id);
      return texts && [texts.source, texts.text, Object.fromEntries(texts.languages)];
    };
    expect(await known()).toEqual(['fr_FR', 'Aide', {}]);
    // English has none of its own: it goes on saying what the French text says.
    await write('Secours', 'fr_FR');
    expect(
      (
        await kit
          .ctx()
          .model(Thing)
          .get(id, { select: { title: true } })
      ).title,
    ).toBe('Secours');
    await write('Help');
    expect(await known()).toEqual(['en_US', 'Help', { fr_FR: 'Secours' }]);
    await write('Rescue');
    await write('First aid');
    expect(await known()).toEqual(['en_US', 'First aid', { fr_FR: ['Secours', 'Help'] }]);
    // The same again: it is still right.
    await write('Secours', 'fr_FR');
    expect(await known()).toEqual(['en_US', 'First aid', { fr_FR: 'Secours' }]);
    await write('Aid');
    await write('First aid');
    expect(await known()).toEqual(['en_US', 'First aid', { fr_FR: 'Secours' }]);
    await write({ en_US: 'Advice', fr_FR: 'Conseil' });
    expect(await known()).toEqual(['en_US', 'Advice', { fr_FR: 'Conseil' }]);
    await write(null, 'fr_FR');
    expect(await known()).toEqual(['en_US', 'Advice', {}]);
    await write(null);
    expect(await known()).toBeUndefined();
  });

  test('can be found without their accents, also after a change', async () => {
    const id = await kit.write((ctx) =>
      ctx.model(Thing).create({ name: 'Élan', title: { en_US: 'Moose', fr_FR: 'Élan' } }),
    );
    const found = (domain: readonly unknown[], lang = 'en_US') =>
      loosely(kit.ctx({ lang }), 'val.thing').search(domain);
    expect(await found([['name', 'ilike', 'elan']])).toEqual([id]);
    expect(await found([['id', 'matches', 'moose']])).toEqual([id]);
    await kit.write((ctx) => ctx.model(Thing).write(id, { name: 'Wapiti', rich: '<p>a <i>çédille</i></p>' }));
    expect(await found([['name', 'ilike', 'elan']])).toEqual([]);
    expect(await found([['name', 'ilike', 'WAPITI']])).toEqual([id]);
    expect(await found([['id', 'matches', 'cedil']], 'fr_FR')).toEqual([id]);
    expect(await found([['id', 'matches', 'elan']], 'fr_FR')).toEqual([id]);
  });

  test('are not written where nothing may be written', async () => {
    await expect(kit.ctx().model(Thing).create({ name: 'x' })).rejects.toThrow(DatabaseMisuse);
    await expect(kit.ctx().model(Thing).create({ name: 'x' })).rejects.toThrow('writes: true');
  });

  test('of a thousand records are inserted in the order given', async () => {
    const names = Array.from({ length: 1000 }, (_, position) => `n${position}`);
    const rows = await kit.write(async (ctx) => {
      const ids = await ctx.model(Thing).create(names.map((name) => ({ name })));
      return ctx.model(Thing).read(ids, { select: { name: true } });
    });
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  test('of decimals, amounts, numbers, texts and JSON survive whatever they are', async () => {
    const decimals = fc
      .tuple(fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([whole, rest]) =>
        `${whole}.${String(rest).padStart(6, '0')}`.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : '')),
      );
    const things = fc.record({
      price: decimals,
      amount: fc.maxSafeInteger(),
      whole: fc.integer({ min: -10, max: 1_000_000_000 }),
      measure: fc.double({ noNaN: true, noDefaultInfinity: true }),
      body: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
      moment: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
      // A key of that name means the prototype to what compares, not to what is kept.
      extra: fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(things, { minLength: 1, maxLength: 20 }), async (list) => {
        const rows = await kit.write(async (ctx) => {
          const ids = await loosely(ctx, 'val.thing').create(list.map((values) => ({ name: 'p', ...values })));
          const names = ['price', 'amount', 'whole', 'measure', 'body', 'moment', 'extra'];
          return ctx
            .modelNamed('val.thing')
            .read(ids, { select: Object.fromEntries(names.map((name) => [name, true as const])) });
        });
        for (const [position, row] of rows.entries()) {
          const given = list[position];
          const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''));
          expect(plain({ ...row, id: 0 })).toEqual(
            plain({
              ...given,
              id: 0,
              body: given?.body.replaceAll('\0', '') || null,
              measure: given?.measure === 0 ? 0 : given?.measure,
            }),
          );
        }
      }),
      { numRuns: 15 },
    );
  });
});
