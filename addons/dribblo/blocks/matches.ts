import { block, type Ctx, type Id, type Ids, z } from 'pergola';
import { Team } from '../models/club-team.ts';
import { amount, recordList, recordNumber } from '../routes/inputs.ts';
import { Matches, type Portion, type TeamMatches } from '../services/matches.ts';
import { mark } from '../texts.ts';
import { countdownToMatch } from './countdown.ts';
import { entry, markupRoute, NEXT_DEFAULTS, ownTeamsDomain, type Piece, type Refresh } from './kit.ts';

/** Default number of matches per team and direction, by type of list. */
const LIST_DEFAULTS = { eight: 4, ten: 5, six: 3, four: 2, lastNext: 1 } as const;
/** Maximum number of matches per list, and of teams per list. */
const MAX_ITEMS = 20;

const nbr = (fallback: number) => amount(fallback, MAX_ITEMS, 1);
const skipped = amount(NEXT_DEFAULTS.next, 500);

/** Team option of blocks: 0 selects the first own team, an empty value all own teams. */
const team = z
  .number()
  .int()
  .min(0)
  .default(0)
  .meta({ title: mark('Team'), records: 'club.team', where: ownTeamsDomain, none: mark('Our first team') });
const teams = z
  .array(z.number().int().positive())
  .max(MAX_ITEMS)
  .default([])
  .meta({
    title: mark('Teams'),
    records: 'club.team',
    where: ownTeamsDomain,
    none: mark('Leave empty for all our teams'),
  });
