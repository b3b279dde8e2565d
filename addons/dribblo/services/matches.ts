import type { Ctx, Domain, FieldsOf, Id, Ids } from 'pergola';
import { app, kept, NotFound, service } from 'pergola';
import type { FindOptions } from 'pergola/orm';
import { Convocation } from '../models/club-convocation.ts';
import { Match, playedBy } from '../models/club-match.ts';
import { Team, teamImage } from '../models/club-team.ts';
import { t } from '../texts.ts';
import { type Week, weekAt, weekLabel } from './week.ts';

/** A match is under way until so long after its kick-off, in milliseconds. */
export const MATCH_LENGTH = 2 * 3600_000;

/** What is read of a match wherever one is shown. */
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

/** What is shown of the teams of matches. */
export const shownTeams = kept('dribblo.shown_teams', async (ctx, ids: Ids) => {
  const rows = await ctx.model(Team).read(ids, {
    select: { name: true, image: true, is_ours: true, website_published: true, website_url: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
});

/** The matches to come of some teams, as texts of a language. */
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

/** A team as pages show it. */
interface TeamView {
  readonly id: Id;
  readonly name: string;
  readonly image: string;
  readonly ours: boolean;
  /** Its page; empty where it has none. */
  readonly href: string;
}

/** A match as pages show it. */
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
  /** Whether its kick-off is still ahead. */
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
  /** `won`, `lost` or `drawn` for our team, where exactly one of the two is ours and there is a result. */
  readonly outcome: 'won' | 'lost' | 'drawn' | '';
  readonly outcomeLabel: string;
  /** Who won; empty after a draw, and without a result. */
  readonly winner: 'receiver' | 'visitor' | '';
}

/** How many matches, and how many to skip before them. */
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

/** Which matches of a week somebody wants to see. */
export interface WeekQuery {
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

/** Matches with their teams, as pages and calls show them. */
export class Matches extends service('dribblo.matches', { ctx: app.ctx }) {
  /** Matches with what pages show of them, in one read per relation. Teams a visitor may not see are named all the same: they are on the fixture list. */
  async find(domain: Domain<FieldsOf<Match>>, options: Omit<FindOptions<never>, 'select'> = {}) {
    // A published match names both teams, also one that has no page of its own.
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

  /** The matches of a domain, ready for templates. */
  async views(domain: Domain<FieldsOf<Match>>, options: Omit<FindOptions<never>, 'select'> = {}): Promise<MatchView[]> {
    return (await this.find(domain, options)).map((row) => this.view(row));
  }

  /** One match, ready for templates. */
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

  /** A match by its number. Throws NotFound. */
  async byNumber(mnbr: number): Promise<MatchView> {
    const [match] = await this.views([['mnbr', '=', mnbr]], { limit: 1 });
    if (!match) throw new NotFound('There is no such match.', { code: 'dribblo.no_match' });
    return match;
  }

  /** The matches to come of some teams, the nearest first; one that is being played counts. */
  async next(teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
    const rows = await nextMatches.get(this.ctx.sudo(), this.ctx.lang, teams, nbr, next);
    return rows.map((row) => this.view(row));
  }

  /** The latest results of some teams, the newest first. */
  last(teams: Ids, { nbr, next }: Portion): Promise<MatchView[]> {
    return this.views([['is_res', '=', true], ...playedBy(teams)], {
      order: 'start_datetime desc, mnbr desc',
      limit: nbr,
      offset: next,
    });
  }

  /** The matches of a week in the order of their kick-offs. */
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

  /** How far a match without a result is: whether it has begun, and should be over. */
  #phase(start: Date): 'coming' | 'under way' | 'awaited' {
    if (!this.ctx.isPast(start)) return 'coming';
    return this.ctx.isPast(endOf({ start })) ? 'awaited' : 'under way';
  }

  async #teams({ team, teams = [], category }: WeekQuery): Promise<Ids> {
    const own = this.ctx.model(Team);
    const named = team ? [team, ...teams] : teams;
    if (!category) return own.namedOrOurs(named);
    await own.requireNamed(named);
    const ofCategory = await own.ofCategory(category);
    return named.length === 0 ? ofCategory : ofCategory.filter((id) => named.includes(id));
  }

  /**
   * The matches a member is called up for, in what everybody may see.
   *
   * @throws NotFound for a member who is on no published call-up: whether there is such a member is nobody's business.
   */
  async #calledUp(player: Id): Promise<Id[]> {
    // Who is called up is shown to everybody once the call-up is published; the members themselves are not.
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
    if (rows.length === 0) throw new NotFound('There is no such player.', { code: 'dribblo.no_player' });
    return rows.map(({ match_id }) => match_id);
  }
}

/** When a match should be over. */
export function endOf({ start }: Pick<MatchView, 'start'>): Date {
  return new Date(start.getTime() + MATCH_LENGTH);
}

function teamView(team: MatchRow['receiver_id']): TeamView {
  if (!team) return { id: 0, name: '?', image: teamImage(null), ours: false, href: '' };
  const { id, name, is_ours, website_published, website_url } = team;
  return { id, name, image: teamImage(team), ours: is_ours, href: website_published ? (website_url ?? '') : '' };
}

function stateLabel(ctx: Ctx, { state, phase, forfeit_by, receiver_id, visitor_id }: MatchRow): string {
  if (phase === 'under way') return t(ctx, 'Under way');
  if (phase === 'awaited') return t(ctx, 'Result awaited');
  if (state === 'postponed') return t(ctx, 'Postponed');
  if (state === 'cancelled') return t(ctx, 'Cancelled');
  if (state !== 'forfeit') return '';
  const name = (forfeit_by === 'visitor' ? visitor_id : receiver_id)?.name ?? '';
  return t(ctx, 'Forfeit of {team}', { team: name });
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

/** A match as the calls answer it. Times are UTC. */
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

/** A week in the calls' words. */
export function weekToJson({ week, rows }: WeekMatches) {
  return { week: weekLabel(week), matchs: rows.map(matchToJson) };
}
