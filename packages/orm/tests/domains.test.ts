import { f, model } from 'pergola';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { codecFor } from '../../db/index.ts';
import { boundOf } from '../bind.ts';
import { checkDomain, checkFields, checkOrder } from '../domain/outside.ts';
import { cheapest } from '../read/search-way.ts';
import { createModelKit, type ModelKit, openToAll } from './kit.ts';

class Team extends model('crew.team', { name: f.char({ required: true }), code: f.char({ secret: true }) }) {}
class Player extends model(
  'crew.player',
  {
    name: f.char({ required: true }),
    nick: f.char(),
    bio: f.text({ translate: true }),
    title: f.char({ translate: true, index: true }),
    team_id: f.many2one('crew.team'),
    team_name: f.char({ related: 'team_id.name' }),
    skill_ids: f.many2many('crew.skill', { empty: 'none' }),
    parent_id: f.many2one('crew.player'),
    child_ids: f.one2many('crew.player', 'parent_id'),
    goals: f.integer(),
    weight: f.decimal(),
    born: f.date(),
    joined: f.datetime(),
    captain: f.boolean({ index: true }),
    foot: f.selection(['left', 'right']),
    note: f.json(),
    salary: f.integer({ groups: 'crew.boss' }),
    pin: f.char({ secret: true }),
    age: f.integer({ compute: 'computeAge' }),
    mentor_id: f.many2one('crew.player', { compute: 'computeMentor' }),
  },
  { search: ['name', 'bio'] },
) {
  async computeAge(ids: readonly number[]): Promise<Map<number, number>> {
    return new Map(ids.map((id) => [id, 20 + id]));
  }

  async computeMentor(): Promise<Map<number, number>> {
    return new Map();
  }
}
class Skill extends model('crew.skill', { name: f.char({ required: true }), hidden: f.boolean() }) {}
declare module 'pergola' {
  interface Models {
    'crew.team': Team;
    'crew.player': Player;
    'crew.skill': Skill;
  }
}

const addons = openToAll([{ name: 'crew', models: [Team, Player, Skill] }]);

/** So many conditions, each through two relations to several records. */
const throughSeveral = (count: number) => Array.from({ length: count }, () => ['child_ids.child_ids.goals', '=', 1]);

