import { Partner, User } from '@pergola/base';
import { Website } from '@pergola/website';
import { type Ctx, data, type FileRef, plusDays, ref } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { CompetitionAdjustment } from '../models/club-competition-adjustment.ts';
import { Guardian } from '../models/club-guardian.ts';
import { Member } from '../models/club-member.ts';
import { Season } from '../models/club-season.ts';
import { Team } from '../models/club-team.ts';
import { Venue } from '../models/club-venue.ts';
import { homeClub, leagues, opponents } from './club/leagues.ts';
import { ages, keyOf, positions, type Squad, squads } from './club/people.ts';
import { picture } from './club/pictures.ts';

const players = (Object.keys(squads) as Squad[]).flatMap((squad) =>
  squads[squad].map((name, index) => ({ squad, name, index, key: keyOf(squad, name) })),
);
const isChild = (squad: Squad): boolean => squad === 'u15' || squad === 'u11';
const text = ([english, french]: readonly [string, string]) => ({ en_US: english, fr_FR: french });
const mailbox = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.');

const season = data(Season, async (ctx: Ctx) => {
  const today = ctx.today();
  const year = Number(today.slice(0, 4)) - (today.slice(5) < '07-15' ? 1 : 0);
  return { demo_season: { name: `${year}–${year + 1}`, date_start: `${year}-07-15`, date_end: `${year + 1}-07-14` } };
});

const venues = data(Venue, {
  demo_home: {
    name: 'Stade des Tilleuls',
    street: '4 allée du Stade',
    zip: '25290',
    city: 'Val-Fleuri',
    surface: 'grass',
    note: text([
      'Parking behind the hall; changing rooms on the left of the club house.',
      'Parking derrière la salle\u00a0; vestiaires à gauche du club-house.',
    ]),
  },
  demo_turf: {
    name: 'Complexe de la Plaine',
    street: '12 rue des Sports',
    zip: '38120',
    city: 'Bellerive',
    surface: 'artificial',
  },
});

/** Contacts of all members. Zoé is the daughter of Jo Martin, the demo customer. */
const contacts = data(Partner, () => {
  const adults = players
    .filter(({ squad }) => !isChild(squad))
    .map(
      ({ key, name }) =>
        [`${key}_contact`, { name, email: `${mailbox(name)}@val-fleuri.example`, lang: 'fr_FR' }] as const,
    );
  const children = players
    .filter(({ squad }) => isChild(squad))
    .map(({ key, name }) => [`${key}_contact`, { name, lang: 'fr_FR' }] as const);
  const parents = players
    .filter(({ squad, name }) => isChild(squad) && name !== 'Zoé Martin')
    .map(({ key, name }) => {
      const [, ...family] = name.split(' ');
      const parent = `${['Sophie', 'Marc', 'Nadia', 'Olivier', 'Claire', 'David'][name.length % 6]} ${family.join(' ')}`;
      return [`${key}_parent`, { name: parent, email: `${mailbox(parent)}@familles.example`, lang: 'fr_FR' }] as const;
    });
  return Promise.resolve(Object.fromEntries([...adults, ...children, ...parents]));
});

/** Birthdays around the day the demo is loaded, for the birthday snippets. */
function birthDate(today: string, squad: Squad, index: number): string {
  const day = plusDays(today, [0, 2, -1, 5, 9, 13][index] ?? (index * 29) % 300);
  const year = Number(today.slice(0, 4)) - ages[squad] - (isChild(squad) ? 0 : index % 7);
  const born = `${year}${day.slice(4)}`;
  return born.endsWith('-02-29') ? `${year}-02-28` : born;
}

