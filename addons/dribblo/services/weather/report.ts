import { createHash } from 'node:crypto';
import type { Ctx } from '#core';
import { WeatherReport } from '../../models/club-weather.ts';
import { type Outcome, type Question, WeatherClient, weatherQuestion } from './asking.ts';
import type { Weather } from './reading.ts';

const MINUTE = 60_000;
/** How long an answer counts as new, how long a failure is left alone, and for how long after five of them in a row. */
export const FRESH_FOR = 30 * MINUTE;
export const RETRY_AFTER = 2 * MINUTE;
export const FAILURES_BEFORE_PAUSE = 5;
export const PAUSE = 10 * MINUTE;

/** What is known of the weather. */
export interface Report {
  /** Whether the settings say where and whom to ask. */
  readonly isSet: boolean;
  readonly weather: Weather | null;
  /** What the service said when it could not answer. */
  readonly error: string | null;
  /** Whether it is time to ask again. */
  readonly due: boolean;
}

/** What is kept; reads only, and never waits for anybody. */
export async function weatherReport(ctx: Ctx): Promise<Report> {
  const question = await weatherQuestion(ctx);
  if (!question) return { isSet: false, weather: null, error: null, due: false };
  const row = await readRow(ctx, question);
  const due = !(await isSettled(ctx, question));
  return { isSet: true, weather: row?.data ?? null, error: row?.error ?? null, due };
}

/** Asks the service where it is time to; answers what has to be kept, null where nothing has. Not within a transaction: it may take three seconds. */
export async function askWhereDue(ctx: Ctx): Promise<{ question: Question; outcome: Outcome } | null> {
  const question = await weatherQuestion(ctx);
  if (!question || (await isSettled(ctx, question))) return null;
  return { question, outcome: await ctx.get(WeatherClient).ask(question) };
}

/** Keeps what came of asking, for all nodes. */
export async function keepOutcome(
  ctx: Ctx,
  { question, outcome }: { question: Question; outcome: Outcome },
): Promise<void> {
  // The visitor who came when it was time to ask has no rights here, and none are needed to note an answer.
  const reports = ctx.sudo().model(WeatherReport);
  const row = await readRow(ctx, question);
  const fetched_date = new Date(ctx.now().getTime());
  const failures = 'weather' in outcome ? 0 : (row?.failures ?? 0) + 1;
  const values = {
    ...('weather' in outcome ? { data: outcome.weather, error: null } : { data: null, error: outcome.message }),
    fetched_date,
    failures,
    closed_until: failures >= FAILURES_BEFORE_PAUSE ? new Date(fetched_date.getTime() + PAUSE) : null,
  };
  if (row) await reports.write(row.id, values);
  else await reports.create({ key: keyOf(question), ...values });
}

/** With another key the service is asked anew at once. */
function keyOf({ town, base, key }: Question): string {
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${mark} ${base} ${town}`.slice(0, 400);
}

function readRow(ctx: Ctx, question: Question) {
  // Everybody is shown the weather; the row itself says how the service is doing.
  return ctx
    .sudo()
    .model(WeatherReport)
    .first([['key', '=', keyOf(question)]], { select: { data: true, error: true, failures: true } });
}

/** Whether there is an answer young enough, or a pause under way. */
async function isSettled(ctx: Ctx, question: Question): Promise<boolean> {
  const now = ctx.now();
  const count = await ctx
    .sudo()
    .model(WeatherReport)
    .count([
      ['key', '=', keyOf(question)],
      '|',
      ['closed_until', '>', now],
      '|',
      '&',
      ['failures', '=', 0],
      ['fetched_date', '>', now.plus(-FRESH_FOR)],
      '&',
      ['failures', '>', 0],
      ['fetched_date', '>', now.plus(-RETRY_AFTER)],
    ]);
  return count > 0;
}
