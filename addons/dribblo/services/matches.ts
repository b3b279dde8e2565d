import type { Ctx, Domain, FieldsOf, Id, Ids } from 'pergola';
import { app, kept, NotFound, service } from 'pergola';
import type { FindOptions } from 'pergola/orm';
import { Convocation } from '../models/club-convocation.ts';
import { Match, playedBy } from '../models/club-match.ts';
import { Team, teamImage } from '../models/club-team.ts';
import { t } from '../texts.ts';
import { type Week, weekAt, weekLabel } from './week.ts';

/** Milliseconds after kick-off during which a match counts as in progress. */
export const MATCH_LENGTH = 2 * 3600_000;

/** Match fields for display. */
const matchSelect = {
  mnbr: true,
  compet_phase: true,
  start_datetime: true,
  state: true,
  forfeit_by: true,
  receiver_id: true,
  visitor_id: true,
  receiver_res: true,
  visitor_res: true,
  is_res: true,
  is_shot: true,
  receiver_shot: true,
  visitor_shot: true,
  venue_id: { name: true, city: true },
  competition_id: { name: true },
} as const;

/** Team data shown with matches. */
export const shownTeams = kept('dribblo.shown_teams', async (ctx, ids: Ids) => {
  const rows = await ctx.model(Team).read(ids, {
    select: { name: true, image: true, is_ours: true, website_published: true, website_url: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Upcoming matches of some teams, in one language. */
export const nextMatches = kept(
  'dribblo.next_matches',
  (ctx, lang: string, teams: Ids, nbr: number, next: number): Promise<MatchRow[]> => {
    const since = ctx.now().plus(-MATCH_LENGTH);
    return ctx
      .as({ lang })
      .get(Matches)
      .find([['state', '=', 'planned'], ['start_datetime', '>', since], ...playedBy(teams)], {
        limit: nbr,
        offset: next,
      });
  },
);

export type MatchRow = Awaited<ReturnType<Matches['find']>>[number];

/** A team for display. */
interface TeamView {
  readonly id: Id;
  readonly name: string;
  readonly image: string;
  readonly ours: boolean;
  /** Path of its page; empty without a page. */
  readonly href: string;
}

/** A match for display. */
export interface MatchView {
  readonly id: Id;
  readonly mnbr: number;
  readonly href: string;
  readonly phase: string;
  readonly competition: string;
  readonly start: Date;
  readonly venue: string;
  readonly city: string;
  readonly receiver: TeamView;
  readonly visitor: TeamView;
  readonly state: MatchRow['state'];
  readonly stateLabel: string;
  /** Whether it hasn't kicked off yet. */
  readonly isComing: boolean;
  readonly isUnderWay: boolean;
  readonly postponed: boolean;
  readonly cancelled: boolean;
  readonly hasResult: boolean;
  readonly receiverGoals: number | null;
  readonly visitorGoals: number | null;
  readonly isShot: boolean;
  readonly receiverShots: number | null;
  readonly visitorShots: number | null;
  /** Result for the club's team; empty without a result, or unless exactly one team belongs to the club. */
  readonly outcome: 'won' | 'lost' | 'drawn' | '';
  readonly outcomeLabel: string;
  /** Winning side; empty after a draw or without a result. */
  readonly winner: 'receiver' | 'visitor' | '';
}

/** Limit and offset of a list of matches. */
export interface Portion {
  readonly nbr: number;
  readonly next: number;
}

/** A team with its last and next matches. */
export interface TeamMatches {
  readonly id: Id;
  readonly name: string;
  readonly last: readonly MatchView[];
  readonly next: readonly MatchView[];
}

/** Filters for the matches of a week. */
export interface WeekQuery {
  readonly week: number;
  /** Single team. */
  readonly team?: Id | null;
  /** Several teams; defaults to all own teams if `team` is missing as well. */
  readonly teams?: Ids;
  /** Limits the list to matches this member is called up for. */
  readonly player?: Id | null;
  /** Limits the list to own teams of this category. */
  readonly category?: Id | null;
}

export interface WeekMatches {
  readonly week: Week;
  readonly rows: readonly MatchRow[];
}

/** Matches with their teams, for pages and calls. */
export class Matches extends service('dribblo.matches', { ctx: app.ctx }) {
  /**
   * Reads matches with display fields, using one query per relation. Includes the names of teams the visitor can't access, because they are
   * on the fixture list.
   */
  async find(domain: Domain<FieldsOf<Match>>, options: Omit<FindOptions<never>, 'select'> = {}) {
    // A published match shows both teams, even if one has no page.
    const system = this.ctx.sudo();
    const rows = await system.model(Match).find(domain, { ...options, select: matchSelect });
    const teams = await shownTeams.get(
      system,
      rows.flatMap(({ receiver_id, visitor_id }) => [receiver_id, visitor_id]),
    );
    return rows.map(({ receiver_id, visitor_id, ...row }) => ({
      ...row,
      receiver_id: teams.get(receiver_id) ?? null,
      visitor_id: teams.get(visitor_id) ?? null,
      phase: row.state === 'planned' && !row.is_res ? this.#phase(row.start_datetime) : null,
    }));
  }

  /** Matches of a domain, ready for templates. */
  async views(domain: Domain<FieldsOf<Match>>, options: Omit<FindOptions<never>, 'select'> = {}): Promise<MatchView[]> {
    return (await this.find(domain, options)).map((row) => this.view(row));
  }

  /** Prepares one match for templates. */
  view(row: MatchRow): MatchView {
    const outcome = outcomeOf(row);
    return {
      id: row.id,
      mnbr: row.mnbr,
      href: `/matchs/${row.mnbr}`,
      phase: row.compet_phase ?? '',
      competition: row.competition_id?.name ?? '',
      start: row.start_datetime,
      venue: row.venue_id?.name ?? '',
      city: row.venue_id?.city ?? '',
      receiver: teamView(row.receiver_id),
      visitor: teamView(row.visitor_id),
      state: row.state,
      stateLabel: stateLabel(this.ctx, row),
      isComing: row.phase === 'coming',
      isUnderWay: row.phase === 'under way',
      postponed: row.state === 'postponed',
      cancelled: row.state === 'cancelled',
      hasResult: row.is_res,
      receiverGoals: row.receiver_res,
      visitorGoals: row.visitor_res,
      isShot: row.is_shot,
      receiverShots: row.receiver_shot,
      visitorShots: row.visitor_shot,
      outcome,
      outcomeLabel: outcome === '' ? '' : outcomeLabel(this.ctx, outcome),
      winner: winnerOf(row),
    };
  }

  /**
   * Finds a match by its number.
   *
   * @throws NotFound if it doesn't exist
   */
  async byNumber(mnbr: number): Promise<MatchView> {
    const [match] = await this.views([['mnbr', '=', mnbr]], { limit: 1 });
    if (!match) throw new NotFound('We can’t find that match.', { code: 'dribblo.no_match' });
    return match;
  }

  /** Upcoming matches of some teams, soonest first, including matches in progress. */
  async next(teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
    const rows = await nextMatches.get(this.ctx.sudo(), this.ctx.lang, teams, nbr, next);
    return rows.map((row) => this.view(row));
  }

  /** Results of some teams, newest first. */
  last(teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
    return this.views([['is_res', '=', true], ...playedBy(teams)], {
      order: 'start_datetime desc, mnbr desc',
      limit: nbr,
      offset: next,
    });
  }

  /** Matches of a week by kick-off time. */
  async week(question: WeekQuery): Promise<WeekMatches> {
    const week = await weekAt(this.ctx, question.week);
    const teams = await this.#teams(question);
    const domain: Domain<FieldsOf<Match>> = [
      ['start_datetime', '>=', week.from],
      ['start_datetime', '<', week.to],
      ...playedBy(teams),
      ...(question.player ? ([['id', 'in', await this.#calledUp(question.player)]] as const) : []),
    ];
    return { week, rows: await this.find(domain) };
  }

  /** Phase of a match without a result: not started, in progress, or overdue. */
  #phase(start: Date): 'coming' | 'under way' | 'awaited' {
    if (!this.ctx.isPast(start)) return 'coming';
    return this.ctx.isPast(endOf({ start })) ? 'awaited' : 'under way';
  }

  async #teams({ team, teams = [], category }: WeekQuery): Promise<Ids> {
    const teamModel = this.ctx.model(Team);
    const teamIds = team ? [team, ...teams] : teams;
    if (!category) return teamModel.namedOrOurs(teamIds);
    await teamModel.requireNamed(teamIds);
    const ofCategory = await teamModel.ofCategory(category);
    return teamIds.length === 0 ? ofCategory : ofCategory.filter((id) => teamIds.includes(id));
  }

  /**
   * IDs of the matches a member is called up for, based on public data.
   *
   * @throws NotFound unless the member is on a published call-up, so members can't be probed
   */
  async #calledUp(player: Id): Promise<Id[]> {
    // Published call-ups are public; the members themselves are not.
    const rows = await this.ctx
      .sudo()
      .model(Convocation)
      .find(
        [
          ['website_published', '=', true],
          ['line_ids.member_id', '=', player],
        ],
        { select: { match_id: true } },
      );
    if (rows.length === 0) throw new NotFound('We can’t find that player.', { code: 'dribblo.no_player' });
    return rows.map(({ match_id }) => match_id);
  }
}

/** Expected end of a match. */
export function endOf({ start }: Pick<MatchView, 'start'>): Date {
  return new Date(start.getTime() + MATCH_LENGTH);
}

function teamView(team: MatchRow['receiver_id']): TeamView {
  if (!team) return { id: 0, name: '?', image: teamImage(null), ours: false, href: '' };
  const { id, name, is_ours, website_published, website_url } = team;
  return { id, name, image: teamImage(team), ours: is_ours, href: website_published ? (website_url ?? '') : '' };
}

function stateLabel(ctx: Ctx, { state, phase, forfeit_by, receiver_id, visitor_id }: MatchRow): string {
  if (phase === 'under way') return t(ctx, 'In progress');
  if (phase === 'awaited') return t(ctx, 'Awaiting result');
  if (state === 'postponed') return t(ctx, 'Postponed');
  if (state === 'cancelled') return t(ctx, 'Cancelled');
  if (state !== 'forfeit') return '';
  const name = (forfeit_by === 'visitor' ? visitor_id : receiver_id)?.name ?? '';
  return t(ctx, 'Forfeit by {team}', { team: name });
}

function winnerOf({ is_res, is_shot, ...row }: MatchRow): MatchView['winner'] {
  const goals = (row.receiver_res ?? 0) - (row.visitor_res ?? 0);
  const difference = goals === 0 && is_shot ? (row.receiver_shot ?? 0) - (row.visitor_shot ?? 0) : goals;
  if (!is_res || difference === 0) return '';
  return difference > 0 ? 'receiver' : 'visitor';
}

function outcomeOf(row: MatchRow): MatchView['outcome'] {
  const home = row.receiver_id?.is_ours ?? false;
  if (!row.is_res || home === (row.visitor_id?.is_ours ?? false)) return '';
  const winner = winnerOf(row);
  if (winner === '') return 'drawn';
  return (winner === 'receiver') === home ? 'won' : 'lost';
}

function outcomeLabel(ctx: Ctx, outcome: 'won' | 'lost' | 'drawn'): string {
  if (outcome === 'won') return t(ctx, 'Won');
  return outcome === 'lost' ? t(ctx, 'Lost') : t(ctx, 'Drawn');
}

/** A match as JSON for calls. Times are in UTC. */
function matchToJson(row: MatchRow) {
  const team = (side: MatchRow['receiver_id']) => ({ team_name: side?.name ?? '', team_image: teamImage(side) });
  return {
    mnbr: row.mnbr,
    compet_phase: row.compet_phase ?? '',
    start_datetime: row.start_datetime.toISOString().slice(0, 19).replace('T', ' '),
    receiver: team(row.receiver_id),
    visitor: team(row.visitor_id),
    receiver_res: row.receiver_res,
    visitor_res: row.visitor_res,
    is_res: row.is_res,
    is_shot: row.is_shot,
    receiver_shot: row.receiver_shot,
    visitor_shot: row.visitor_shot,
  };
}

/** A week as JSON for calls. */
export function weekToJson({ week, rows }: WeekMatches) {
  return { week: weekLabel(week), matchs: rows.map(matchToJson) };
}
