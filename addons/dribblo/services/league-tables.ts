import { app, type Ctx, type Id, NotFound, service } from 'pergola';
import { Competition } from '../models/club-competition.ts';
import { tieBreaks, usualTieBreaks } from '../models/club-competition-rule.ts';
import { Match } from '../models/club-match.ts';
import { teamImage } from '../models/club-team.ts';
import { plural, t } from '../texts.ts';
import { type Reason, type StandingRow, standings } from './standings.ts';

/** A points deduction or award, as text. */
interface StandingNote {
  readonly team: string;
  readonly points: string;
  readonly reason: string;
}

/** A row of a league table for display. */
interface StandingView extends Omit<StandingRow, 'reason'> {
  readonly image: string;
  readonly ours: boolean;
  readonly href: string;
  /** `+4` */
  readonly difference: string;
  /** Sentence explaining the team's rank. */
  readonly why: string;
  /** Points deducted from or awarded to the team. */
  readonly notes: readonly StandingNote[];
}

export interface StandingsView {
  readonly id: Id;
  readonly name: string;
  readonly season: string;
  /** Tie-breakers, in order. */
  readonly rules: string;
  readonly rows: readonly StandingView[];
  /** Notes of all teams, for the table footer. */
  readonly notes: readonly StandingNote[];
}

/** Current league tables. */
export class LeagueTables extends service('dribblo.league_tables', { ctx: app.ctx }) {
  /**
   * Returns the current table of a competition.
   *
   * @throws NotFound if the competition doesn't exist or has no table (a cup)
   */
  async of(competition: Id): Promise<StandingsView> {
    const competitionRow = await this.#read(competition);
    if (!competitionRow?.has_standings)
      throw new NotFound('We can’t find that competition.', { code: 'dribblo.no_competition' });
    const rules = competitionRow.rule_ids.length > 0 ? competitionRow.rule_ids.map(({ rule }) => rule) : usualTieBreaks;
    const points = {
      win: competitionRow.points_win ?? 3,
      draw: competitionRow.points_draw ?? 1,
      loss: competitionRow.points_loss ?? 0,
      forfeit: competitionRow.points_forfeit ?? 0,
    };
    const teams = new Map(competitionRow.team_ids.map((team) => [team.id, team]));
    const adjustments = competitionRow.adjustment_ids.map(({ team_id, ...adjustment }) => ({
      ...adjustment,
      team: team_id,
    }));
    const rows = standings(competitionRow.team_ids, await this.#played(competition), points, rules, adjustments);
    const notesOf = (id: Id): StandingNote[] =>
      adjustments
        .filter(({ team }) => team === id)
        .map((adjustment) => noteOf(this.ctx, teams.get(id)?.name ?? '', adjustment));
    return {
      id: competition,
      name: competitionRow.name,
      season: competitionRow.season_id?.name ?? '',
      rules: rules.map((rule) => t(this.ctx, tieBreaks[rule])).join(', '),
      rows: rows.map(({ reason, ...row }) => {
        const team = teams.get(row.id) ?? null;
        return {
          ...row,
          image: teamImage(team, 64),
          ours: team?.is_ours ?? false,
          href: team?.website_published ? (team.website_url ?? '') : '',
          difference: signed(row.goalsFor - row.goalsAgainst),
          why: sentenceOf(this.ctx, reason, reason.other === null ? '' : (teams.get(reason.other)?.name ?? '')),
          notes: notesOf(row.id),
        };
      }),
      notes: rows.flatMap(({ id }) => notesOf(id)),
    };
  }

  async #read(competition: Id) {
    // The table includes all teams of the league, even without a page here.
    return this.ctx
      .sudo()
      .model(Competition)
      .first([['id', '=', competition]], {
        select: {
          name: true,
          season_id: { name: true },
          has_standings: true,
          points_win: true,
          points_draw: true,
          points_loss: true,
          points_forfeit: true,
          rule_ids: { rule: true },
          adjustment_ids: { team_id: true, points: true, reason: true },
          team_ids: { name: true, image: true, is_ours: true, website_published: true, website_url: true },
        },
      });
  }

  async #played(competition: Id) {
    const rows = await this.ctx.model(Match).find(
      [
        ['competition_id', '=', competition],
        ['is_res', '=', true],
        ['state', 'in', ['played', 'forfeit']],
      ],
      { select: { receiver_id: true, visitor_id: true, receiver_res: true, visitor_res: true, forfeit_by: true } },
    );
    return rows.map(({ receiver_id, visitor_id, receiver_res, visitor_res, forfeit_by }) => ({
      home: receiver_id,
      away: visitor_id,
      homeGoals: receiver_res ?? 0,
      awayGoals: visitor_res ?? 0,
      forfeitBy: forfeit_by === null ? null : forfeit_by === 'receiver' ? receiver_id : visitor_id,
    }));
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0';
}

function noteOf(ctx: Ctx, team: string, { points, reason }: { points: number; reason: string }): StandingNote {
  const count = Math.abs(points);
  const words =
    points < 0
      ? plural(ctx, '{n} point deducted', '{n} points deducted', count)
      : plural(ctx, '{n} point added', '{n} points added', count);
  return { team, points: words, reason };
}

/** Explains a team's rank as text. */
function sentenceOf(ctx: Ctx, { rule, own: ownValue, theirs: otherValue }: Reason, otherName: string): string {
  if (rule === 'alone') return t(ctx, 'The only team.');
  if (rule === 'level') return t(ctx, 'Level with {other} on every rule.', { other: otherName });
  const params = {
    other: otherName,
    value: rule === 'goal_difference' ? signed(ownValue) : ownValue,
    otherValue: rule === 'goal_difference' ? signed(otherValue) : otherValue,
  };
  if (rule === 'points')
    return plural(
      ctx,
      '{n} point; {other} has {otherValue}.',
      '{n} points; {other} has {otherValue}.',
      ownValue,
      params,
    );
  if (rule === 'goal_difference') return t(ctx, 'Level with {other}; goal difference {value} to {otherValue}.', params);
  if (rule === 'goals_for') return t(ctx, 'Level with {other}; goals scored {value} to {otherValue}.', params);
  if (rule === 'goals_away') return t(ctx, 'Level with {other}; away goals {value} to {otherValue}.', params);
  if (rule === 'wins') return t(ctx, 'Level with {other}; matches won {value} to {otherValue}.', params);
  if (rule === 'direct') return t(ctx, 'Level with {other}; head-to-head {value} to {otherValue}.', params);
  return t(ctx, 'Level with {other} on all counts; sorted by name.', params);
}
