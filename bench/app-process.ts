import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonRoots, registerResolve, repository } from '@pergola/core';
import { heap, memory, threads } from '../bin/node-settings.js';
import { createTestApp, type TestApp, type TestAppOptions } from '../tools/testing/index.ts';
import { makeRunFolder, removeRunFolder } from '../tools/testing/jest/run-folder.ts';
import { openDoor } from '../tools/testing/postgres/door.ts';
import { startPostgres } from '../tools/testing/postgres/start.ts';
import type { Answer } from './peer.ts';

/** A server in its own process, which ends with `stop` or with the benchmark. */
export interface Served {
  /** URL of the page to request */
  readonly url: string;
  readonly pid: number;
  /** Sends the process a message and waits for its reply. */
  ask<T>(message: string): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Serves a test application from a process forked by `startRole`, and exits with its parent. `prepare` fills the application and returns
 * the path to request; the parent receives it as a URL.
 */
export async function serveApp(options: TestAppOptions, prepare: (app: TestApp) => Promise<string>): Promise<void> {
  // Lets addons import each other by name, as the start script and jest do.
  registerResolve([...addonRoots(), join(repository, 'tools/testing/fixtures'), ...(options.roots ?? [])]);
  const app = await createTestApp(options);
  const path = await prepare(app);
  process.once('disconnect', () => void app.close().then(() => process.exit()));
  process.send?.(app.url + path);
}

/** Serves one string with the captured headers, and nothing else. */
export function serveString({
  status,
  headers,
  body,
}: {
  status: number;
  headers: [string, string][];
  body: string;
}): void {
  const lines = headers.filter(([name]) => name.toLowerCase() !== 'content-length').flat();
  const server = createServer((_request, response) => {
    response.writeHead(status, lines).end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
  });
  process.once('disconnect', () => process.exit());
}

/** Forks a file with these arguments, set up like a production server: `NODE_ENV=production` and the start script's Node options. */
export async function startRole(file: string, ...args: string[]): Promise<Served> {
  return served(
    fork(fileURLToPath(file), args, { env: { ...memory, ...serverEnv() }, execArgv: [...process.execArgv, ...heap] }),
  );
}

/** Starts a bare `node:http` server in its own process that returns this response as a string. */
export async function startString({ status, headers, body }: Answer): Promise<Served> {
  const child = fork(fileURLToPath(import.meta.url), ['string'], { env: serverEnv() });
  child.send({ status, headers, body: body.toString() });
  return served(child);
}

/** Starts PostgreSQL for applications in other processes; while it is open, they can use `database: 'postgres'`. */
export async function openPostgres(): Promise<{ close(): Promise<void> }> {
  const door = await openDoor(() => startPostgres());
  process.env.PERGOLA_TEST_POSTGRES = String(door.port);
  return { close: () => door.close() };
}

/** Each server gets its own temporary folder: a template from an earlier benchmark may have been built from older addons. */
function serverEnv(): NodeJS.ProcessEnv {
  const folder = makeRunFolder();
  process.once('exit', () => removeRunFolder(folder));
  return { ...process.env, NODE_ENV: 'production', UV_THREADPOOL_SIZE: threads, TMPDIR: folder, TEST_LOG: 'silent' };
}

async function served(child: ChildProcess): Promise<Served> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (address) => resolve(String(address)));
    child.once('exit', (code) => reject(new Error(`The server exited with ${code} before it was ready.`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async ask<T>(message: string): Promise<T> {
      const reply = once(child, 'message') as Promise<[T]>;
      child.send(message);
      const exit = ended.then(() => Promise.reject(new Error('The server exited before it replied.')));
      const [value] = await Promise.race([reply, exit]);
      return value;
    },
    stop() {
      if (child.connected) child.disconnect();
      return ended;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'string') {
  process.once('message', serveString);
}
