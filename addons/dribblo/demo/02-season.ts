import { type Ctx, data, momentAt, mondayOf, plusDays, ref } from 'pergola';
import { Convocation } from '../models/club-convocation.ts';
import { Match } from '../models/club-match.ts';
import { MATCH_LENGTH } from '../services/matches.ts';
import { goalsOf, type League, leagues, opponents, rounds } from './club/leagues.ts';
import { keyOf, squads } from './club/people.ts';

/** Index of the current week's round: the season is past its midpoint. */
const PRESENT = 6;

const placeOf = (league: League, place: number): string =>
  place === 0 ? `demo_${league.squad}` : `demo_${league.squad}_${opponents[place - 1]?.key}`;

/** Weekly rounds of each league, with results for past matches. */
const matches = data(Match, async (ctx: Ctx) => {
  const monday = mondayOf(ctx.today());
  const rows = leagues.flatMap((league, number) =>
    rounds.flatMap((round, week) =>
      round.map(([home, away], index) => {
        const start = momentAt(plusDays(monday, (week - PRESENT) * 7 + league.day), league.time, ctx.siteTimezone);
        const seed = number * 100 + week * 10 + index;
        return [
          `demo_${league.squad}_${week + 1}_${index + 1}`,
          {
            mnbr: 1000 + seed,
            ...matchFields(league, week, home, away),
            start_datetime: start,
            ...resultOf(ctx, start, seed),
          },
        ] as const;
      }),
    ),
  );
  return Object.fromEntries([...rows, ...cup(monday, ctx.siteTimezone)]);
});

function matchFields(league: League, week: number, home: number, away: number) {
  return {
    receiver_id: ref(placeOf(league, home)),
    visitor_id: ref(placeOf(league, away)),
    competition_id: ref(`demo_league_${league.squad}`),
    compet_phase: { en_US: `Matchday ${week + 1}`, fr_FR: `Journée ${week + 1}` },
    venue_id: home === 0 ? ref('demo_home') : opponents[home - 1]?.key === 'bellerive' ? ref('demo_turf') : null,
  };
}

/** Results of past matches; one match was postponed, one forfeited. */
function resultOf(ctx: Ctx, start: Date, seed: number) {
  if (start.getTime() + MATCH_LENGTH > ctx.now().getTime()) return {};
  if (seed === 41) return { state: 'postponed' as const };
  if (seed === 232)
    return { state: 'forfeit' as const, forfeit_by: 'visitor' as const, receiver_res: 3, visitor_res: 0, is_res: true };
  const [receiver_res, visitor_res] = goalsOf(seed + 7);
  return { receiver_res, visitor_res, is_res: true, state: 'played' as const };
}

function cup(monday: string, timezone: string) {
  const cupFields = { competition_id: ref('demo_cup'), venue_id: ref('demo_home') };
  const last = momentAt(plusDays(monday, -5), '19:30', timezone);
  const next = momentAt(plusDays(monday, 16), '19:30', timezone);
  return [
    [
      'demo_cup_1',
      {
        mnbr: 2001,
        ...cupFields,
        compet_phase: { en_US: 'Round of 16', fr_FR: 'Huitième de finale' },
        receiver_id: ref('demo_seniors'),
        visitor_id: ref('demo_seniors_lavalette'),
        start_datetime: last,
        receiver_res: 1,
        visitor_res: 1,
        is_res: true,
        is_shot: true,
        receiver_shot: 5,
        visitor_shot: 4,
        state: 'played' as const,
      },
    ],
    [
      'demo_cup_2',
      {
        mnbr: 2002,
        ...cupFields,
        compet_phase: { en_US: 'Quarter-final', fr_FR: 'Quart de finale' },
        receiver_id: ref('demo_seniors'),
        visitor_id: ref('demo_seniors_moreuil'),
        start_datetime: next,
      },
    ],
  ] as const;
}

/** Call-ups for each team's next match, with some answers. */
const callUps = data(Convocation, async (ctx: Ctx) => {
  const monday = mondayOf(ctx.today());
  return Object.fromEntries(
    leagues.map((league) => {
      const present = momentAt(plusDays(monday, league.day), league.time, ctx.siteTimezone);
      const hasBegun = present.getTime() <= ctx.now().getTime();
      const week = hasBegun ? PRESENT + 1 : PRESENT;
      const index = rounds[week]?.findIndex((pair) => pair.includes(0)) ?? 0;
      const start = hasBegun ? momentAt(plusDays(monday, 7 + league.day), league.time, ctx.siteTimezone) : present;
      return [
        `demo_callup_${league.squad}`,
        {
          match_id: ref(`demo_${league.squad}_${week + 1}_${index + 1}`),
          team_id: ref(`demo_${league.squad}`),
          meeting_datetime: new Date(start.getTime() - 75 * 60_000),
          meeting_place: { en_US: 'Club house', fr_FR: 'Club-house' },
          note: {
            en_US: 'Shin pads, a bottle of water, and the green shirt.',
            fr_FR: 'Protège-tibias, une bouteille d’eau et le maillot vert.',
          },
          website_published: true,
          line_ids: squads[league.squad].slice(0, 11).map((name, place) => ({
            create: {
              member_id: ref(keyOf(league.squad, name)),
              answer: (['yes', 'yes', 'none', 'yes', 'no'] as const)[place % 5] ?? 'none',
            },
          })),
        },
      ];
    }),
  );
});

export default [matches, callUps];
