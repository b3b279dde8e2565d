import type { TieBreak } from '../models/club-competition-rule.ts';

/** A match with a result. */
export interface PlayedMatch {
  readonly home: number;
  readonly away: number;
  readonly homeGoals: number;
  readonly awayGoals: number;
  /** Team that forfeited. */
  readonly forfeitBy?: number | null;
}

export interface PointsRule {
  readonly win: number;
  readonly draw: number;
  readonly loss: number;
  readonly forfeit: number;
}

/** Points deducted (negative) or awarded in addition to match points. */
export interface Adjustment {
  readonly team: number;
  readonly points: number;
}

export interface Entrant {
  readonly id: number;
  readonly name: string;
}

/** Statistics of a team. */
interface Tally {
  played: number;
  won: number;
  drawn: number;
  lost: number;
  goalsFor: number;
  goalsAgainst: number;
  goalsAway: number;
  points: number;
  /** Points deducted or awarded outside of matches. */
  adjusted: number;
}

/** Tie-breaker that separates a team from its neighbour, with both values. */
export interface Reason {
  readonly rule: 'points' | TieBreak | 'level' | 'alone';
  /** Team it is compared with: the one above, or the one below for the leader. */
  readonly other: number | null;
  readonly own: number;
  readonly theirs: number;
}

export interface StandingRow extends Tally {
  readonly id: number;
  readonly name: string;
  readonly rank: number;
  readonly reason: Reason;
}

/**
 * Calculates a league table. Teams are ranked by points; ties are broken by the rules in order, each applied to the teams still level.
 * Teams level on all rules share a rank. Deductions and awards count in the table, but not in head-to-head comparisons. A shoot-out only
 * decides cup matches; in a league, the match remains a draw.
 */
export function standings(
  teams: readonly Entrant[],
  matches: readonly PlayedMatch[],
  points: PointsRule,
  rules: readonly TieBreak[],
  adjustments: readonly Adjustment[] = [],
): StandingRow[] {
  const teamIds = new Set(teams.map(({ id }) => id));
  const leagueMatches = matches.filter(({ home, away }) => teamIds.has(home) && teamIds.has(away));
  const tallies = tally([...teamIds], leagueMatches, points);
  for (const adjustment of adjustments) {
    const row = tallies.get(adjustment.team);
    if (!row) continue;
    row.adjusted += adjustment.points;
    row.points += adjustment.points;
  }
  const scale: Scale = {
    tallies,
    matches: leagueMatches,
    points,
    names: new Map(teams.map(({ id, name }) => [id, name])),
  };
  const groups = splitByRules([...teamIds], ['points', ...rules], scale);
  const places = groups.flatMap((group, index) => {
    const rank = 1 + groups.slice(0, index).reduce((sum, { length }) => sum + length, 0);
    const sorted = group.toSorted((a, b) => (scale.names.get(a) ?? '').localeCompare(scale.names.get(b) ?? ''));
    return sorted.map((id) => ({ id, rank }));
  });
  return places.map(({ id, rank }, index) => ({
    ...tallyOf(tallies, id),
    id,
    rank,
    name: scale.names.get(id) ?? '',
    reason: reasonFor(id, places[index === 0 ? 1 : index - 1]?.id ?? null, rules, scale),
  }));
}

type Rule = 'points' | TieBreak;
interface Scale {
  readonly tallies: ReadonlyMap<number, Tally>;
  readonly matches: readonly PlayedMatch[];
  readonly points: PointsRule;
  readonly names: ReadonlyMap<number, string>;
}

/** Splits teams into groups that are level on all rules, best first. */
function splitByRules(group: readonly number[], rules: readonly Rule[], scale: Scale): number[][] {
  const [rule, ...rest] = rules;
  if (group.length < 2 || rule === undefined) return group.length === 0 ? [] : [[...group]];
  const order = comparison(rule, group, scale);
  const sorted = group.toSorted(order);
  const levels: number[][] = [];
  for (const id of sorted) {
    const last = levels.at(-1);
    if (last?.[0] !== undefined && order(last[0], id) === 0) last.push(id);
    else levels.push([id]);
  }
  return levels.flatMap((level) => splitByRules(level, rest, scale));
}