const members = data(Member, async (ctx: Ctx) => {
  const today = ctx.today();
  const rows = players.map(({ squad, index, key }) => [
    key,
    {
      partner_id: ref(`${key}_contact`),
      birth_date: birthDate(today, squad, index),
      category_id: ref(leagues.find((league) => league.squad === squad)?.category ?? ''),
      number: index + 1,
      position: positions[Math.min(index, positions.length - 1)] ?? 'forward',
      licence: `25${String(1_000_000 + players.findIndex((player) => player.key === key) * 3571)}`,
      consent_birthday: index % 4 !== 3,
    },
  ]);
  const jo = {
    partner_id: ref('base.demo_portal_partner'),
    birth_date: `${Number(today.slice(0, 4)) - 38}-05-04`,
    category_id: ref('dribblo.category_veterans'),
    consent_birthday: false,
  };
  return Object.fromEntries([...rows, ['demo_jo', jo]]);
});

const guardians = data(Guardian, () =>
  Promise.resolve(
    Object.fromEntries(
      players
        .filter(({ squad }) => isChild(squad))
        .map(({ key, name, index }) => [
          `${key}_guardian`,
          {
            member_id: ref(key),
            partner_id: name === 'Zoé Martin' ? ref('base.demo_portal_partner') : ref(`${key}_parent`),
            relation: (['mother', 'father'] as const)[index % 2] ?? 'guardian',
            // One family has consented to showing the full name.
            consent_name: name === 'Noah Mercier',
          },
        ]),
    ),
  ),
);

const teams = data(Team, async (ctx: Ctx) => {
  const ownCrest = await picture(ctx, `crest-${homeClub.key}`);
  const crests = new Map<string, FileRef>();
  for (const { key } of opponents) crests.set(key, await picture(ctx, `crest-${key}`));
  const rows = leagues.flatMap((league, order) => [
    [
      `demo_${league.squad}`,
      {
        name: `${homeClub.name} ${league.suffix}`,
        image: ownCrest,
        category_id: ref(league.category),
        is_ours: true,
        website_published: true,
        sequence: order + 1,
        venue_id: ref('demo_home'),
        training: text(league.training),
        description: { en_US: `<p>${league.about[0]}</p>`, fr_FR: `<p>${league.about[1]}</p>` },
        coach_id: ref(players.find(({ name }) => name === league.coach)?.key ?? ''),
        member_ids: players.filter(({ squad }) => squad === league.squad).map(({ key }) => ref(key)),
      },
    ],
    ...opponents.map(({ key, name }) => [
      `demo_${league.squad}_${key}`,
      {
        name: league.squad === 'seniors' ? name : `${name} ${league.suffix}`,
        image: crests.get(key) ?? null,
        category_id: ref(league.category),
        sequence: 50,
      },
    ]),
  ]);
  return Object.fromEntries(rows);
});

const competitions = data(Competition, {
  ...Object.fromEntries(
    leagues.map(({ squad, category, name }) => [
      `demo_league_${squad}`,
      {
        name: text(name),
        season_id: ref('demo_season'),
        category_id: ref(category),
        team_ids: [ref(`demo_${squad}`), ...opponents.map(({ key }) => ref(`demo_${squad}_${key}`))],
      },
    ]),
  ),
  demo_cup: { name: text(['District cup', 'Coupe du district']), season_id: ref('demo_season'), has_standings: false },
});

const adjustments = data(CompetitionAdjustment, async (ctx: Ctx) => ({
  demo_point_taken: {
    competition_id: ref('demo_league_seniors'),
    team_id: ref('demo_seniors_saintaubin'),
    points: -1,
    reason: text([
      'A player without a licence in round 2, decided by the district.',
      'Joueur non licencié en 2e journée, décision du district.',
    ]),
    date: plusDays(ctx.today(), -20),
  },
}));

/** Lets the demo account `editor` manage the wall and enter results. */
const editor = data(User, {
  'base.demo_editor': {
    group_ids: [{ link: ref('dribblo.group_public_wall_manager') }, { link: ref('dribblo.group_score_keeper') }],
  },
});

/** Social media account of the club, for its feed and the snippet data. */
const website = data(Website, { 'website.default_website': { social_twitter: 'https://x.com/asvalfleuri' } });

export default [website, season, venues, contacts, members, guardians, teams, competitions, adjustments, editor];
