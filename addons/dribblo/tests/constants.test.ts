import { createTestApp, type TestApp } from '#core/testing';
import { SPEED_SECONDS } from '../blocks/adverts.ts';
import { NEXT_DEFAULTS } from '../blocks/kit.ts';
import { LIST_DEFAULTS } from '../blocks/matches.ts';
import { usualTieBreaks } from '../models/club-competition-rule.ts';
import { FULL_NAME_AGE, SEARCH_LETTERS, SEARCH_RESULTS } from '../models/club-member.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { WALL_MANAGER } from '../security.ts';
import { PAGE_SIZE, PHOTO_ASPECT } from '../services/walls.ts';
import { TIME_LIMIT } from '../services/weather/client.ts';
import { LARGEST_ANSWER } from '../services/weather/http-client.ts';
import { FORECAST_DAYS, LANGUAGE, SHOWN_DAYS, UNITS } from '../services/weather/parse.ts';
import { FAILURES_BEFORE_PAUSE } from '../services/weather/reports.ts';

/**
 * The constants and texts of sections 5, 6, 8 and 9 of the specification that are the football club's, and the routes of section 7. The
 * share popup and the slider's interval are website's, the proportion of the crop is checked where the picture is cut (wall.test.ts).
 */
describe('constants of the football club', () => {
  it.each<[string, unknown, unknown]>([
    ['§9 wall: first page size 6', PAGE_SIZE, 6],
    ['§5 cropped photo uses 5:3', PHOTO_ASPECT, 5 / 3],
    ['§6 who deletes posts', WALL_MANAGER, 'dribblo.group_public_wall_manager'],
    ['§9 weather: forecast capped 5 days', FORECAST_DAYS, 5],
    ['§9 weather: 4 used', SHOWN_DAYS, 4],
    ['§9 weather: metric', UNITS, 'metric'],
    ['§9 weather: French', LANGUAGE, 'fr'],
    ['decisions §3 weather: 3 s limit', TIME_LIMIT, 3_000],
    ['C44 reply capped at 1 MB', LARGEST_ANSWER, 1_048_576],
    ['C44 breaker opens after 5 failures', FAILURES_BEFORE_PAUSE, 5],
    ['§9 advert carousel: default 1000 ms', SPEED_SECONDS * 1000, 1000],
    ['§9 nbr 1 for last-next', LIST_DEFAULTS.lastNext, 1],
    ['§9 nbr 2 for 4-match list', LIST_DEFAULTS.four, 2],
    ['§9 nbr 3 for 6-match list', LIST_DEFAULTS.six, 3],
    ['§9 nbr 5 for 10-match list', LIST_DEFAULTS.ten, 5],
    ['4 for the 8-match list', LIST_DEFAULTS.eight, 4],
    ['§9 next-match snippet next 0, nbr 1', NEXT_DEFAULTS, { next: 0, nbr: 1 }],
    ['decisions §6 player search from 2 letters', SEARCH_LETTERS, 2],
    ['decisions §6 10 players at most', SEARCH_RESULTS, 10],
    ['decisions §6 tie-breaks', usualTieBreaks, ['goal_difference', 'goals_for', 'direct', 'name']],
    ['full names from 16 on', FULL_NAME_AGE, 16],
  ])('%s', (_name, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it('§3 a wall post has the fields of the specification', () => {
    const declared = Object.getOwnPropertySymbols(WallPost).map(
      (symbol) => Reflect.get(WallPost, symbol) as { fields?: object },
    );
    const own = Object.getOwnPropertySymbols(Object.getPrototypeOf(WallPost) as object).map(
      (symbol) => Reflect.get(Object.getPrototypeOf(WallPost) as object, symbol) as { fields?: object },
    );
    const fields = [...declared, ...own].find((one) => one?.fields)?.fields ?? {};
    for (const name of ['name', 'descr', 'image', 'url_post', 'wall_id']) expect(Object.keys(fields)).toContain(name);
  });
});

describe('the club of the demo', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], demo: true });
  }, 120_000);
  afterAll(() => app?.close());

  it.each<[string, object]>([
    ['/snippet/posts/1', {}],
    ['/dribblo/wall', { displayed: [], wall_id: 1 }],
    ['/matchs/week', { week: 0, team_id: false, teams: false }],
    ['/search/player/matchs/week', { week: 0, player: 1, categ: false, team_id: false }],
    ['/search/categ/matchs/week', { week: 0, player: false, categ: 3, team_id: false }],
    ['/matchs/search/conv', { keyword: 'mar' }],
    ['/adverts/get', { ann: 'main' }],
    ['/get_birthday_members', { categories: [3], weekly: 1 }],
    ['/matchs/get_next_for_team', { team: 1 }],
    ['/matchs/get_poster', { team: 1 }],
    ['/matchs/get_next_for_teams', { teams: [1, 7], next: 0, nbr: 2 }],
    ['/matchs/get_8_for_teams', { teams: [1, 7] }],
    ['/matchs/classement', { cmpt: 1 }],
    ['/convocations', { team: 1, sn: true }],
    ['/matchs/get_for_week', { teams: [1] }],
    ['/matchs/get_for_week_filter', { teams: [1, 7] }],
    ['/sn_posts', { next: 2 }],
    ['/sn_equipes', {}],
    ['/get_data_snippets', {}],
  ])('§7 POST %s answers', async (path, params) => {
    const answer = await app.visitor().rpc<unknown>(path, params);
    expect(answer).toBeTruthy();
    if (typeof answer === 'string') expect(answer).not.toContain('club-empty');
  });

  it.each(['/club', '/club/blocks', '/matchs', '/matchs/1060', '/wall/1', '/wall/posts/1', '/teams'])(
    'shows %s in English and French',
    async (path) => {
      for (const prefix of ['', '/fr']) {
        const { status, text } = await app.visitor().get(prefix + path);
        expect([prefix, status]).toEqual([prefix, 200]);
        expect(text).not.toMatch(/\{\w+\}|\[object Object\]|undefined/);
      }
    },
  );

  it.each([
    ['', 'The title is required!', 'Do you really want to delete this post?'],
    ['/fr', 'Le titre est obligatoire!', 'Voulez vous vraiment supprimer ce post ?'],
  ])(
    '§5 the wall speaks the language of the page “%s”, in the browser as on the server',
    async (prefix, title, question) => {
      const visitor = await app.as('admin');
      const { text } = await visitor.get(`${prefix}/wall/1`);
      const address = /"texts":"([^"]+)"/.exec(text)?.[1] ?? '';
      const texts = (await visitor.get(address)).json<Record<string, string>>();
      expect(texts['Le titre est obligatoire!']).toBe(title);
      expect(texts['Voulez vous vraiment supprimer ce post ?']).toBe(question);
    },
  );

  it.each([
    ['/fr/matchs', 'Semaine précédente'],
    ['/fr/wall/1', 'Écrire un message'],
    ['/fr/matchs/2002/result', 'Enregistrer le résultat'],
    ['/fr/matchs/results', 'Résultats de ce téléphone'],
    ['/fr/club/blocks', 'Afficher @asvalfleuri'],
    ['/fr/club/blocks', 'Toutes les équipes'],
  ])('the islands of %s speak French before any script', async (path, text) => {
    expect((await (await app.as('admin')).get(path)).text).toContain(text);
  });

  it('names no child in full without consent, anywhere', async () => {
    for (const path of ['/club', '/club/blocks', '/fr/club', '/matchs']) {
      expect((await app.visitor().get(path)).text).not.toMatch(/Zoé Martin|Léo Clément|Gabriel Blanc/);
    }
    expect(await app.visitor().rpc('/matchs/search/conv', { keyword: 'clément' })).toEqual([]);
  });

  it('has every snippet in the editor’s drawer, with markup', async () => {
    const editor = await app.as('editor');
    const { snippets } = await editor.rpc<{ snippets: { id: string }[] }>('/website/editor/drawer');
    const own = snippets.filter(({ id }) => id.startsWith('dribblo.'));
    expect(own).toHaveLength(24);
    for (const { id } of own) {
      const { html } = await editor.rpc<{ html: string }>('/website/editor/snippet', { id });
      expect([id, html.includes('class="club-block')]).toEqual([id, true]);
    }
  });

  it('offers teams and competitions by name in the options of blocks, in the editor’s language', async () => {
    const editor = await app.as('editor');
    interface Property {
      readonly title?: string;
      readonly none?: string;
      readonly choices?: readonly { value: number; label: string }[];
    }
    const drawer = () =>
      editor.rpc<{ blocks: { id: string; schema: { properties: Record<string, Property> } }[] }>(
        '/website/editor/drawer',
      );
    const option = async (id: string, name: string) =>
      (await drawer()).blocks.find((one) => one.id === id)?.schema.properties[name];
    const team = await option('dribblo.next_match', 'team');
    expect(team?.choices?.map(({ label }) => label)).toEqual([
      'AS Val-Fleuri Seniors',
      'AS Val-Fleuri Féminines',
      'AS Val-Fleuri U15',
      'AS Val-Fleuri U11',
    ]);
    expect([team?.title, team?.none]).toEqual(['Team', 'Our first team']);
    expect((await option('dribblo.standings', 'competition'))?.choices).toHaveLength(4);
    expect(JSON.stringify(await drawer())).not.toContain('"where"');
    await editor.get('/website/lang/fr_FR?r=/');
    expect((await option('dribblo.next_match', 'team'))?.title).toBe('Équipe');
  });
});
