import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository, variablesOf } from '@pergola/core';
import { parts } from '../parts.ts';
import { freePort } from './free-port.ts';

/** Which server to start. */
export interface ServerOptions {
  /** Configuration over the defaults of tests: a data folder of its own, a free port, no `.env` file, errors only in the log. */
  env?: Readonly<Record<string, string>>;
  /** the script and its arguments; `bin/pergola.js start` unless told */
  command?: readonly string[];
  /** milliseconds until it must answer, 200,000 unless told */
  timeout?: number;
  /** the path that answers 200 once it serves, `/readyz` unless told */
  ready?: string;
  /** told whatever it prints, also before it serves */
  onOutput?: (text: string) => void;
}

/** A server in a process of its own. */
export interface RunningServer {
  /** without a slash at the end */
  readonly url: string;
  readonly port: number;
  /** the process that serves, not one that waits for it */
  readonly pid: number;
  /** the `DATA_DIR` it was given */
  readonly dataDir: string;
  /** milliseconds from its start until it answered */
  readonly startTime: number;
  /** all it has printed */
  output(): string;
  /** Asks it to end (SIGTERM unless told) and answers its exit code, or the signal that ended it. Its data stays. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Ends it at once, and removes the data folder if it was made for it. */
  remove(): Promise<void>;
}

/**
 * Starts Pergola as a visitor would meet it, and waits until it serves. Starting again with the `DATA_DIR` and `PORT` of one that was stopped is
 * a restart. Throws all that it printed when it ends, or does not answer in time.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const own = options.env?.DATA_DIR ? null : mkdtempSync(join(tmpdir(), 'pergola-server-'));
  const dataDir = options.env?.DATA_DIR ?? own ?? '';
  const port = Number(options.env?.PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = launch({ HOST: '127.0.0.1', PORT: String(port), BASE_URL: url, DATA_DIR: dataDir }, options);
  const { output, ended } = watch(child, options.onOutput);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    if (own) rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await ready(`${url}${options.ready ?? '/readyz'}`, ended, options.timeout ?? 200_000);
  } catch (error) {
    await kill();
    throw new Error(`${error instanceof Error ? error.message : error} It printed:\n${output()}`);
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    dataDir,
    startTime: performance.now() - started,
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    remove: kill,
  };
}

/** With the right Node the start script goes on in its own process, so that signals reach the server itself. */
function launch(place: Readonly<Record<string, string>>, { command, env }: ServerOptions): ChildProcess {
  const child = spawn(process.execPath, command ?? [join(repository, 'bin/pergola.js'), 'start'], {
    // not the repository, whose .env file is the developer's
    cwd: place.DATA_DIR,
    env: { ...withoutSettings(process.env), ...place, LOG_LEVEL: 'error', PATIENCE: '20', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  child.once('close', () => process.off('exit', killWithUs));
  return child;
}

/** Settings of the surrounding shell are no part of the test. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = new Set(Object.keys(variablesOf(parts)));
  if (!process.env.TEST_TIME) settings.add('NODE_OPTIONS');
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.has(name)));
}

function watch(
  child: ChildProcess,
  onOutput: ServerOptions['onOutput'],
): { output: () => string; ended: Promise<number | NodeJS.Signals> } {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      onOutput?.(chunk);
    });
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(-1);
    });
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1));
  });
  return { output: () => output, ended };
}

async function ready(url: string, ended: Promise<number | NodeJS.Signals>, timeout: number): Promise<void> {
  let end: number | NodeJS.Signals | undefined;
  void ended.then((code) => {
    end = code;
  });
  const started = performance.now();
  while (performance.now() - started < timeout) {
    if (end !== undefined) throw new Error(`The server ended with ${end} before it served.`);
    const status = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    await sleep(10);
  }
  throw new Error(`The server did not answer 200 at ${url} within ${timeout} ms.`);
}
