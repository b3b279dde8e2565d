import { createHash } from 'node:crypto';
import { app, service } from 'pergola';
import { WeatherReport } from '../../models/club-weather.ts';
import { type Outcome, type Question, WeatherClient, weatherQuestion } from './client.ts';
import type { Weather } from './parse.ts';

const MINUTE = 60_000;
/** How long a report is fresh, the delay after a failure, and the pause after five consecutive failures. */
export const FRESH_FOR = 30 * MINUTE;
export const RETRY_AFTER = 2 * MINUTE;
const FAILURES_BEFORE_PAUSE = 5;
const PAUSE = 10 * MINUTE;

/** Current state of the weather data. */
export interface Report {
  /** Whether the weather service is configured. */
  readonly isSet: boolean;
  readonly weather: Weather | null;
  /** Error message of the service. */
  readonly error: string | null;
  /** Whether a new request is due. */
  readonly due: boolean;
}

/** A changed API key triggers a new request immediately. */
function keyOf({ town, base, key }: Question): string {
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${mark} ${base} ${town}`.slice(0, 400);
}

/** Last weather reports, shared by all nodes. */
export class WeatherReports extends service('dribblo.weather_reports', { ctx: app.ctx, client: WeatherClient }) {
  /** Returns the stored report; never waits for the service. */
  async current(): Promise<Report> {
    const question = await weatherQuestion(this.ctx);
    if (!question) return { isSet: false, weather: null, error: null, due: false };
    const row = await this.#row(question);
    const due = !(await this.#isSettled(question));
    return { isSet: true, weather: row?.data ?? null, error: row?.error ?? null, due };
  }

  /**
   * Requests the weather if it is due; returns the result to store, or null. Takes up to three seconds, so call it outside of transactions.
   */
  async askWhereDue(): Promise<{ question: Question; outcome: Outcome } | null> {
    const question = await weatherQuestion(this.ctx);
    if (!question || (await this.#isSettled(question))) return null;
    return { question, outcome: await this.client.ask(question) };
  }

  /** Stores the result of a request, for all nodes. */
  async keep({ question, outcome }: { question: Question; outcome: Outcome }): Promise<void> {
    // The request may be triggered by a visitor without write access.
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
    // Weather reports are public; the row also tracks the state of the service.
    return this.ctx
      .sudo()
      .model(WeatherReport)
      .first([['key', '=', keyOf(question)]], { select: { data: true, error: true, failures: true } });
  }

  /** Whether the report is fresh, or requests are paused. */
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
