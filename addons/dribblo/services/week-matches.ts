import { type Ctx, type Domain, type FieldsOf, type Id, type Ids, NotFound } from '#core';
import { Convocation } from '../models/club-convocation.ts';
import type { Match } from '../models/club-match.ts';
import { type MatchRow, matchOnTheWire, readMatches, viewOf } from './match-view.ts';
import { playedBy, requireTeams, teamsOfCategory, teamsOrOurs } from './teams.ts';
import { type Week, weekAt, weekLabel } from './week.ts';

/** Which matches of a week somebody wants to see. */
export interface WeekQuestion {
  readonly week: number;
  /** One team … */
  readonly team?: Id | null;
  /** … or several; all of ours when neither is given. */
  readonly teams?: Ids;
  /** Only matches to which this member is called up. */
  readonly player?: Id | null;
  /** Only matches of our teams of this category. */
  readonly category?: Id | null;
}

export interface WeekMatches {
  readonly week: Week;
  readonly rows: readonly MatchRow[];
}

/** The matches of a week in the order of their kick-offs. */
export async function weekMatches(ctx: Ctx, question: WeekQuestion): Promise<WeekMatches> {
  const week = await weekAt(ctx, question.week);
  const teams = await teamsAsked(ctx, question);
  const domain: Domain<FieldsOf<Match>> = [
    ['start_datetime', '>=', week.from],
    ['start_datetime', '<', week.to],
    ...playedBy(teams),
    ...(question.player ? ([['id', 'in', await matchesOf(ctx, question.player)]] as const) : []),
  ];
  return { week, rows: await readMatches(ctx, domain) };
}

/** A week in the calls' words. */
export function weekOnTheWire({ week, rows }: WeekMatches) {
  return { week: weekLabel(week), matchs: rows.map(matchOnTheWire) };
}

/** A week for the page of matches, with the ways to the weeks around it; these keep what the page is narrowed to. */
export function weekView(ctx: Ctx, { week, rows }: WeekMatches, keep: Kept) {
  const turned = (offset: number) => ({ ...keep, week: offset });
  return {
    week,
    matches: rows.map((row) => viewOf(ctx, row)),
    previous: turned(week.offset - 1),
    next: turned(week.offset + 1),
    present: week.offset === 0 ? null : turned(0),
  };
}

/** What the page of matches is narrowed to, as its address says it. */
export interface Kept {
  readonly team?: Id | null;
  readonly categ?: Id | null;
  readonly player?: Id | null;
  readonly name?: string;
}

async function teamsAsked(ctx: Ctx, { team, teams = [], category }: WeekQuestion): Promise<Ids> {
  const named = team ? [team, ...teams] : teams;
  if (!category) return teamsOrOurs(ctx, named);
  await requireTeams(ctx, named);
  const ofCategory = await teamsOfCategory(ctx, category);
  return named.length === 0 ? ofCategory : ofCategory.filter((id) => named.includes(id));
}

/**
 * The matches a member is called up for, in what everybody may see.
 *
 * @throws NotFound for a member who is on no published call-up: whether there is such a member is nobody's business.
 */
async function matchesOf(ctx: Ctx, player: Id): Promise<Id[]> {
  // Who is called up is shown to everybody once the call-up is published; the members themselves are not.
  const rows = await ctx
    .sudo()
    .model(Convocation)
    .find(
      [
        ['website_published', '=', true],
        ['line_ids.member_id', '=', player],
      ],
      { select: { match_id: true } },
    );
  if (rows.length === 0) throw new NotFound('There is no such player.', { code: 'dribblo.no_player' });
  return rows.map(({ match_id }) => match_id);
}