eachDatabase('A domain', (dialect) => {
  let kit: ModelKit;
  const yes = dialect === 'sqlite' ? 1 : true;
  const no = dialect === 'sqlite' ? 0 : false;
  const words = (text: string) => codecFor(dialect).encode('words', text);
  const at = (text: string) => (dialect === 'sqlite' ? Date.parse(text) : new Date(text));
  beforeAll(async () => {
    kit = await createModelKit(dialect, addons, { languages: ['en_US', 'fr_FR'], groups: ['crew.boss'] });
    await kit.insert(
      'crew_team',
      { id: 1, name: 'Étoile', name__fold: 'etoile', code: 'secret' },
      { id: 2, name: 'Red', name__fold: 'red' },
    );
    await kit.insert(
      'crew_skill',
      { id: 1, name: 'Pace', name__fold: 'pace' },
      { id: 2, name: 'Calm', name__fold: 'calm' },
    );
    await kit.insert(
      'crew_player',
      {
        id: 1,
        name: 'José',
        name__fold: 'jose',
        nick: 'Zé 100%',
        team_id: 1,
        goals: 3,
        weight: 70_500_000,
        born: '2000-01-31',
        joined: at('2020-05-01T10:00:00.000Z'),
        captain: yes,
        foot: 'left',
        salary: 900,
        pin: '1234',
        note: '{"a":1}',
        title: '{"en_US":"Captain","fr_FR":"Capitaine"}',
        title__fold: '{"en_US":"captain","fr_FR":"capitaine"}',
        words__en_us: words('jose jose jose plays forward'),
        words__fr_fr: words('jose jose jose joue attaquant'),
      },
      {
        id: 2,
        name: 'jose',
        name__fold: 'jose',
        nick: '',
        team_id: 2,
        parent_id: 1,
        goals: 0,
        captain: no,
        foot: 'right',
        words__en_us: words('jose jose jose'),
        words__fr_fr: words('jose jose jose'),
      },
      {
        id: 3,
        name: 'Ana',
        name__fold: 'ana',
        team_id: 2,
        parent_id: 2,
        goals: 10,
        weight: -1,
        captain: no,
        title: '{"en_US":"Keeper"}',
        title__fold: '{"en_US":"keeper"}',
        words__en_us: words('ana ana ana forwards and forwards beside jose'),
        words__fr_fr: words('ana ana ana'),
      },
      { id: 4, name: 'Max_1', name__fold: 'max_1', captain: no, parent_id: 4 },
    );
    await kit.insert(
      'crew_player__crew_skill__rel',
      { crew_player_id: 1, crew_skill_id: 1 },
      { crew_player_id: 1, crew_skill_id: 2 },
      { crew_player_id: 2, crew_skill_id: 2 },
    );
  });
  afterAll(() => kit.close());

  // biome-ignore lint/suspicious/noExplicitAny: conditions of every kind, also wrong ones
  const found = async (domain: any, lang = 'en_US') => kit.ctx({ lang }).model(Player).search(domain, { order: 'id' });

  test.each([
    [[], [1, 2, 3, 4]],
    [[['name', '=', 'jose']], [2]],
    [[['name', '!=', 'jose']], [1, 3, 4]],
    [[['nick', '=', false]], [2, 3, 4]],
    [[['nick', '!=', null]], [1]],
    [[['nick', '!=', 'x']], [1, 2, 3, 4]],
    [[['goals', '=', 0]], [2]],
    [[['goals', '=', false]], [4]],
    [[['goals', '>', 0]], [1, 3]],
    [[['goals', '<=', 3]], [1, 2]],
    [[['goals', '>', null]], []],
    [
      ['!', ['goals', '>', 0]],
      [2, 4],
    ],
    [[['goals', 'in', [3, 10]]], [1, 3]],
    [[['goals', 'in', [3]]], [1]],
    [[['goals', 'in', [3, false]]], [1, 4]],
    [[['goals', 'in', []]], []],
    [[['goals', 'not in', []]], [1, 2, 3, 4]],
    [[['goals', 'not in', [3, 10]]], [2, 4]],
    [[['goals', 'not in', [3, null]]], [2, 3]],
    [[['goals', 'not in', [null]]], [1, 2, 3]],
    [
      ['|', ['goals', '=', 3], ['goals', '=', 10]],
      [1, 3],
    ],
    [
      ['|', ['goals', '=', 3], '&', ['name', '=', 'Ana'], ['goals', '=', 10]],
      [1, 3],
    ],
    [
      [
        ['goals', '>', 0],
        ['name', '=', 'Ana'],
      ],
      [3],
    ],
    [['&', [1, '=', 1], ['goals', '=', 3]], [1]],
    [['|', [0, '=', 1], ['goals', '=', 3]], [1]],
    [['!', '!', ['goals', '=', 3]], [1]],
    [
      ['!', '|', ['goals', '=', 3], ['goals', '=', 10]],
      [2, 4],
    ],
    [[['weight', '=', '70.5']], [1]],
    [[['weight', '<', 0]], [3]],
    [[['born', '>=', '2000-01-31']], [1]],
    [[['born', '<', '2000-01-31']], []],
    [[['joined', '=', new Date('2020-05-01T10:00:00Z')]], [1]],
    [[['joined', 'in', [new Date('2020-05-01T10:00:00Z'), new Date(0)]]], [1]],
    [[['captain', '=', true]], [1]],
    [[['captain', '=', false]], [2, 3, 4]],
    [[['captain', '!=', true]], [2, 3, 4]],
    [[['captain', 'in', [true, false]]], [1, 2, 3, 4]],
    [[['captain', 'in', [true]]], [1]],
    [[['foot', 'in', ['left', 'right']]], [1, 2]],
    [[['foot', '=', 'of an addon that is off']], []],
    [[['note', '!=', null]], [1]],
    [[['name', 'like', 'Jos']], [1]],
    [[['name', 'like', 'jos']], [2]],
    [[['name', 'not like', 'jos']], [1, 3, 4]],
    [[['name', 'ilike', 'JOSÉ']], [1, 2]],
    [[['name', 'ilike', 'josè']], [1, 2]],
    [[['name', 'not ilike', 'jose']], [3, 4]],
    [[['nick', 'ilike', '100%']], [1]],
    [[['nick', 'ilike', '1%0']], []],
    [[['nick', 'like', '0%']], [1]],
    [[['nick', 'ilike', 'ZÉ']], []],
    [[['nick', 'ilike', 'z']], [1]],
    [[['name', 'like', '[']], []],
    [[['name', 'like', 'x_1']], [4]],
    [[['name', '=like', 'J%']], [1]],
    [[['name', '=like', 'Max\\_1']], [4]],
    [[['name', '=like', 'Ma_\\_1']], [4]],
    [[['name', '=ilike', 'j_s_']], [1, 2]],
    [[['name', '=ilike', 'jo']], []],
    [[['name', '=like', '%\\']], []],
    [[['title', '=', 'Captain']], [1]],
    [[['title', 'ilike', 'KEEP']], [3]],
    [[['bio', '=', false]], [1, 2, 3, 4]],
    [[['id', 'in', [4, 2, 99]]], [2, 4]],
    [[['id', '!=', 1]], [2, 3, 4]],
    [[['team_id', '=', 2]], [2, 3]],
    [[['team_id', '=', false]], [4]],
    [[['team_id', '!=', 2]], [1, 4]],
    [[['team_id', 'in', [1, 2]]], [1, 2, 3]],
    [[['team_id', 'not in', [1]]], [2, 3, 4]],
    [[['team_id', 'ilike', 'etoile']], [1]],
    [[['team_id', 'not ilike', 'etoile']], [2, 3, 4]],
    [[['team_id', '=', 'Red']], [2, 3]],
    [[['team_id.name', '=', 'Red']], [2, 3]],
    [[['team_id.name', '!=', 'Red']], [1]],
    [[['team_name', 'ilike', 'étoile']], [1]],
    [[['team_id.display_name', 'ilike', 'red']], [2, 3]],
    [[['display_name', '=', 'Ana']], [3]],
    [[['parent_id.parent_id.name', '=', 'José']], [3]],
    [[['skill_ids', '=', 2]], [1, 2]],
    [[['skill_ids', 'in', [1]]], [1]],
    [[['skill_ids', 'not in', [1]]], [2, 3, 4]],
    [[['skill_ids', '=', false]], [3, 4]],
    [[['skill_ids', '!=', false]], [1, 2]],
    [[['skill_ids', 'in', [1, null]]], [1, 3, 4]],
    [[['skill_ids', 'ilike', 'PACE']], [1]],
    [[['skill_ids.name', '=', 'Calm']], [1, 2]],
    [[['child_ids.name', '=', 'Ana']], [2]],
    [[['child_ids', '=', false]], [3]],
    [[['child_ids.skill_ids.name', '=', 'Calm']], [1]],
    [[['team_id.id', '=', 1]], [1]],
    [[['id', 'child_of', 1]], [1, 2, 3]],
    [[['id', 'child_of', [2, 4]]], [2, 3, 4]],
    [[['id', 'child_of', []]], []],
    [[['parent_id', 'child_of', 2]], [3]],
    [[['id', 'parent_of', 3]], [1, 2, 3]],
    [[['child_ids', 'parent_of', 3]], [1, 2]],
    [[['id', 'matches', 'forw']], [1, 3]],
    [[['id', 'matches', 'JOSÉ forward']], [1, 3]],
    [[['id', 'matches', '"!!!']], []],
    [['!', ['id', 'matches', 'jose']], [4]],
    [[['child_ids.id', 'matches', 'ana']], [2]],
  ])('%j finds %j', async (domain, ids) => {
    expect(await found(domain)).toEqual(ids);
  });

  test('compares translated texts in the reader’s language', async () => {
    expect(await found([['title', 'ilike', 'capit']], 'fr_FR')).toEqual([1]);
    expect(await found([['title', '=', 'Keeper']], 'fr_FR')).toEqual([3]);
    expect(await found([['title', '=', 'Captain']], 'fr_FR')).toEqual([]);
    expect(await found([['id', 'matches', 'attaquant']], 'fr_FR')).toEqual([1]);
    expect(await found([['id', 'matches', 'attaquant']], 'en_US')).toEqual([]);
  });

  test('with full text puts the best first, unless an order is given', async () => {
    const players = kit.ctx().model(Player);
    expect(await players.search([['id', 'matches', 'jose']], { limit: 2 })).toEqual([2, 1]);
    expect(
      await players.search([
        ['id', 'matches', 'jose'],
        ['goals', '>', 0],
      ]),
    ).toEqual([1, 3]);
    expect(await players.search([['id', 'matches', 'jose']], { order: 'goals' })).toEqual([2, 1, 3]);
  });

  test.each([
    ['a value that is undefined', [['goals', '=', undefined]], /undefined/],
    ['an unknown field', [['golas', '=', 1]], /no field/],
    ['a path through a field that leads nowhere', [['goals.x', '=', 1]], /leads nowhere/],
    ['an operator that does not fit', [['goals', 'ilike', 'x']], /isn’t valid for/],
    ['a text for a number', [['goals', '=', '1 or 1=1']], /Enter a whole number/],
    ['a field worked out on reading', [['age', '=', 1]], /calculated on read/],
    ['a list with =', [['goals', '=', [1]]], /list/],
    ['one value with in', [['goals', 'in', 1]], /list/],
    ['an operator without its conditions', ['|', ['goals', '=', 1]], /ends/],
    ['something else than a condition', ['goals'], /isn’t a condition/],
    ['text search on another field', [['name', 'matches', 'x']], /“id”/],
    ['a tree where there is none', [['team_id', 'child_of', 1]], /parent_id/],
  ])('refuses %s', async (_what, domain, message) => {
    const text = (error: unknown) =>
      error instanceof Error && 'params' in error ? `${error.message} ${JSON.stringify(error.params)}` : String(error);
    await expect(found(domain).catch((error: unknown) => Promise.reject(new Error(text(error))))).rejects.toThrow(
      message,
    );
  });

  describe('from outside', () => {
    const bound = (groups: readonly string[] = []) => boundOf(kit.ctx({ groups }).model(Player));
    const refusal = (raw: unknown, groups: readonly string[] = []) => {
      try {
        checkDomain(bound(groups), raw);
      } catch (error) {
        return error instanceof Error && 'code' in error
          ? `${error.code} ${JSON.stringify('params' in error && error.params)}`
          : String(error);
      }
      return null;
    };

    test('is answered as it may run, moments as dates', async () => {
      const raw = ['|', ['joined', '>', '2020-05-01 09:59:59'], '!', ['goals', 'in', [3, 4, false]]];
      const domain = checkDomain(bound(), raw);
      expect(domain).toEqual([
        '|',
        ['joined', '>', new Date('2020-05-01T09:59:59Z')],
        '!',
        ['goals', 'in', [3, 4, false]],
      ]);
      expect(await found(domain)).toEqual([1, 2, 3]);
      expect(checkDomain(bound(), [])).toEqual([]);
      // As many conditions, levels and values as a request may have, and one more.
      const leaf = ['goals', '=', 3];
      const deep = (levels: number) => [...Array.from({ length: levels }, () => '!'), leaf];
      const wide = (leaves: number) => Array.from({ length: leaves }, () => leaf);
      const list = (values: number) => [['goals', 'in', Array.from({ length: values }, (_, index) => index)]];
      for (const domain of [deep(50), wide(200), list(5_000)]) expect(refusal(domain)).toBeNull();
      for (const domain of [deep(51), wide(201), list(5_001)]) expect(refusal(domain)).toMatch(/^core\.bad_domain/);
      expect(await found(checkDomain(bound(), ['&', [1, '=', 1], ['goals', '=', 3]]))).toEqual([1]);
    });

    test.each([
      ['a secret field', [['pin', '=like', '1%']]],
      ['a secret field behind a relation', [['team_id.code', '=', 'secret']]],
      ['a field of a group', [['salary', '>', 1]]],
      ['a field that is not there', [['nope', '=', 1]]],
      ['an alias of a table', [['t0.pin', '=', 1]]],
      ['a column of our own making', [['name__fold', '=', 'x']]],
      ['what objects inherit', [['constructor', '=', 1]]],
      ['__proto__', [['__proto__.x', '=', 1]]],
      ['SQL in a name', [['name" or 1=1 --', '=', 1]]],
      ['SQL in an operator', [['name', '= 1 or 1=', 1]]],
      ['an object as a value', [['name', '=', { toString: 1 }]]],
      ['a value of another type', [['goals', '>', 'x']]],
      ['a day that is none', [['born', '=', '2020-02-31']]],
      ['a moment that is none', [['joined', '>', 'soon']]],
      ['no list', { 0: 1 }],
      ['a text', 'name'],
      ['too many conditions', Array.from({ length: 201 }, () => ['goals', '=', 1])],
      ['a list too long', [['goals', 'in', Array.from({ length: 5_001 }, (_, id) => id)]]],
      [
        'a path through three relations to several',
        [['child_ids.parent_id.child_ids.parent_id.child_ids.goals', '=', 1]],
      ],
      ['a path that ends in a third one', [['child_ids.child_ids.skill_ids', '=', 1]]],
      ['many paths through several', throughSeveral(4)],
      ['what is worked out when it is read', [['mentor_id', '=', 1]]],
      ['a path through what is worked out when it is read', [['mentor_id.name', '=', 'x']]],
      ['too deep', [...Array.from({ length: 60 }, () => '!'), ['goals', '=', 1]]],
    ])('is refused for %s', (_what, raw) => {
      expect(refusal(raw)).toMatch(/^core\.bad_domain/);
    });

    test('says the same of a field that is hidden and one that is not there', () => {
      const about = (name: string) => refusal([[name, '=', 1]])?.replaceAll(name, 'x');
      expect(about('pin')).toBe(about('nope'));
      expect(about('salary')).toBe(about('nope'));
      expect(refusal([['salary', '>', 1]], ['crew.boss'])).toBeNull();
      expect(refusal([['pin', '=', 'x']], ['crew.boss'])).not.toBeNull();
    });

    test('orders and fields are checked alike', () => {
      expect(checkOrder(bound(), 'goals desc, team_id.name')).toBe('goals desc, team_id.name');
      for (const order of [
        'pin',
        'salary desc',
        'team_id.code',
        'goals; drop table x',
        'random()',
        'age',
        '',
        7,
        'id,id,id,id,id,id,id,id,id',
      ]) {
        expect(() => checkOrder(bound(), order)).toThrow();
      }
      expect(checkFields(bound(), ['name', 'name'])).toEqual(['name']);
      expect(checkFields(bound(), undefined)).toContain('display_name');
      expect(checkFields(bound(), undefined)).not.toEqual(expect.arrayContaining(['pin']));
      expect(checkFields(bound(), [])).not.toEqual(expect.arrayContaining(['salary']));
      for (const fields of [['pin'], ['salary'], ['*'], ['__proto__'], 'name', [{}]])
        expect(() => checkFields(bound(), fields)).toThrow();
      expect(refusal([['child_ids.parent_id.child_ids.goals', '=', 1]])).toBeNull();
      expect(refusal(throughSeveral(3))).toBeNull();
    });
  });

  test('names of a group’s field in code are refused too, unless rights are lifted', async () => {
    const players = kit.ctx().model(Player);
    await expect(players.search([['salary', '>', 1]])).rejects.toMatchObject({
      status: 403,
      code: 'core.field_denied',
    });
    await expect(players.search([], { order: 'salary' })).rejects.toMatchObject({ status: 403 });
    await expect(players.find([], { select: { salary: true } })).rejects.toMatchObject({ status: 403 });
    await expect(players.group([], { by: ['salary'] })).rejects.toMatchObject({ status: 403 });
    expect(
      await kit
        .ctx({ su: true })
        .model(Player)
        .search([['salary', '>', 1]]),
    ).toEqual([1]);
    expect(
      await kit
        .ctx({ groups: ['crew.boss'] })
        .model(Player)
        .search([['salary', '>', 1]]),
    ).toEqual([1]);
  });

  describe('of very many records', () => {
    afterEach(async () => {
      await kit.sql('delete from crew_player where id >= 1000');
      if (dialect === 'postgres') await kit.sql('analyze crew_player');
    });

    test('with full text ranks the newest of very many, and finds the old ones of rare words', async () => {
      const value = dialect === 'sqlite' ? '?' : '?::tsvector';
      const fill = (from: number, to: number, text: string) =>
        kit.sql(
          `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
         insert into crew_player (id, name, name__fold, words__en_us) select i, 'x', 'x', ${value} from n`,
          words(text),
        );
      await fill(1_000, 1_002, 'needle needle usual');
      await fill(1_003, 3_199, 'usual');
      const players = kit.ctx().model(Player);
      const search = (text: string, options = {}) =>
        players.search([['id', 'matches', text]], { limit: 3, ...options });
      expect(await search('usual')).toEqual([2_800, 2_801, 2_802]);
      expect(await search('usual', { offset: 2_197 })).toEqual([1_000, 1_001, 1_002]);
      expect(await search('needle usual')).toEqual([1_000, 1_001, 1_002]);
      expect(await players.count([['id', 'matches', 'usual']], { most: 5 })).toBe(5);
      expect(await players.count([['id', 'matches', 'needle']], { most: 5 })).toBe(3);
      if (dialect === 'sqlite') {
        // Whatever else is asked for, the words are gone through once.
        kit.ran.length = 0;
        const domain = [
          ['id', 'matches', 'usual'],
          ['captain', '=', true],
        ] as const;
        await players.search(domain, { limit: 3 });
        const { sql = '', bindings = [] } = kit.ran.at(-1) ?? {};
        const plan = await kit.sql(`explain query plan ${sql}`, ...bindings);
        expect(plan.map(({ detail }) => detail)).toContain('SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)');
        await fill(150_000, 150_500, 'usual');
        expect(await search('usual')).toEqual([150_500, 150_499, 150_498]);
        expect(await search('needle usual')).toEqual([1_000, 1_001, 1_002]);
        return;
      }
      await kit.sql(`update pg_class set reltuples = 10000000 where relname = 'crew_player'`);
      kit.ran.length = 0;
      expect(await search('usual')).toEqual([2_800, 2_801, 2_802]);
      expect(kit.ran.at(-1)?.sql).toContain('limit 20000');
      expect(await search('needle usual')).toEqual([1_000, 1_001, 1_002]);
      expect(kit.ran.at(-1)?.sql).not.toContain('limit 20000');
      // Each in many texts, together in few: the newest alone would not tell.
      await fill(3_200, 3_202, 'heads tails');
      await fill(3_203, 5_500, 'heads');
      await fill(5_501, 6_700, 'tails');
      expect(await search('heads tails', { limit: 100 })).toEqual([3_200, 3_201, 3_202]);
      expect(kit.ran.at(-2)?.sql).toContain('limit 20000');
      expect(kit.ran.at(-1)?.sql).not.toContain('limit 20000');
    });
  });
});

test.each([
  ['one that few have', 1_000_000, [0.002], 0.002, { by: 'index', words: 1 }],
  ['the rare one of two', 1_000_000, [0.9, 0.001], 0.001, { by: 'index', words: 2 }],
  ['both where neither is rare', 1_000_000, [0.02, 0.02], 0, { by: 'index', words: 3 }],
  ['none where many have them', 1_000_000, [0.13, 0.13], 0.017, { by: 'newest' }],
  ['those of a small table', 20_000, [0.13, 0.13], 0.017, { by: 'index', words: 3 }],
])('A search asks the index for words: %s', (_, records, shares, found, way) => {
  expect(cheapest(records, shares, found)).toEqual(way);
});