function comparison(rule: Rule, group: readonly number[], scale: Scale): (a: number, b: number) => number {
  if (rule === 'name') return (a, b) => (scale.names.get(a) ?? '').localeCompare(scale.names.get(b) ?? '');
  const among = rule === 'direct' ? directTally(group, scale) : scale.tallies;
  return (a, b) => {
    const [tallyA, tallyB] = [tallyOf(among, a), tallyOf(among, b)];
    if (rule !== 'direct') return amountOf(rule, tallyB) - amountOf(rule, tallyA);
    return (
      tallyB.points - tallyA.points || difference(tallyB) - difference(tallyA) || tallyB.goalsFor - tallyA.goalsFor
    );
  };
}

function directTally(group: readonly number[], { matches, points }: Scale): ReadonlyMap<number, Tally> {
  const among = matches.filter(({ home, away }) => group.includes(home) && group.includes(away));
  return tally(group, among, points);
}

function amountOf(rule: Exclude<Rule, 'direct' | 'name'>, row: Tally): number {
  if (rule === 'goal_difference') return difference(row);
  if (rule === 'goals_for') return row.goalsFor;
  if (rule === 'wins') return row.won;
  return rule === 'goals_away' ? row.goalsAway : row.points;
}

const difference = ({ goalsFor, goalsAgainst }: Tally): number => goalsFor - goalsAgainst;

/** Finds the rule that separates a team from its neighbour, applying the rules to the same groups as the ranking. */
function reasonFor(id: number, neighbour: number | null, rules: readonly TieBreak[], scale: Scale): Reason {
  if (neighbour === null) return { rule: 'alone', other: neighbour, own: 0, theirs: 0 };
  let level: readonly number[] = [...scale.tallies.keys()];
  for (const rule of ['points', ...rules] as const) {
    const order = comparison(rule, level, scale);
    if (order(id, neighbour) !== 0) return { rule, other: neighbour, ...numbersFor(rule, id, neighbour, level, scale) };
    level = level.filter((teamId) => order(teamId, id) === 0);
  }
  return { rule: 'level', other: neighbour, own: 0, theirs: 0 };
}

function numbersFor(
  rule: Rule,
  id: number,
  neighbour: number,
  level: readonly number[],
  scale: Scale,
): Pick<Reason, 'own' | 'theirs'> {
  if (rule === 'name') return { own: 0, theirs: 0 };
  if (rule !== 'direct') {
    return {
      own: amountOf(rule, tallyOf(scale.tallies, id)),
      theirs: amountOf(rule, tallyOf(scale.tallies, neighbour)),
    };
  }
  const among = directTally(level, scale);
  const [ownTally, neighbourTally] = [tallyOf(among, id), tallyOf(among, neighbour)];
  if (ownTally.points !== neighbourTally.points) return { own: ownTally.points, theirs: neighbourTally.points };
  if (difference(ownTally) !== difference(neighbourTally))
    return { own: difference(ownTally), theirs: difference(neighbourTally) };
  return { own: ownTally.goalsFor, theirs: neighbourTally.goalsFor };
}

function tallyOf(tallies: ReadonlyMap<number, Tally>, id: number): Tally {
  return tallies.get(id) ?? emptyTally();
}

function emptyTally(): Tally {
  return { played: 0, won: 0, drawn: 0, lost: 0, goalsFor: 0, goalsAgainst: 0, goalsAway: 0, points: 0, adjusted: 0 };
}

function tally(teams: readonly number[], matches: readonly PlayedMatch[], points: PointsRule): Map<number, Tally> {
  const rows = new Map(teams.map((id) => [id, emptyTally()]));
  for (const { home, away, homeGoals, awayGoals, forfeitBy } of matches) {
    const [homeTally, awayTally] = [rows.get(home), rows.get(away)];
    if (!homeTally || !awayTally) continue;
    count(homeTally, homeGoals, awayGoals, points, forfeitBy === home);
    count(awayTally, awayGoals, homeGoals, points, forfeitBy === away);
    awayTally.goalsAway += awayGoals;
  }
  return rows;
}

function count(row: Tally, scored: number, conceded: number, points: PointsRule, forfeited: boolean): void {
  row.played += 1;
  row.goalsFor += scored;
  row.goalsAgainst += conceded;
  if (scored > conceded) {
    row.won += 1;
    row.points += points.win;
  } else if (scored === conceded) {
    row.drawn += 1;
    row.points += points.draw;
  } else {
    row.lost += 1;
    row.points += forfeited ? points.forfeit : points.loss;
  }
}
