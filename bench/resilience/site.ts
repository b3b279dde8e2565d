import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@pergola/core';
import { Client } from '../../tools/testing/client.ts';
import { freePort } from '../../tools/testing/free-port.ts';
import { query, withDatabase } from '../../tools/testing/postgres/server.ts';
import { startPostgres } from '../../tools/testing/postgres/start.ts';
import { type RunningServer, startServer } from '../../tools/testing/server.ts';

/** A measured value of a check with its limit. */
export interface Finding {
  readonly label: string;
  readonly value: string;
  readonly limit: string;
  readonly holds: boolean;
}

/** A check of `docs/security-checks.md`. */
export interface Check {
  readonly id: string;
  readonly title: string;
  run(): Promise<Finding[]>;
}

export type Dialect = 'sqlite' | 'postgres';

/** A site with demo data and one or more nodes, in their own processes. */
export interface Site extends AsyncDisposable {
  readonly dialect: Dialect;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Starts a node; a second one needs PostgreSQL or the same machine. `env` overrides the site's variables. */
  node(env?: Readonly<Record<string, string>>): Promise<RunningServer>;
}

/** @param server URL of a PostgreSQL server to use; by default one is started for the site */
export async function openSite(dialect: Dialect, server?: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'pergola-check-'));
  const postgres = dialect === 'postgres' && server === undefined ? await startPostgres() : null;
  const url = server ?? postgres?.url;
  let databaseUrl = `sqlite:${join(folder, 'site.db')}`;
  if (url !== undefined) {
    await query(url, ['CREATE DATABASE site']);
    databaseUrl = withDatabase(url, 'site');
  }
  const nodes: RunningServer[] = [];
  const secret = randomBytes(24).toString('hex');
  return {
    dialect,
    databaseUrl,
    dataDir: folder,
    async node(env = {}) {
      const port = env.PORT ?? String(await freePort());
      const node = await startServer({
        env: { DATA_DIR: folder, DATABASE_URL: databaseUrl, SESSION_SECRET: secret, DEMO: 'true', PORT: port, ...env },
        timeout: 180_000,
      });
      nodes.push(node);
      return node;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.remove().catch(() => {})));
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Writes addons into a folder of the site (file contents by path). Returns the folder, for `ADDONS_PATH`. */
export function placeAddons(site: Site, files: Readonly<Record<string, string>>): string {
  const addons = join(site.dataDir, 'addons');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(addons, path, '..'), { recursive: true });
    writeFileSync(join(addons, path), text);
  }
  return addons;
}

/**
 * Runs a `pergola` command on a site's database.
 *
 * @throws Error with the command's output if it fails
 */
export function pergola(
  words: string[],
  databaseUrl: string,
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const env = {
    PATH: process.env.PATH ?? '',
    UV_THREADPOOL_SIZE: '16',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ...more,
  };
  return promisify(execFile)(process.execPath, [join(repository, 'bin/pergola.js'), ...words], { env, cwd: dataDir });
}

/** Returns a signed-in client of one node; the password of demo accounts is their login. */
export async function signedIn(url: string, login = 'admin'): Promise<Client> {
  const client = new Client(url);
  await client.rpc('/web/session/authenticate', { db: '', login, password: login });
  return client;
}

export function call<T = unknown>(client: Client, model: string, method: string, ...args: unknown[]): Promise<T> {
  return client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
}

/** Returns the names of contacts that start with this prefix. */
export async function contacts(client: Client, prefix: string): Promise<string[]> {
  const rows = await call<{ name: string }[]>(
    client,
    'res.partner',
    'search_read',
    [['name', 'like', prefix]],
    ['name'],
  );
  return rows.map(({ name }) => name);
}

export function finding(label: string, value: string | number, limit: string, holds: boolean): Finding {
  return { label, value: String(value), limit, holds };
}

/** Returns the value below which this share of all values lies, or 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Requests a page repeatedly until stopped. Returns the response times in ms, and every response other than 200. */
export function watchPage(url: string, pauseMs = 10): { stop(): Promise<{ times: number[]; failed: string[] }> } {
  const [times, failed]: [number[], string[]] = [[], []];
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const startedAt = performance.now();
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
        await response.text();
        if (response.status !== 200) failed.push(String(response.status));
      } catch (error) {
        failed.push(String(error));
      }
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const running = loop();
  return {
    async stop() {
      stopped = true;
      await running;
      return { times, failed };
    },
  };
}
