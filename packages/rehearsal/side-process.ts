import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fullMessage, loadConfig, type Part, repository, Unavailable } from '@pergola/core';
import { refuseConnections } from './outgoing.ts';
import { neededHosts, openSide } from './side.ts';
import type { Side } from './types.ts';

/** Input of a process that opens a copy of the site. */
export interface SideSetup {
  /** URL of the copy of its database. */
  readonly databaseUrl: string;
  /** Empty folder for what the copy writes. */
  readonly folder: string;
}

export interface SideProcessOptions extends SideSetup {
  /** Environment of the process: the one of the live site, except for `ADDONS_PATH`. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the process. */
  readonly signal?: AbortSignal;
}

type Method = keyof Side;
interface Call {
  readonly id: number;
  readonly method: Method;
  readonly input: readonly unknown[];
}
interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}

/** How much of a process's error output is kept, in characters. */
const MAX_OUTPUT = 4_000;
/** How long a process may take to end, in milliseconds. */
const END_MS = 10_000;
/** Members of a side, which are called through messages. */
const methods: readonly Method[] = [
  'unready',
  'viewers',
  'addresses',
  'render',
  'withoutTranslation',
  'facts',
  'apply',
  'refusedHosts',
  'close',
];

/** Runs `pergola rehearse …` in a process of low priority: the live site may run on this machine, and comes first. */
export function forkRehearsal(words: readonly string[], options: ForkOptions): ChildProcess {
  const child = fork(join(repository, 'bin/pergola.js'), ['rehearse', ...words], {
    execArgv: process.execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...options,
    // Without it, the command would replace its process by one with more threads, and lose the channel.
    env: { UV_THREADPOOL_SIZE: '4', ...options.env },
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
}

/**
 * Opens a copy of the site in another process, which runs `pergola rehearse --side`: a process never loads two versions of an addon, and
 * the two sides work at the same time.
 */
export async function startSide({ env, signal, ...setup }: SideProcessOptions): Promise<Side> {
  const child = forkRehearsal(['--side'], { env, cwd: setup.folder, ...(signal && { signal }) });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-MAX_OUTPUT);
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      // An aborted process still has to exit.
      if (child.pid === undefined) resolve();
    });
    child.once('exit', () => resolve());
  });
  void ended.then(() => {
    const error = new Unavailable(`The process of a copy of the site ended. ${output}`.trim());
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  child.on('message', ({ id, result, failure }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) call?.resolve(result);
    else call?.reject(new Unavailable(failure));
  });
  let lastId = 0;
  const send = (method: Method | 'open', ...input: unknown[]): Promise<unknown> => {
    const call = Promise.withResolvers<unknown>();
    lastId += 1;
    waiting.set(lastId, call);
    if (!child.connected) call.reject(new Unavailable(`The process of a copy of the site ended. ${output}`.trim()));
    else child.send({ id: lastId, method, input });
    return call.promise;
  };
  const members = methods.map((method) => [method, (...input: unknown[]) => send(method, ...input)]);
  const side = Object.fromEntries(members) as Side;
  try {
    await send('open', setup);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    ...side,
    async close() {
      await send('close').catch(() => {});
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Serves a side to the process that started this one, until that process ends. */
export async function serveSide(parts: readonly Part[]): Promise<void> {
  let side: Side | null = null;
  const perform = async (method: Method | 'open', input: readonly unknown[]): Promise<unknown> => {
    if (method !== 'open') {
      if (!side) throw new Error('The side is not open.');
      return Reflect.apply(side[method], side, input);
    }
    const config = loadConfig(process.env, parts);
    const outgoing = refuseConnections(neededHosts(config));
    side = await openSide({ ...(input[0] as SideSetup), config, parts, outgoing });
    return null;
  };
  process.on('message', ({ id, method, input }: Call) => {
    perform(method, input).then(
      (result) => process.send?.({ id, result } satisfies Answer),
      (error: unknown) =>
        process.send?.({ id, failure: Error.isError(error) ? fullMessage(error) : String(error) } satisfies Answer),
    );
  });
  await new Promise<void>((resolve) => process.once('disconnect', resolve));
  process.exit();
}
