import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository, variablesOf } from '@pergola/core';
import { parts } from '../parts.ts';
import { freePort } from './free-port.ts';

/** Options for starting a server. */
export interface ServerOptions {
  /** Environment that overrides the test defaults: a separate data folder, a free port, no `.env` file, and only errors in the log. */
  env?: Readonly<Record<string, string>>;
  /** script and arguments; `bin/pergola.js start` by default */
  command?: readonly string[];
  /** milliseconds until it must respond, 200,000 by default */
  timeout?: number;
  /** path that returns 200 once it serves, `/readyz` by default */
  ready?: string;
  /** receives all its output, also before it serves */
  onOutput?: (text: string) => void;
}

/** A server in its own process. */
export interface RunningServer {
  /** without a trailing slash */
  readonly url: string;
  readonly port: number;
  /** the process that serves, not its parent */
  readonly pid: number;
  /** its `DATA_DIR` */
  readonly dataDir: string;
  /** milliseconds from start until its first response */
  readonly startTime: number;
  /** everything printed so far */
  output(): string;
  /** Stops it (SIGTERM by default) and returns its exit code, or the signal that ended it. Keeps its data. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Kills it and removes the data folder, if it was created for it. */
  remove(): Promise<void>;
}

/**
 * Starts Pergola as in production and waits until it serves. Starting again with the `DATA_DIR` and `PORT` of a stopped server is a
 * restart.
 *
 * @throws Error with all its output if it exits, or doesn't respond in time
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const temporaryFolder = options.env?.DATA_DIR ? null : mkdtempSync(join(tmpdir(), 'pergola-server-'));
  const dataDir = options.env?.DATA_DIR ?? temporaryFolder ?? '';
  const port = Number(options.env?.PORT ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = launch({ HOST: '127.0.0.1', PORT: String(port), BASE_URL: url, DATA_DIR: dataDir }, options);
  const { output, ended } = watch(child, options.onOutput);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    if (temporaryFolder) rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 });
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

/** With the right Node version, the start script continues in its own process, so signals reach the server directly. */
function launch(place: Readonly<Record<string, string>>, { command, env }: ServerOptions): ChildProcess {
  const child = spawn(process.execPath, command ?? [join(repository, 'bin/pergola.js'), 'start'], {
    // not the repository, whose .env file belongs to the developer
    cwd: place.DATA_DIR,
    env: { ...withoutSettings(process.env), ...place, LOG_LEVEL: 'error', PATIENCE: '20', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  child.once('close', () => process.off('exit', killWithUs));
  return child;
}

/** Removes settings of the surrounding shell, which must not affect the test. */
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
    if (end !== undefined) throw new Error(`The server exited with ${end} before it was ready.`);
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
  throw new Error(`${url} did not return 200 within ${timeout} ms.`);
}
