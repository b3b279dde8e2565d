import { access, f, model, rule } from 'pergola';
import { Now } from '../../../core/base/now.ts';
import type { Tracker } from '../../../core/context/tracker.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { databaseSession } from '../../db/session.ts';
import type { AddonModels } from '../build-registry.ts';
import { zoneRange } from '../read/periods.ts';
import { searchText, searchWords } from '../search/words.ts';
import { createModelKit, type ModelKit } from './kit.ts';

class Place extends model('fair.place', { name: f.char({ required: true }) }) {}
class Stall extends model('fair.stall', {
  name: f.char({ required: true }),
  place_id: f.many2one('fair.place'),
  opens: f.datetime(),
  tag_ids: f.many2many('fair.tag', { empty: 'none' }),
  score: f.integer({ apart: true }),
}) {}
class Tag extends model('fair.tag', { name: f.char({ required: true }), place_id: f.many2one('fair.place') }) {}
class Counter extends model('fair.counter', { seen: f.integer() }, { volatile: true }) {}
declare module 'pergola' {
  interface Models {
    'fair.place': Place;
    'fair.stall': Stall;
    'fair.tag': Tag;
    'fair.counter': Counter;
  }
}

const models = [Place, Stall, Tag, Counter];
const fair: AddonModels = {
  name: 'fair',
  models,
  access: models.map((ref) => access(ref, { '*': 'r' })),
  rules: [rule('fair.tags', Tag, { domain: () => [['place_id.name', '!=', 'nowhere']] })],
};

/** A tracker that notes what it hears, in order. */
function listen() {
  const heard: string[] = [];
  const tracker: Tracker = {
    table: (name) => heard.push(name),
    until: (at) => heard.push(`until ${at.toISOString()}`),
    personal: (reason) => heard.push(`personal: ${reason}`),
    address: () => heard.push('address'),
  };
  return { heard, tracker };
}

