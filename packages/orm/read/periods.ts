import { Temporal } from 'temporal-polyfill';
import type { Sql, SqlScope } from '../domain/scope.ts';

export const granularities = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Granularity = (typeof granularities)[number];

/** Offset of a zone in seconds ahead of UTC, from a moment (in milliseconds) on. */
export interface ZoneStep {
  readonly from: number;
  readonly offset: number;
}

/**
 * Returns SQL for the first day of the period that contains a date or datetime, `"2026-11-01"`. Weeks start on Monday. `zone` is null for
 * calendar days; otherwise the zone's name on PostgreSQL, or the result of {@link zoneKey} on SQLite, which doesn't know zones.
 */
export function periodSql({ knex, dialect }: SqlScope, value: Sql, zone: string | null, granularity: Granularity): Sql {
  if (dialect === 'postgres') {
    const local = zone === null ? ':value::timestamp' : `(:value at time zone '${zone.replaceAll("'", "''")}')`;
    return knex.raw(`to_char(date_trunc('${granularity}', ${local}), 'YYYY-MM-DD')`, { value });
  }
  const base = zone === null ? ':value' : `:value / 1000 + ${offsetSql(zone)}`;
  const arguments_ = zone === null ? base : `${base}, 'unixepoch'`;
  if (granularity === 'quarter') {
    const month = `cast(strftime('%m', ${arguments_}) as integer)`;
    return knex.raw(`date(${arguments_}, 'start of month', '-' || ((${month} - 1) % 3) || ' months')`, { value });
  }
  return knex.raw(`date(${arguments_}${sqliteSteps[granularity]})`, { value });
}

const sqliteSteps: Readonly<Record<Exclude<Granularity, 'quarter'>, string>> = {
  day: '',
  week: ", 'weekday 0', '-6 days'",
  month: ", 'start of month'",
  year: ", 'start of year'",
};

/** Returns SQL for a zone's offset at the moment `:value`, from the steps in a key. */
function offsetSql(key: string): string {
  const steps = key.split(' ').map((step) => step.split(':').map(Number));
  const [first] = steps;
  const cases = steps
    .slice(1)
    .reverse()
    .map(([from, offset]) => `when :value >= ${from} then ${offset}`);
  return cases.length === 0 ? String(first?.[1] ?? 0) : `case ${cases.join(' ')} else ${first?.[1] ?? 0} end`;
}

/** Encodes the steps as a short text, equal for zones that agree in the range. */
export function zoneKey(steps: readonly ZoneStep[]): string {
  return steps.map(({ from, offset }) => `${from}:${offset}`).join(' ');
}

/**
 * Returns the offsets of a zone between two moments: at the start, then at every change. The first step also applies to earlier moments.
 */
export function zoneRange(zone: string, low: number, high: number): ZoneStep[] {
  const start = Number.isFinite(low) ? low : 0;
  const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
  const steps: ZoneStep[] = [{ from: 0, offset: secondsAhead(first) }];
  let next = first.getTimeZoneTransition('next');
  for (; next && next.epochMilliseconds <= high; next = next.getTimeZoneTransition('next'))
    steps.push({ from: next.epochMilliseconds, offset: secondsAhead(next) });
  return steps;
}

function secondsAhead({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return offsetNanoseconds / 1e9;
}
