import { WebsiteMenu, WebsitePage } from '@pergola/website';
import { type Ctx, data, ref } from 'pergola';

type Say = (english: string, french: string) => string;

function piece(id: string, options: object = {}): string {
  const json = JSON.stringify(options).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<div data-block="dribblo.${id}" data-options="${json}"></div>`;
}

const columns = (left: string, right: string, wide = 'col-lg-7', narrow = 'col-lg-5'): string =>
  `<section class="container py-2"><div class="row"><div class="${wide}">${left}</div><div class="${narrow}">${right}</div></div></section>`;

interface Ids {
  readonly seniors: number;
  readonly women: number;
  readonly league: number;
  /** Year of the party at the end of the season. */
  readonly year: string;
}

const club = (say: Say, { league }: Ids): string =>
  [
    `<section class="container pt-5 pb-2" data-name="Title"><h1 translate="no">AS Val-Fleuri</h1><p class="lead">${say('Four teams, two pitches, one club house. Everyone is welcome, boots or not.', 'Quatre équipes, deux terrains, un club-house. Tout le monde est le bienvenu, avec ou sans crampons.')}</p><p><a class="btn btn-primary" href="/matchs">${say('All matches', 'Tous les matchs')}</a> <a class="btn btn-outline-primary" href="/teams">${say('Our teams', 'Nos équipes')}</a></p></section>`,
    columns(piece('poster', { countdown: true }), piece('week', { filter: true }), 'col-lg-6', 'col-lg-6'),
    columns(
      piece('last_results', { nbr: 5 }),
      piece('standings', { competition: league }) + piece('birthdays', { period: 'week' }),
    ),
    `<section class="container py-2">${piece('posts', { count: 3 })}${piece('teams')}</section>`,
    columns(piece('callups', { short: true }), piece('weather') + piece('facebook', { page: 'as.val.fleuri.demo' })),
    `<section class="container py-2">${piece('adverts', { zone: 'main', speed: 5 })}</section>`,
  ].join('\n');

const gallery = (say: Say, { seniors, women, league, year }: Ids): string => {
  const show = (title: string, html: string): string =>
    `<section class="container py-4" data-name="${title}">${html}</section>`;
  return [
    `<section class="container py-5"><h1>${say('Everything a club page can show', 'Tout ce qu’une page du club peut montrer')}</h1><p class="lead">${say('Each part is a block: press “Edit” and drag it to where you want it.', 'Chaque élément est un bloc\u00a0: appuyez sur «\u00a0Modifier\u00a0» et placez-le où vous voulez.')}</p></section>`,
    show('Poster', piece('poster', { team: seniors })),
    show('This week', piece('week', { filter: true })),
    show('Next match', piece('next_match', { team: seniors })),
    show('Next matches', piece('next_matches', { nbr: 4 })),
    show('Last and next match', piece('match_list', { teams: [seniors], nbr: 1 })),
    show('4 matches', piece('match_list', { teams: [women], nbr: 2 })),
    show('6 matches', piece('match_list', { teams: [seniors], nbr: 3 })),
    show('Standings', piece('standings', { competition: league })),
    show('Call-ups', piece('callups', { team: seniors, short: false })),
    show('Birthdays', piece('birthdays', { period: 'three_weeks' })),
    show('Posts', piece('posts', { count: 3 })),
    show('Teams', piece('teams')),
    show('Weather', piece('weather')),
    show(
      'Countdown',
      piece('countdown', { until: `31/12/${year} 20:00`, done: say('Happy new year!', 'Bonne année\u00a0!') }),
    ),
    show('Twitter', piece('twitter', { account: 'asvalfleuri' })),
    show('Facebook', piece('facebook', { page: 'as.val.fleuri.demo', timeline: true })),
    show('Adverts', piece('adverts', { zone: 'main', speed: 10 })),
  ].join('\n');
};

const english: Say = (text) => text;
const french: Say = (_, text) => text;

const pages = data(WebsitePage, async (ctx: Ctx) => {
  const ids = {
    seniors: await ctx.ref('dribblo.demo_seniors'),
    women: await ctx.ref('dribblo.demo_women'),
    league: await ctx.ref('dribblo.demo_league_seniors'),
    year: ctx.today().slice(0, 4),
  };
  // Marks the pages as checked, without issues.
  const checked = { check_date: ctx.now(), check_faults: [] };
  return {
    demo_club: {
      url: '/club',
      name: { en_US: 'The club', fr_FR: 'Le club' },
      content: { en_US: club(english, ids), fr_FR: club(french, ids) },
      website_published: true,
      ...checked,
      website_meta_description: {
        en_US: 'Matches, results, call-ups and news from AS Val-Fleuri.',
        fr_FR: 'Matchs, résultats, convocations et nouvelles de l’AS Val-Fleuri.',
      },
    },
    demo_club_blocks: {
      url: '/club/blocks',
      name: { en_US: 'Club blocks', fr_FR: 'Les blocs du club' },
      content: { en_US: gallery(english, ids), fr_FR: gallery(french, ids) },
      website_published: true,
      ...checked,
    },
  };
});

const menus = data(WebsiteMenu, async (ctx: Ctx) => {
  const wall = await ctx.ref('dribblo.demo_wall');
  const entry = (name: readonly [string, string], url: string, sequence: number) => ({
    name: { en_US: name[0], fr_FR: name[1] },
    url,
    parent_id: ref('dribblo.menu_club'),
    sequence,
  });
  return {
    demo_menu_home: { ...entry(['Club home', 'Accueil du club'], '/club', 10), page_id: ref('demo_club') },
    demo_menu_wall: entry(['The wall', 'Le mur'], `/wall/${wall}`, 40),
  };
});

export default [pages, menus];
