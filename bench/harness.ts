import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { cpuTime } from './processes.ts';

export { startPostgres } from '../tools/testing/postgres/start.ts';
export { type RunningServer, startServer } from '../tools/testing/server.ts';
export { type Answer, capture, type Peer, startPeer } from './peer.ts';
export { cpuTime, databaseCpu, residentMemory } from './processes.ts';

/** One of the things that are compared: requests to one address of one process. */
export interface Case {
  readonly name: string;
  /** `[<id>]` in it is another text each time */
  readonly url: string;
  /** the process that serves, whose CPU is counted */
  readonly pid: number;
  /** CPU that is used for it in other processes (a database server), in microseconds since they started */
  readonly elsewhere?: () => number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** the status that counts as an answer; 200 unless told */
  readonly status?: number;
  /** what every answer holds */
  readonly holds?: string;
  /** so many requests a turn instead of a time, where more are bounded */
  readonly amount?: number;
}

/** What one round of load, or the median of several, showed. */
export interface Figures {
  readonly requestsPerSecond: number;
  /** CPU of the whole process with its threads, in microseconds */
  readonly cpuPerRequest: number;
  /** milliseconds, as in 99 of 100 requests or fewer */
  readonly p50: number;
  readonly p99: number;
}

export interface Result extends Figures {
  readonly name: string;
  readonly rounds: readonly Figures[];
}

export interface LoadOptions {
  /** how often each case has its turn, 5 unless told */
  rounds?: number;
  /** how long each turn is, 4 unless told */
  seconds?: number;
  /** how many requests are under way at a time, 32 unless told */
  connections?: number;
}

/** `--rounds`, `--seconds` and `--connections` of the command line. */
export function loadOptions(args: readonly string[] = process.argv.slice(2)): LoadOptions {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: number, seconds: number, connections: number },
    allowPositionals: true,
  });
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
}

/**
 * Loads the cases in turns, each warmed up first, so that what else the machine does falls on all alike, and answers the median of
 * each. Throws when a request fails or is answered with another status: a figure for errors is none.
 */
export async function compare(cases: readonly Case[], options: LoadOptions = {}): Promise<Result[]> {
  const { rounds = 5, seconds = 4, connections = 32 } = options;
  for (const one of cases) {
    await warmUp(async () => {
      const { requestsPerSecond } = await load(one, Math.min(1, seconds), connections);
      return one.amount === undefined ? requestsPerSecond : WARM_CALLS;
    });
  }
  const figures = cases.map((): Figures[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < cases.length; turn++) {
      // Another one begins each round: the first after a pause has a cooler machine.
      const index = (turn + round) % cases.length;
      const one = cases[index];
      if (one) figures[index]?.push(await load(one, seconds, connections));
    }
  }
  return cases.map(({ name }, index) => {
    const all = figures[index] ?? [];
    const middle = (key: keyof Figures): number => median(all.map((one) => one[key]));
    const [requestsPerSecond, cpuPerRequest] = [middle('requestsPerSecond'), middle('cpuPerRequest')];
    return { name, rounds: all, requestsPerSecond, cpuPerRequest, p50: middle('p50'), p99: middle('p99') };
  });
}

/** So often code has to run until V8 has made it fast; a server that has just begun takes twice the CPU. A slow one is not waited for longer than this. */
const WARM_CALLS = 2000;
const WARM_ROUNDS = 20;

/** Calls something that answers how many calls it made, until a server is warm. */
export async function warmUp(call: () => Promise<number>): Promise<void> {
  for (let round = 0, done = 0; round < WARM_ROUNDS && done < WARM_CALLS; round++) done += await call();
}

/** One round of load on one case. */
export async function load(one: Case, seconds: number, connections: number): Promise<Figures> {
  const { url, method = 'GET', headers = {}, body, status = 200, holds, amount, elsewhere = () => 0 } = one;
  const before = cpuTime(one.pid) + elsewhere();
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    idReplacement: true,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(body === undefined ? {} : { body }),
    ...(holds === undefined ? {} : { verifyBody: (answer) => String(answer).includes(holds) }),
  });
  const used = cpuTime(one.pid) + elsewhere() - before;
  const answers = Object.entries(result.statusCodeStats ?? {});
  const other = answers
    .filter(([code]) => Number(code) !== status)
    .map(([code, { count }]) => `${count} times ${code}`);
  if (result.mismatches > 0) other.push(`${result.mismatches} had another text`);
  if (result.errors > 0) other.push(`${result.errors} failed (${result.timeouts} of them timed out)`);
  if (other.length > 0 || answers.length === 0) {
    throw new Error(
      `${one.name}: ${method} ${url} was to answer ${status}; ${other.join(', ') || 'nothing was answered'}.`,
    );
  }
  const count = answers.reduce((sum, [, stats]) => sum + (stats.count ?? 0), 0);
  return {
    requestsPerSecond: count / result.duration,
    cpuPerRequest: used / count,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** The results as a table, with ratios to the first. */
export function ratioTable(results: readonly Result[]): string {
  const [base] = results;
  if (!base) return '';
  const ratio = (value: number, to: number): string => (value / to).toFixed(2);
  const rows = results.map((one) => [
    one.name,
    ratio(one.requestsPerSecond, base.requestsPerSecond),
    ratio(one.cpuPerRequest, base.cpuPerRequest),
    Math.round(one.requestsPerSecond).toString(),
    Math.round(one.cpuPerRequest).toString(),
    one.p50.toFixed(1),
    one.p99.toFixed(1),
  ]);
  const head = ['case', 'req/s ratio', 'CPU ratio', 'req/s', 'CPU µs', 'p50 ms', 'p99 ms'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** What a visitor noticed who asked for one address again and again. */
export interface Gaps {
  readonly requests: number;
  /** requests that failed or were answered with another status than 200 */
  readonly failures: readonly string[];
  /** the longest time between two answers, in milliseconds */
  readonly longest: number;
}

/**
 * Asks for an address again and again, one request at a time, until `stop`; with `pause` milliseconds between them it takes no processor from what is
 * measured. A stall is the longest gap, less that of a run in which nothing happened.
 */
export function watchGaps(url: string, pause = 0): { stop(): Promise<Gaps> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  let [requests, longest, stopped] = [0, 0, false];
  const watch = async (): Promise<void> => {
    for (let last = performance.now(); !stopped; requests++) {
      const failure = await ask(url, agent);
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (failure !== null) failures.push(failure);
      if (pause > 0) await sleep(pause);
    }
  };
  const done = watch();
  return {
    async stop() {
      stopped = true;
      await done;
      agent.destroy();
      return { requests, failures, longest };
    },
  };
}

async function ask(url: string, agent: Agent): Promise<string | null> {
  try {
    const request = get(url, { agent });
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode === 200 ? null : `${response.statusCode}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
