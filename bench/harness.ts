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

/** One of the compared subjects: requests to one URL of one process. */
export interface Case {
  readonly name: string;
  /** `[<id>]` is replaced by a unique text in each request */
  readonly url: string;
  /** process that serves the URL, whose CPU is measured */
  readonly pid: number;
  /** CPU used for it by other processes, such as a database server, in microseconds since they started */
  readonly externalCpu?: () => number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** expected status, 200 by default */
  readonly status?: number;
  /** text that every response must contain */
  readonly holds?: string;
  /** number of requests per round instead of a duration, for routes with a rate limit */
  readonly amount?: number;
}

/** Measurements of one round of load, or the median of several. */
export interface Figures {
  readonly requestsPerSecond: number;
  /** CPU of the process including its threads, in microseconds */
  readonly cpuPerRequest: number;
  /** response times in milliseconds: median and 99th percentile */
  readonly p50: number;
  readonly p99: number;
}

export interface Result extends Figures {
  readonly name: string;
  readonly rounds: readonly Figures[];
}

export interface LoadOptions {
  /** rounds per case, 5 by default */
  rounds?: number;
  /** seconds per round, 4 by default */
  seconds?: number;
  /** concurrent connections, 32 by default */
  connections?: number;
}

/** `--rounds`, `--seconds` and `--connections` from the command line. */
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
 * Loads the cases in alternating rounds, so that other activity on the machine affects all of them equally, and returns the median of each.
 * Each case is warmed up first.
 *
 * @throws Error if a request fails or returns an unexpected status, since the speed of errors means nothing
 */
export async function compare(cases: readonly Case[], options: LoadOptions = {}): Promise<Result[]> {
  const { rounds = 5, seconds = 4, connections = 32 } = options;
  for (const subject of cases) {
    await warmUp(async () => {
      const { requestsPerSecond } = await load(subject, Math.min(1, seconds), connections);
      return subject.amount === undefined ? requestsPerSecond : WARM_CALLS;
    });
  }
  const figures = cases.map((): Figures[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < cases.length; turn++) {
      // Each round starts with a different case, because the machine is cooler after a pause.
      const index = (turn + round) % cases.length;
      const subject = cases[index];
      if (subject) figures[index]?.push(await load(subject, seconds, connections));
    }
  }
  return cases.map(({ name }, index) => {
    const all = figures[index] ?? [];
    const middle = (key: keyof Figures): number => median(all.map((round) => round[key]));
    const [requestsPerSecond, cpuPerRequest] = [middle('requestsPerSecond'), middle('cpuPerRequest')];
    return { name, rounds: all, requestsPerSecond, cpuPerRequest, p50: middle('p50'), p99: middle('p99') };
  });
}

/** Calls until V8 has optimised the code (a new server needs twice the CPU), and the most rounds to wait for a slow one. */
const WARM_CALLS = 2000;
const WARM_ROUNDS = 20;

/** Repeats a call that returns how many requests it made, until the server is warm. */
export async function warmUp(call: () => Promise<number>): Promise<void> {
  for (let round = 0, done = 0; round < WARM_ROUNDS && done < WARM_CALLS; round++) done += await call();
}

/** Runs one round of load on one case. */
export async function load(subject: Case, seconds: number, connections: number): Promise<Figures> {
  const { url, method = 'GET', headers = {}, body, status = 200, holds, amount, externalCpu = () => 0 } = subject;
  const cpuBefore = cpuTime(subject.pid) + externalCpu();
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    idReplacement: true,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(body === undefined ? {} : { body }),
    ...(holds === undefined ? {} : { verifyBody: (responseBody) => String(responseBody).includes(holds) }),
  });
  const used = cpuTime(subject.pid) + externalCpu() - cpuBefore;
  const statusCounts = Object.entries(result.statusCodeStats ?? {});
  const unexpected = statusCounts
    .filter(([code]) => Number(code) !== status)
    .map(([code, { count }]) => `${count} times ${code}`);
  if (result.mismatches > 0) unexpected.push(`${result.mismatches} had an unexpected text`);
  if (result.errors > 0) unexpected.push(`${result.errors} failed (${result.timeouts} of them timed out)`);
  if (unexpected.length > 0 || statusCounts.length === 0) {
    throw new Error(
      `${subject.name}: ${method} ${url} should return ${status}; ${unexpected.join(', ') || 'no response arrived'}.`,
    );
  }
  const count = statusCounts.reduce((sum, [, stats]) => sum + (stats.count ?? 0), 0);
  return {
    requestsPerSecond: count / result.duration,
    cpuPerRequest: used / count,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Formats the results as a table, with ratios to the first. */
export function ratioTable(results: readonly Result[]): string {
  const [base] = results;
  if (!base) return '';
  const ratio = (value: number, to: number): string => (value / to).toFixed(2);
  const rows = results.map((result) => [
    result.name,
    ratio(result.requestsPerSecond, base.requestsPerSecond),
    ratio(result.cpuPerRequest, base.cpuPerRequest),
    Math.round(result.requestsPerSecond).toString(),
    Math.round(result.cpuPerRequest).toString(),
    result.p50.toFixed(1),
    result.p99.toFixed(1),
  ]);
  const head = ['case', 'req/s ratio', 'CPU ratio', 'req/s', 'CPU µs', 'p50 ms', 'p99 ms'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** Interruptions noticed by a visitor who requests one URL continuously. */
export interface Gaps {
  readonly requests: number;
  /** requests that failed or returned another status than 200 */
  readonly failures: readonly string[];
  /** longest time between two responses, in milliseconds */
  readonly longest: number;
}

/**
 * Requests a URL repeatedly, one request at a time, until `stop`. A `pause` in milliseconds leaves the CPU to the measured work. To find a
 * stall, subtract the longest gap of an idle run.
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
  const watching = watch();
  return {
    async stop() {
      stopped = true;
      await watching;
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

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