const matchCount = (fallback: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(MAX_ITEMS)
    .default(fallback)
    .meta({ title: mark('Number of matches') });
const skip = z
  .number()
  .int()
  .min(0)
  .max(500)
  .default(0)
  .meta({ title: mark('Matches to skip') });

async function teamOf(ctx: Ctx, id: Id): Promise<Id | null> {
  if (id === 0) return (await ctx.model(Team).ours())[0] ?? null;
  await ctx.model(Team).requireNamed([id]);
  return id;
}

const withCountdown = z
  .boolean()
  .default(false)
  .meta({ title: mark('Show a countdown') });

async function nextOfTeam(ctx: Ctx, id: Id | null, path: string, countdown: boolean) {
  const team = (await ctx.model(Team).oursByName()).find((ownTeam) => ownTeam.id === id);
  const matches = id === null ? [] : await ctx.get(Matches).next([id], NEXT_DEFAULTS);
  const match = matches[0] ?? null;
  const refresh: Refresh = { path, params: { team: id, countdown } };
  return { team: team?.name ?? '', match, countdown: countdown ? countdownToMatch(ctx, match) : null, refresh };
}

async function nextOfTeams(ctx: Ctx, teams: Ids, portion: Portion) {
  const ids = await ctx.model(Team).namedOrOurs(teams);
  const refresh: Refresh = { path: '/matchs/get_next_for_teams', params: { teams, ...portion } };
  return { matches: await ctx.get(Matches).next(ids, portion), refresh };
}

async function lastOfTeams(ctx: Ctx, teams: Ids, nbr: number) {
  const ids = await ctx.model(Team).namedOrOurs(teams);
  const refresh: Refresh = { path: '/matchs/get_last_for_teams', params: { teams, nbr } };
  return { matches: await ctx.get(Matches).last(ids, { nbr, next: 0 }), refresh };
}

async function listOfTeams(ctx: Ctx, teams: Ids, portion: Portion) {
  const ids = (await ctx.model(Team).namedOrOurs(teams)).slice(0, MAX_ITEMS);
  const names = new Map(
    (await ctx.model(Team).read(ids, { select: { name: true } })).map(({ id, name }) => [id, name]),
  );
  const matches = ctx.get(Matches);
  const groups: TeamMatches[] = [];
  for (const id of ids) {
    const [last, next] = [await matches.last([id], portion), await matches.next([id], portion)];
    groups.push({ id, name: names.get(id) ?? '', last, next });
  }
  const refresh: Refresh = { path: '/matchs/get_8_for_teams', params: { teams, ...portion } };
  return { groups, refresh };
}

const nextMatch = block('dribblo.next_match', {
  label: 'Next match of a team',
  options: z.object({ team, countdown: withCountdown }),
  template: 'dribblo.next_match',
  load: async (ctx, options) =>
    nextOfTeam(ctx, await teamOf(ctx, options.team), '/matchs/get_next_for_team', options.countdown),
});

const poster = block('dribblo.poster', {
  label: 'Match poster',
  options: z.object({ team, countdown: withCountdown }),
  template: 'dribblo.poster',
  load: async (ctx, options) =>
    nextOfTeam(ctx, await teamOf(ctx, options.team), '/matchs/get_poster', options.countdown),
});

const nextForTeams = block('dribblo.next_matches', {
  label: 'Next matches',
  options: z.object({ teams, next: skip, nbr: matchCount(NEXT_DEFAULTS.nbr) }),
  template: 'dribblo.next_matches',
  load: (ctx, options) => nextOfTeams(ctx, options.teams, options),
});

const lastForTeams = block('dribblo.last_results', {
  label: 'Last results',
  options: z.object({ teams, nbr: matchCount(LIST_DEFAULTS.eight) }),
  template: 'dribblo.last_results',
  load: (ctx, options) => lastOfTeams(ctx, options.teams, options.nbr),
});

const matchList = block('dribblo.match_list', {
  label: 'Last and next matches',
  options: z.object({ teams, nbr: matchCount(LIST_DEFAULTS.eight), next: skip }),
  template: 'dribblo.match_list',
  load: (ctx, options) => listOfTeams(ctx, options.teams, options),
});

const oneTeam = z.object({ team: recordNumber, countdown: z.boolean().default(false) });
const severalTeams = (fallback: number) => z.object({ teams: recordList, next: skipped, nbr: nbr(fallback) });

/** Upcoming matches and results: each is a block, and a call that returns its markup. */
export const matchPieces: Piece = {
  blocks: [nextMatch, poster, nextForTeams, lastForTeams, matchList],
  snippets: [
    entry('next_match', mark('Next match of a team')),
    entry('next_matches', mark('Next matches'), { nbr: 4 }),
    entry('last_results', mark('Last results')),
    entry('poster', mark('Match poster')),
    entry('match_list', mark('8 matches'), { nbr: LIST_DEFAULTS.eight }),
    entry('match_list_6', mark('6 matches'), { nbr: LIST_DEFAULTS.six }, 'match_list'),
    entry('match_list_10', mark('10 matches'), { nbr: LIST_DEFAULTS.ten }, 'match_list'),
    entry('match_list_4', mark('4 matches'), { nbr: LIST_DEFAULTS.four }, 'match_list'),
    entry('last_next', mark('Last and next match'), { nbr: LIST_DEFAULTS.lastNext }, 'match_list'),
  ],
  routes: [
    markupRoute(
      '/matchs/get_next_for_team',
      { name: 'dribblo.next_for_team', input: oneTeam, template: 'dribblo.next_match' },
      async (ctx, input) =>
        nextOfTeam(ctx, await teamOf(ctx, input.team), '/matchs/get_next_for_team', input.countdown),
    ),
    markupRoute(
      '/matchs/get_poster',
      { name: 'dribblo.get_poster', input: oneTeam, template: 'dribblo.poster' },
      async (ctx, input) => nextOfTeam(ctx, await teamOf(ctx, input.team), '/matchs/get_poster', input.countdown),
    ),
    markupRoute(
      '/matchs/get_next_for_teams',
      { name: 'dribblo.next_for_teams', input: severalTeams(NEXT_DEFAULTS.nbr), template: 'dribblo.next_matches' },
      (ctx, input) => nextOfTeams(ctx, input.teams, input),
    ),
    markupRoute(
      '/matchs/get_last_for_teams',
      {
        name: 'dribblo.last_for_teams',
        input: z.object({ teams: recordList, nbr: nbr(LIST_DEFAULTS.eight) }),
        template: 'dribblo.last_results',
      },
      (ctx, input) => lastOfTeams(ctx, input.teams, input.nbr),
    ),
    markupRoute(
      '/matchs/get_8_for_teams',
      { name: 'dribblo.eight_for_teams', input: severalTeams(LIST_DEFAULTS.eight), template: 'dribblo.match_list' },
      (ctx, input) => listOfTeams(ctx, input.teams, input),
    ),
  ],
};
