import { type ChildProcess, fork } from 'node:child_process';
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

/** A server in a process of its own that ends with `stop`, or with the measurement. */
export interface Served {
  /** the page to ask for */
  readonly url: string;
  readonly pid: number;
  /** Sends it a message and waits for its answer. */
  ask<T>(message: string): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Serves a test application from this process for the one that forked it (`startRole`), and ends when that one does. `prepare` fills it; answers
 * what is asked for, which the parent is told as an address.
 */
export async function serveApp(options: TestAppOptions, prepare: (app: TestApp) => Promise<string>): Promise<void> {
  // As the start script does for a site, and jest for its tests: addons find each other by name.
  registerResolve([...addonRoots(), join(repository, 'tools/testing/fixtures'), ...(options.roots ?? [])]);
  const app = await createTestApp(options);
  const path = await prepare(app);
  process.once('disconnect', () => void app.close().then(() => process.exit()));
  process.send?.(app.url + path);
}

/** Serves one text as a string, with the headers it came with, and nothing else. */
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

/** Runs this file again in a process of its own, with these arguments, as servers run: `production`, and Node as the start script sets it. */
export async function startRole(file: string, ...args: string[]): Promise<Served> {
  return served(
    fork(fileURLToPath(file), args, { env: { ...memory, ...serverEnv() }, execArgv: [...process.execArgv, ...heap] }),
  );
}

/** A bare `node:http` server in a process of its own that answers with this, as a string. */
export async function startString({ status, headers, body }: Answer): Promise<Served> {
  const child = fork(fileURLToPath(import.meta.url), ['string'], { env: serverEnv() });
  child.send({ status, headers, body: body.toString() });
  return served(child);
}

/** PostgreSQL for applications in other processes: while this is open, they may ask for `database: 'postgres'`. */
export async function openPostgres(): Promise<{ close(): Promise<void> }> {
  const door = await openDoor(() => startPostgres());
  process.env.PERGOLA_TEST_POSTGRES = String(door.port);
  return { close: () => door.close() };
}

/** Each with temporary files of its own: a template that an earlier measurement made may be of another day's addons. */
function serverEnv(): NodeJS.ProcessEnv {
  const folder = makeRunFolder();
  process.once('exit', () => removeRunFolder(folder));
  return { ...process.env, NODE_ENV: 'production', UV_THREADPOOL_SIZE: threads, TMPDIR: folder, TEST_LOG: 'silent' };
}

async function served(child: ChildProcess): Promise<Served> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (address) => resolve(String(address)));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it served.`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    ask<T>(message: string): Promise<T> {
      return new Promise((resolve, reject) => {
        child.once('message', (answer) => resolve(answer as T));
        child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it answered.`)));
        child.send(message);
      });
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
