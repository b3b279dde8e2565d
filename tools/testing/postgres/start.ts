import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { TestServer } from './server.ts';

/** A PostgreSQL server that never outlives this process. */
export interface KeptServer extends TestServer {
  /** Stops the server and removes its files; this also happens when this process ends, however it ends. */
  stop(): Promise<void>;
}

/**
 * Opens a PostgreSQL server for tests and benchmarks: the server at `TEST_PG_URL`, or a new one, started in about half a second from the
 * binaries in `node_modules`. Doesn't keep this process alive.
 *
 * @throws Error naming the missing dependency
 */
export async function startPostgres(
  folder?: string,
  existingUrl: string | undefined = process.env.TEST_PG_URL,
): Promise<KeptServer> {
  const serverFolder = folder ?? mkdtempSync(join(tmpdir(), 'pergola-postgres-'));
  const keeper = spawn(
    process.execPath,
    [join(import.meta.dirname, 'keeper.ts'), serverFolder, ...(existingUrl ? [existingUrl] : [])],
    {
      // in a separate session, so that Ctrl-C in the terminal doesn't reach it before the tests have ended
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      windowsHide: true,
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  keeper.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => keeper.once('close', () => resolve()));
  const server = await firstLine(keeper).catch((error: unknown) => {
    rmSync(serverFolder, { recursive: true, force: true });
    throw error;
  });
  for (const part of [keeper, keeper.stdin, keeper.stdout]) if ('unref' in part) (part.unref as () => void).call(part);
  return {
    ...server,
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      await ended;
      if (folder === undefined) rmSync(serverFolder, { recursive: true, force: true });
    },
  };
}

function firstLine(keeper: ChildProcessByStdio<Writable, Readable, null>): Promise<TestServer> {
  return new Promise((resolve, reject) => {
    let text = '';
    keeper.once('error', reject);
    keeper.once('close', (code) =>
      reject(new Error(`the process that runs PostgreSQL for the tests exited with ${code}: ${text}`)),
    );
    keeper.stdout.on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      const line: TestServer | { error: string } = JSON.parse(text.slice(0, text.indexOf('\n')));
      if ('error' in line) reject(new Error(line.error));
      else resolve(line);
    });
  });
}