eachDatabase('What a kept page depends on', (dialect) => {
  let kit: ModelKit;
  const noon = Date.UTC(2026, 10, 21, 12);
  const at = (time: number) => (dialect === 'sqlite' ? time : new Date(time));
  beforeAll(async () => {
    kit = await createModelKit(dialect, [fair]);
    await kit.insert('fair_place', { id: 1, name: 'Square', name__fold: 'square' });
    await kit.insert(
      'fair_stall',
      { id: 1, name: 'a', name__fold: 'a', place_id: 1, opens: at(noon - 5_000) },
      { id: 2, name: 'b', name__fold: 'b', place_id: 1, opens: at(noon + 60_000) },
      { id: 3, name: 'c', name__fold: 'c', opens: at(noon + 90_000) },
    );
    await kit.insert('fair_counter', { id: 1, seen: 1 });
  });
  afterAll(() => kit.close());

  test('is every table that is read, also those of rules, conditions, orders and links', async () => {
    const { heard, tracker } = listen();
    await kit
      .ctx({ tracker })
      .model(Stall)
      .find([], { select: { name: true, tag_ids: { name: true } } });
    expect(new Set(heard)).toEqual(new Set(['fair_stall', 'fair_tag', 'fair_stall__fair_tag__rel', 'fair_place']));
    heard.length = 0;
    await kit
      .ctx({ tracker })
      .model(Stall)
      .search([['place_id.name', '=', 'x']]);
    expect(heard.sort()).toEqual(['fair_place', 'fair_stall']);
    heard.length = 0;
    await kit
      .ctx({ tracker })
      .model(Stall)
      .search([['tag_ids', '=', 1]]);
    expect(heard.sort()).toEqual(['fair_place', 'fair_stall', 'fair_stall__fair_tag__rel', 'fair_tag']);
    heard.length = 0;
    await kit.ctx({ tracker }).model(Stall).search([], { order: 'place_id' });
    expect(heard.sort()).toEqual(['fair_place', 'fair_stall']);
    heard.length = 0;
    await kit.ctx({ tracker }).model(Stall).count([]);
    await kit
      .ctx({ tracker })
      .model(Tag)
      .group([], { by: ['name'] });
    await kit.ctx({ tracker }).model(Stall).allowed([1], 'read');
    expect(heard).toEqual(['fair_stall', 'fair_tag', 'fair_place', 'fair_stall']);
  });

  test('is a field that is kept apart only for those who read it, its stamps, or all of the record', async () => {
    const { heard, tracker } = listen();
    const stalls = kit.ctx({ tracker }).model(Stall);
    await stalls.find([['name', '=', 'a']], { select: { name: true } });
    expect(heard).toEqual(['fair_stall']);
    const readers = [
      () => stalls.find([], { select: { score: true } }),
      () => stalls.find([], { select: { write_date: true } }),
      () => stalls.search([['score', '>', 1]]),
      () => stalls.search([], { order: 'score desc' }),
      () => stalls.group([], { by: ['score'] }),
    ];
    for (const read of readers) {
      heard.length = 0;
      await read();
      expect(heard.sort()).toEqual(['fair_stall', 'fair_stall.score']);
    }
    const touched = (values: object) =>
      kit.write(
        async (ctx) => {
          await ctx.model(Stall).write(1, values);
          return [...(ctx.get(databaseSession).transaction?.touched ?? [])].sort();
        },
        { su: true },
      );
    expect(await touched({ score: 5 })).toEqual(['fair_stall.score']);
    expect(await touched({ score: 6, name: 'a' })).toEqual(['fair_stall', 'fair_stall.score']);
    expect(await touched({ name: 'a' })).toEqual(['fair_stall']);
  });

  test('is told before the rows are read', async () => {
    const ranBefore: number[] = [];
    const tracker: Tracker = { table: () => ranBefore.push(kit.ran.length), until() {}, personal() {}, address() {} };
    kit.ran.length = 0;
    await kit
      .ctx({ tracker })
      .model(Stall)
      .find([], { select: { place_id: { name: true } } });
    expect(ranBefore).toEqual([0, 1]);
  });

  test('is never a counter: who reads one is not kept', async () => {
    const { heard, tracker } = listen();
    await kit
      .ctx({ tracker })
      .model(Counter)
      .find([], { select: { seen: true } });
    expect(heard).toHaveLength(1);
    expect(heard[0]).toContain('personal: reads “fair.counter”');
  });

  test.each([
    ['<=', 0, [1], '2026-11-21T12:01:00.000Z'],
    ['<', 0, [1], '2026-11-21T12:01:00.001Z'],
    ['>', 0, [2, 3], '2026-11-21T12:01:00.000Z'],
    ['>=', 0, [2, 3], '2026-11-21T12:01:00.001Z'],
    ['<=', 60_000, [1, 2], '2026-11-21T12:00:30.000Z'],
    ['>=', 60_000, [2, 3], '2026-11-21T12:00:00.001Z'],
    ['>', 120_000, [], null],
  ] as const)('changes with time: %s now plus %i ms', async (operator, later, ids, until) => {
    const { heard, tracker } = listen();
    const now = new Now(noon);
    const ctx = kit.ctx({ tracker, now });
    expect(await ctx.model(Stall).search([['opens', operator, now.plus(later)]], { order: 'id' })).toEqual(ids);
    expect(heard.filter((text) => text.startsWith('until'))).toEqual(until ? [`until ${until}`] : []);
  });

  test('does not change with a moment that is not now', async () => {
    const { heard, tracker } = listen();
    await kit
      .ctx({ tracker })
      .model(Stall)
      .search([['opens', '>', new Date(noon)]]);
    expect(heard).toEqual(['fair_stall']);
  });
});

describe('Words of a search', () => {
  test('are folded, without markup, the first field counting most', () => {
    expect(searchWords('  L’Œuvre d’Étaín, 2e! ')).toEqual(['l', 'oeuvre', 'd', 'etain', '2e']);
    expect(searchText(['Titre', '<p class="x">Un&nbsp;corps &amp; plus</p>', null])).toBe(
      'titre un corps plus titre titre',
    );
    expect(searchWords('"a" OR *')).toEqual(['a', 'or']);
    expect(searchText([`${'a'.repeat(200)} b`])).toContain(`${'a'.repeat(60)} b`);
  });
});

describe('Offsets of a zone', () => {
  test('change at the hour of summer time', () => {
    const steps = zoneRange('Europe/Brussels', Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 31));
    expect(steps.map(({ from, offset }) => [from === 0 ? 0 : new Date(from).toISOString(), offset])).toEqual([
      [0, 3_600],
      ['2026-03-29T01:00:00.000Z', 7_200],
      ['2026-10-25T01:00:00.000Z', 3_600],
    ]);
    expect(zoneRange('UTC', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual([{ from: 0, offset: 0 }]);
  });
});
