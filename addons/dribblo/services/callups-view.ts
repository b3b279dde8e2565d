import type { Ctx, Id, Ids } from '#core';
import { Convocation } from '../models/club-convocation.ts';
import { Match } from '../models/club-match.ts';
import { MATCH_LENGTH, type MatchView, matchViews } from './match-view.ts';

/** A call-up as everybody sees it: who is called, never what they answered. */
export interface CallUpView {
  readonly team: string;
  readonly match: MatchView;
  readonly meeting: Date | null;
  readonly place: string;
  readonly note: string;
  readonly players: readonly { readonly name: string; readonly number: number | null }[];
  readonly count: number;
}

/** The published call-ups of some teams for the matches to come, the nearest first; of all matches when `match` names one. */
export async function callUps(ctx: Ctx, about: { teams?: Ids; match?: Id }): Promise<CallUpView[]> {
  const matches = await coming(ctx, about.match);
  // Visitors read which call-ups are published; their lines and members are read for them, and only public names leave here.
  const rows = await ctx
    .sudo()
    .model(Convocation)
    .find(
      [
        ['website_published', '=', true],
        ['match_id', 'in', [...matches.keys()]],
        ...(about.teams ? ([['team_id', 'in', about.teams]] as const) : []),
      ],
      {
        select: {
          match_id: true,
          team_id: { name: true },
          meeting_datetime: true,
          meeting_place: true,
          note: true,
          line_ids: { member_id: { public_name: true, number: true } },
        },
      },
    );
  return rows
    .flatMap((row) => {
      const match = matches.get(row.match_id);
      if (!match) return [];
      const players = row.line_ids
        .flatMap(({ member_id }) =>
          member_id ? [{ name: member_id.public_name ?? '', number: member_id.number }] : [],
        )
        .sort((a, b) => (a.number ?? 100) - (b.number ?? 100) || a.name.localeCompare(b.name));
      return [
        {
          team: row.team_id?.name ?? '',
          match,
          meeting: row.meeting_datetime,
          place: row.meeting_place ?? '',
          note: row.note ?? '',
          players,
          count: players.length,
        },
      ];
    })
    .sort((a, b) => a.match.start.getTime() - b.match.start.getTime());
}

async function coming(ctx: Ctx, match: Id | undefined): Promise<Map<Id, MatchView>> {
  const views = await matchViews(
    ctx,
    match === undefined
      ? [
          ['state', '=', 'planned'],
          ['start_datetime', '>', ctx.now().plus(-MATCH_LENGTH)],
          ['convocation_ids.website_published', '=', true],
        ]
      : [['id', '=', match]],
    { limit: 50 },
  );
  return new Map(views.map((view) => [view.id, view]));
}

/** Whether there is such a match at all, by its number. */
export async function matchByNumber(ctx: Ctx, mnbr: number): Promise<Id | null> {
  const [id] = await ctx.model(Match).search([['mnbr', '=', mnbr]], { limit: 1 });
  return id ?? null;
}
