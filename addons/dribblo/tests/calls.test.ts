import { createTestApp, eachDatabase, type TestApp, withClock } from 'pergola/testing';
import { Match } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';
import { type Club, makeCallUp, makeClub, makeMatch, makeMember, noon } from './kit.ts';

interface WeekAnswer {
  readonly week: string;
  readonly matchs: readonly {
    mnbr: number;
    receiver: { team_name: string; team_image: string };
    [key: string]: unknown;
  }[];
}

eachDatabase('calls of the football club', (database, once) => {
  const clock = withClock();
  let app: TestApp;
  let club: Club;
  let players: { leo: number; lea: number; max: number };

  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], database });
    club = await makeClub(app);
    players = await app.write(async (ctx) => {
      const { ours, young, red, blue } = club;
      const won = await makeMatch(ctx, ours, red, {
        mnbr: 11,
        compet_phase: 'Round 1',
        receiver_res: 2,
        visitor_res: 2,
        is_shot: true,
        receiver_shot: 5,
        visitor_shot: 4,
      });
      await makeMatch(ctx, blue, young, { mnbr: 12 });
      await makeMatch(ctx, red, blue, { mnbr: 13 });
      await makeMatch(ctx, ours, blue, { mnbr: 14, start_datetime: noon(7) });
      await makeMatch(ctx, red, ours, { mnbr: 15, start_datetime: noon(60) });
      const leo = await makeMember(ctx, 'Léo Martin', { birth_date: '1990-01-01' });
      const lea = await makeMember(ctx, 'Léa Durand', { birth_date: `${new Date().getFullYear() - 12}-01-01` });
      const max = await makeMember(ctx, 'Max Hidden', { birth_date: '1990-01-01' });
      await makeCallUp(ctx, won, ours, [leo, lea]);
      const later = await ctx.model(Match).search([['mnbr', '=', 14]]);
      await makeCallUp(ctx, later[0] ?? 0, ours, [max], false);
      return { leo, lea, max };
    });
  });
  afterAll(() => app?.close());

  const call = <T = WeekAnswer>(path: string, params: object = {}) => app.visitor().rpc<T>(path, params);
  const numbers = async (path: string, params: object) => (await call(path, params)).matchs.map(({ mnbr }) => mnbr);

  once.each([
    ['/matchs/week', {}],
    ['/search/categ/matchs/week', { player: false, categ: false }],
  ])('%s answers what the page shows where it is wanted', async (path, params) => {
    const wanted = { week: '1', team_id: false, ...params, markup: true };
    const { page, week } = await app
      .visitor()
      .rpc<{ page: { week: number; html: string }; week: string }>(path, wanted);
    expect(week).toMatch(/^Semaine/);
    expect(page.week).toBe(1);
    expect(page.html).toContain('data-mnbr="14"');
  });

  it('answers a week with the fields of the specification', async () => {
    const answer = await call('/matchs/week', { week: 0, team_id: club.ours });
    expect(Object.keys(answer)).toEqual(['week', 'matchs']);
    expect(answer.week).toMatch(/^Semaine \d{1,2} \(\d\d\/\d\d\/\d{4} – \d\d\/\d\d\/\d{4}\)$/);
    expect(answer.matchs).toEqual([
      {
        mnbr: 11,
        compet_phase: 'Round 1',
        start_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\d 12:00:00$/),
        receiver: { team_name: 'Val-Fleuri 1', team_image: '/dribblo/static/crest.svg' },
        visitor: { team_name: 'Red Star', team_image: '/dribblo/static/crest.svg' },
        receiver_res: 2,
        visitor_res: 2,
        is_res: true,
        is_shot: true,
        receiver_shot: 5,
        visitor_shot: 4,
      },
    ]);
  });

  it.each<[string, object, (number | string)[]]>([
    ['all our teams, as false', { week: 0, team_id: false }, [11, 12]],
    ['all our teams, left out', { week: 0 }, [11, 12]],
    ['teams as a list', { week: 0, teams: ['red'] }, [11, 13]],
    ['teams as a text with commas', { week: 0, teams: 'ours,young' }, [11, 12]],
    ['one team as a text', { week: 0, team_id: 'young' }, [12]],
    ['the next week', { week: 1, team_id: false }, [14]],
    ['the next week as a text', { week: '1', team_id: 'false' }, [14]],
    ['the last week', { week: -1, team_id: false }, []],
  ])('lists the matches of %s', async (_name, params, expected) => {
    const ids = club as unknown as Record<string, number>;
    const text = JSON.stringify(params).replace(/"(ours|young|red)"/g, '"$1"');
    const filled = text.replace(/\b(ours|young|red)\b/g, (name) => String(ids[name]));
    expect(await numbers('/matchs/week', JSON.parse(filled) as object)).toEqual(expected);
  });

  it.each<[string, string, object, string]>([
    ['a week in words', '/matchs/week', { week: 'next', team_id: false }, 'Enter the week as a whole number'],
    ['half a week', '/matchs/week', { week: 0.5, team_id: false }, 'Enter the week as a whole number'],
    ['a week far away', '/matchs/week', { week: 1e9, team_id: false }, 'too far away'],
    ['an unknown team', '/matchs/week', { week: 0, team_id: 99_999 }, 'We can’t find that team.'],
    ['a team that is hidden', '/matchs/week', { week: 0, teams: ['blue'] }, 'We can’t find that team.'],
    ['teams that are no numbers', '/matchs/week', { week: 0, teams: 'a,b' }, 'numbers'],
    [
      'an unknown player',
      '/search/player/matchs/week',
      { week: 0, player: 99_999, categ: false, team_id: false },
      'We can’t find that player.',
    ],
    [
      'an unknown category',
      '/search/categ/matchs/week',
      { week: 0, player: false, categ: 99_999, team_id: false },
      'We can’t find that category.',
    ],
    ['no team for the next match', '/matchs/get_next_for_team', {}, 'Enter a valid record ID.'],
    ['an unknown competition', '/matchs/classement', { cmpt: 99_999 }, 'We can’t find that competition.'],
    ['an unknown wall', '/snippet/posts/99999', {}, 'We can’t find that wall.'],
    ['a strange weekly', '/get_birthday_members', { categories: [], weekly: 2 }, '1 for a week or 3'],
    ['too many matches', '/matchs/get_next_for_teams', { teams: [], nbr: 1000 }, 'Enter a whole number'],
    ['no zone of adverts', '/adverts/get', {}, 'zone'],
  ])('tells clearly what is wrong with %s', async (_name, path, params, text) => {
    const filled = JSON.parse(JSON.stringify(params).replace('"blue"', String(club.blue))) as object;
    const refused = await call(path, filled).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining(text) });
  });

  it('lists the matches a player is called up for, and those of a category', async () => {
    const { leo, max } = players;
    expect(await numbers('/search/player/matchs/week', { week: 0, player: leo, categ: false, team_id: false })).toEqual(
      [11],
    );
    expect(await numbers('/search/player/matchs/week', { week: 1, player: leo, categ: false, team_id: false })).toEqual(
      [],
    );
    expect(
      await numbers('/search/categ/matchs/week', { week: 0, player: false, categ: club.youth, team_id: false }),
    ).toEqual([12]);
    const hidden = await call('/search/player/matchs/week', { week: 1, player: max, categ: false }).catch(String);
    expect(hidden).toContain('We can’t find that player.');
  });

  it('suggests players of published call-ups, children only by what is shown of their name', async () => {
    const { leo, lea } = players;
    const suggest = (keyword: string) => call<object[]>('/matchs/search/conv', { keyword });
    expect(await suggest('lé')).toEqual([
      { id: lea, name: 'Léa D.' },
      { id: leo, name: 'Léo Martin' },
    ]);
    expect(await suggest('LEO')).toEqual([{ id: leo, name: 'Léo Martin' }]);
    expect(await suggest('léa d')).toEqual([{ id: lea, name: 'Léa D.' }]);
    expect(await suggest('durand')).toEqual([]);
    expect(await suggest('hidden')).toEqual([]);
    expect(await suggest('l')).toEqual([]);
    expect(await suggest('%%')).toEqual([]);
  });

  once('shows a postponed or renamed thing at once on the page of matches, which is kept', async () => {
    const before = await app.visitor().get('/matchs');
    expect(before.text).toContain('Red Star');
    await app.write((ctx) => ctx.model(Team).write(club.red, { name: 'Red Planet' }));
    expect((await app.visitor().get('/matchs')).text).toContain('Red Planet');
    await app.write((ctx) => ctx.model(Team).write(club.red, { name: 'Red Star' }));
  });

  once('says nothing of the weather to visitors before town and key are set', async () => {
    expect(await call<string>('/dribblo/weather', {})).not.toMatch(/<section|<p/);
  });

  once('answers every snippet as HTML', async () => {
    const { ours } = club;
    const texts: Record<string, string> = {};
    for (const [path, params] of [
      ['/matchs/get_next_for_team', { team: ours }],
      ['/matchs/get_poster', { team: ours }],
      ['/matchs/get_next_for_teams', { teams: [ours] }],
      ['/matchs/get_8_for_teams', { teams: [ours] }],
      ['/matchs/get_for_week', {}],
      ['/matchs/get_for_week_filter', { teams: [ours] }],
      ['/convocations', { team: ours, sn: 1 }],
      ['/get_birthday_members', { categories: [] }],
      ['/sn_posts', { next: 3 }],
      ['/sn_equipes', {}],
      ['/adverts/get', { ann: 'main' }],
    ] as const) {
      const html = await call<string>(path, params);
      expect([path, html.includes('<section class="club-block')]).toEqual([path, true]);
      texts[path] = html;
    }
    expect(texts['/matchs/get_next_for_team']).toContain('/matchs/14');
    expect(texts['/matchs/get_8_for_teams']).toMatch(/data-mnbr="11"[\s\S]*data-mnbr="14"[\s\S]*data-mnbr="15"/);
    expect(texts['/matchs/get_for_week_filter']).toContain('<select');
    expect(texts['/sn_equipes']).toContain('Val-Fleuri U13');
    expect(texts['/sn_equipes']).not.toContain('Red Star');
  });

  it('skips and counts as it is told', async () => {
    const html = await call<string>('/matchs/get_next_for_teams', { teams: `${club.ours}`, next: 1, nbr: 1 });
    expect(html.match(/data-mnbr="\d+"/g)).toEqual(['data-mnbr="15"']);
    const usual = await call<string>('/matchs/get_next_for_teams', { teams: `${club.ours}` });
    expect(usual.match(/data-mnbr="\d+"/g)).toEqual(['data-mnbr="14"']);
  });

  it('suggests ten players at most, those of sixteen and more by their full names', async () => {
    const years = (age: number, days = 0): string => {
      const now = new Date();
      return new Date(Date.UTC(now.getFullYear() - age, now.getMonth(), now.getDate() + days))
        .toISOString()
        .slice(0, 10);
    };
    await app.write(async (ctx) => {
      const match = await makeMatch(ctx, club.ours, club.red, {
        mnbr: 51,
        start_datetime: new Date(Date.now() + 90 * 86_400_000),
      });
      const many = [];
      for (let index = 0; index < 11; index++)
        many.push(await makeMember(ctx, `Zoltan Number${index}`, { birth_date: '1990-01-01' }));
      const grown = await makeMember(ctx, 'Yann Grown', { birth_date: years(16, -2) });
      const young = await makeMember(ctx, 'Yann Young', { birth_date: years(16, 2) });
      await makeCallUp(ctx, match, club.ours, [...many, grown, young]);
    });
    const suggest = (keyword: string) => call<{ name: string }[]>('/matchs/search/conv', { keyword });
    expect(await suggest('zoltan')).toHaveLength(10);
    expect((await suggest('yann')).map(({ name }) => name)).toEqual(['Yann Grown', 'Yann Y.']);
  });

  once('says what scripts of snippets want to know', async () => {
    expect(await call('/get_data_snippets')).toEqual({ social_twitter: '', ville: '', apikey: '' });
  });

  once(
    'says of a match that has begun that it is under way, then that its result is awaited, also on kept pages',
    async () => {
      const HOUR = 3600_000;
      const matches = await app.write(async (ctx) => {
        const at = (from: number) => ({ start_datetime: new Date(Date.now() + from) });
        return [
          await makeMatch(ctx, club.ours, club.red, { mnbr: 41, ...at(-HOUR) }),
          await makeMatch(ctx, club.ours, club.red, { mnbr: 42, ...at(-3 * HOUR) }),
          await makeMatch(ctx, club.ours, club.red, { mnbr: 43, ...at(59_000) }),
        ];
      });
      const page = async (mnbr: number) => (await app.visitor().get(`/matchs/${mnbr}`)).text;
      expect(await page(41)).toContain('<span class="club-state-mark">In progress</span>');
      expect(await page(42)).toContain('<span class="club-state-mark">Awaiting result</span>');
      expect(await page(43)).not.toContain('club-state-mark');
      // Only before the kick-off one stands against the other.
      for (const mnbr of [41, 42]) expect(await page(mnbr)).not.toContain('>vs<');
      expect(await page(43)).toContain('>vs<');
      clock.forward(60_000);
      expect(await page(43)).toContain('<span class="club-state-mark">In progress</span>');
      await app.write((ctx) => ctx.model(Match).unlink(matches));
    },
  );
});
