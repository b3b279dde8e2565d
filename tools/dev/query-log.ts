import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@pergola/core';
import { innermostCall } from '@pergola/core';
import { QUERY_CHANNEL, type QueryTrace } from '@pergola/db';

/** Number of times a query may repeat in one request before a warning. */
const REPEATED = 10;
/** Number of requests to keep. */
const REMEMBERED = 50;
/** Maximum lengths in the log, in characters: of a statement, and of a value. */
const SQL_IN_LOG = 120;
const VALUE_LENGTH = 80;

interface FollowedRequest {
  readonly name: string;
  readonly startedAt: Date;
  readonly queries: QueryTrace[];
  status: number;
  ms: number;
}

/** A query that ran many times, with the addon lines that called it. */
interface Repetition {
  readonly sql: string;
  readonly times: number;
  readonly places: readonly string[];
}

/** Records the queries of each request and warns about repeated ones. Development only. */
export class QueryLog {
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #current = new AsyncLocalStorage<FollowedRequest>();
  /** Latest first. */
  readonly #requests: FollowedRequest[] = [];

  constructor(log: Pick<Log, 'info' | 'warn'>) {
    this.#log = log;
    subscribe(QUERY_CHANNEL, this.#noteQuery);
  }

  /** Runs a request handler and records its queries until the response is closed. */
  follow(req: IncomingMessage, res: ServerResponse, handle: () => void): void {
    const name = `${req.method} ${req.url}`;
    const request: FollowedRequest = { name, startedAt: new Date(), queries: [], status: 0, ms: 0 };
    const startedAt = performance.now();
    res.once('close', () => {
      request.status = res.statusCode;
      request.ms = performance.now() - startedAt;
      if (request.queries.length > 0) this.#report(request);
    });
    this.#current.run(request, handle);
  }

  /** The latest requests with their queries as plain text, newest first. */
  text(): string {
    if (this.#requests.length === 0) return 'No request has run a query yet.\n';
    return `${this.#requests.map(textOf).join('\n\n')}\n`;
  }

  close(): void {
    unsubscribe(QUERY_CHANNEL, this.#noteQuery);
  }

  readonly #noteQuery = (trace: unknown): void => {
    this.#current.getStore()?.queries.push(trace as QueryTrace);
  };

  #report(request: FollowedRequest): void {
    this.#requests.unshift(request);
    this.#requests.splice(REMEMBERED);
    const { name, queries } = request;
    this.#log.info(`${queries.length} ${queries.length === 1 ? 'query' : 'queries'}, ${total(queries)} ms: ${name}`);
    for (const { sql, times, places } of repetitionsOf(queries)) {
      const text = sql.length > SQL_IN_LOG ? `${sql.slice(0, SQL_IN_LOG)}…` : sql;
      this.#log.warn({ places }, `The same query ran ${times} times for ${name}: ${text}`);
    }
  }
}

function textOf(request: FollowedRequest): string {
  const { name, startedAt, queries, status, ms } = request;
  const time = startedAt.toTimeString().slice(0, 8);
  const repeated = repetitionsOf(queries).map(
    ({ sql, times, places }) =>
      `  REPEATED ${times} times: ${sql}${places.map((place) => `\n    at ${place}`).join('')}`,
  );
  const lines = queries.map((query) => {
    const { statement, caller } = query;
    const values = statement.bindings.length > 0 ? ` [${statement.bindings.map(shown).join(', ')}]` : '';
    return `  ${(query.ms ?? 0).toFixed(1).padStart(6)} ms  ${statement.sql}${values}  ${placeOf(caller) ?? ''}`.trimEnd();
  });
  // Parallel queries can add up to more time than the response took.
  const head = `${time} ${name} ${status} in ${ms.toFixed(0)} ms: ${queries.length} queries, ${total(queries)} ms together`;
  return [head, ...repeated, ...lines].join('\n');
}

function repetitionsOf(queries: readonly QueryTrace[]): Repetition[] {
  const groups = Map.groupBy(queries, ({ statement }) => shapeOf(statement.sql));
  return [...groups]
    .filter(([, group]) => group.length >= REPEATED)
    .map(([sql, group]) => {
      const places = new Set(group.flatMap(({ caller }) => placeOf(caller) ?? []));
      return { sql, times: group.length, places: [...places] };
    });
}

/** A statement with its value lists shortened, so that different numbers of values compare equal. */
function shapeOf(sql: string): string {
  return sql.replace(/\((?:\s*(?:\?|\$\d+)\s*,?)+\)/g, '(…)').replace(/\$\d+/g, '?');
}

function placeOf({ stack = '' }: QueryTrace['caller']): string | null {
  const call = innermostCall(stack);
  return call && `${call.file}:${call.line}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** Sum of all query times, also of parallel queries. */
function total(queries: readonly QueryTrace[]): string {
  return queries.reduce((sum, { ms }) => sum + (ms ?? 0), 0).toFixed(1);
}
