import { createHash } from 'node:crypto';
import { app, service } from 'pergola';
import { WeatherReport } from '../../models/club-weather.ts';
import { type Outcome, type Question, WeatherClient, weatherQuestion } from './client.ts';
import type { Weather } from './parse.ts';

const MINUTE = 60_000;
/** How long an answer counts as new, how long a failure is left alone, and for how long after five of them in a row. */
export const FRESH_FOR = 30 * MINUTE;
export const RETRY_AFTER = 2 * MINUTE;
const FAILURES_BEFORE_PAUSE = 5;
const PAUSE = 10 * MINUTE;

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

/** With another key the service is asked anew at once. */
function keyOf({ town, base, key }: Question): string {
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${mark} ${base} ${town}`.slice(0, 400);
}

/** What the weather service said last, kept for all nodes. */
export class WeatherReports extends service('dribblo.weather_reports', { ctx: app.ctx, client: WeatherClient }) {
  /** What is kept; reads only, and never waits for anybody. */
  async current(): Promise<Report> {
    const question = await weatherQuestion(this.ctx);
    if (!question) return { isSet: false, weather: null, error: null, due: false };
    const row = await this.#row(question);
    const due = !(await this.#isSettled(question));
    return { isSet: true, weather: row?.data ?? null, error: row?.error ?? null, due };
  }

  /** Asks the service where it is time to; answers what has to be kept, null where nothing has. Not within a transaction: it may take three seconds. */
  async askWhereDue(): Promise<{ question: Question; outcome: Outcome } | null> {
    const question = await weatherQuestion(this.ctx);
    if (!question || (await this.#isSettled(question))) return null;
    return { question, outcome: await this.client.ask(question) };
  }

  /** Keeps what came of asking, for all nodes. */
  async keep({ question, outcome }: { question: Question; outcome: Outcome }): Promise<void> {
    // The visitor who came when it was time to ask has no rights here, and none are needed to note an answer.
    const reports = this.ctx.sudo().model(WeatherReport);
    const row = await this.#row(question);
    const fetched_date = new Date(this.ctx.now().getTime());
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

  #row(question: Question) {
    // Everybody is shown the weather; the row itself says how the service is doing.
    return this.ctx
      .sudo()
      .model(WeatherReport)
      .first([['key', '=', keyOf(question)]], { select: { data: true, error: true, failures: true } });
  }

  /** Whether there is an answer young enough, or a pause under way. */
  async #isSettled(question: Question): Promise<boolean> {
    const now = this.ctx.now();
    const count = await this.ctx
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
}
