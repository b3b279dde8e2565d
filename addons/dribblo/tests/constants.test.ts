import { createTestApp, type TestApp } from 'pergola/testing';
import { Competition } from '../models/club-competition.ts';

/**
 * Constants, texts and routes of sections 5 to 9 of the specification that are the football club's. Those of walls, photos, the weather and the player
 * search are in their tests, the share popup and the slider's interval are website's.
 */
describe('the club of the demo', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], demo: true });
  });
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
    ['/fr/matchs/results', 'Ces résultats sont enregistrés'],
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

  it.each([
    ['match_list', 4],
    ['match_list_6', 3],
    ['match_list_10', 5],
    ['match_list_4', 2],
    ['last_next', 1],
  ])('§9 the snippet %s begins with nbr %i', async (name, nbr) => {
    const editor = await app.as('editor');
    const { html } = await editor.rpc<{ html: string }>('/website/editor/snippet', { id: `dribblo.${name}` });
    expect(html.replaceAll('&quot;', '"')).toMatch(new RegExp(`"nbr":${nbr}\\b`));
  });

  it('§9 an advert stays for 1000 ms unless the block says otherwise', async () => {
    expect(await app.visitor().rpc<string>('/adverts/get', { ann: 'main' })).toContain('data-opt-interval="1000"');
  });

  it('decisions §6 a competition breaks ties by these rules unless it has its own', async () => {
    const rules = await app.write(async (ctx) => {
      const id = await ctx.model(Competition).create({ name: 'Cup' });
      const rules = (await ctx.model(Competition).tieBreaksOf([id])).get(id);
      await ctx.model(Competition).unlink([id]);
      return rules;
    });
    expect(rules).toEqual(['goal_difference', 'goals_for', 'direct', 'name']);
  });

  it('has every snippet in the editor’s drawer, with markup', async () => {
    const editor = await app.as('editor');
    const { snippets } = await editor.rpc<{ snippets: { id: string }[] }>('/website/editor/drawer');
    const own = snippets.filter(({ id }) => id.startsWith('dribblo.'));
    expect(own).toHaveLength(24);
    for (const { id } of own) {
      const { html } = await editor.rpc<{ html: string }>('/website/editor/snippet', { id });
      expect([id, html.includes('class="club-block')]).toEqual([id, true]);
      if (id === 'dribblo.next_matches') expect(html).toContain('{&quot;nbr&quot;:4}');
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
