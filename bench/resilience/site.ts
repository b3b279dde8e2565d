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

/** What a check showed beside what it allows. */
export interface Finding {
  readonly what: string;
  readonly value: string;
  readonly limit: string;
  readonly holds: boolean;
}

/** One check of `docs/security-checks.md`. */
export interface Check {
  readonly id: string;
  readonly title: string;
  run(): Promise<Finding[]>;
}

export type Dialect = 'sqlite' | 'postgres';

/** A site of one or more nodes, with demo data, in processes of their own. */
export interface Site extends AsyncDisposable {
  readonly dialect: Dialect;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Starts a node; a second one needs PostgreSQL, or the same machine. `env` goes over the site's. */
  node(env?: Readonly<Record<string, string>>): Promise<RunningServer>;
}

/** `server`: the PostgreSQL to use, if not one that is started for the site. */
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

/** Writes addons into a folder of the site (texts of their files by path); answers the folder, for `ADDONS_PATH`. */
export function placeAddons(site: Site, files: Readonly<Record<string, string>>): string {
  const addons = join(site.dataDir, 'addons');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(addons, path, '..'), { recursive: true });
    writeFileSync(join(addons, path), text);
  }
  return addons;
}

/** Runs a command of the command line on a site's database; throws what it printed when it fails. */
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

/** A signed-in client of one node; demo accounts have their name for a password. */
export async function signedIn(url: string, login = 'admin'): Promise<Client> {
  const client = new Client(url);
  await client.rpc('/web/session/authenticate', { db: '', login, password: login });
  return client;
}

export function call<T = unknown>(client: Client, model: string, method: string, ...args: unknown[]): Promise<T> {
  return client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
}

/** Names of the contacts that begin so. */
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

export function finding(what: string, value: string | number, limit: string, holds: boolean): Finding {
  return { what, value: String(value), limit, holds };
}

/** The value below which this share of all lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Asks for a page again and again until stopped; answers how long each took, in ms, and what was no 200. */
export function watchPage(url: string, pauseMs = 10): { stop(): Promise<{ times: number[]; failed: string[] }> } {
  const [times, failed]: [number[], string[]] = [[], []];
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const began = performance.now();
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
        await answer.text();
        if (answer.status !== 200) failed.push(String(answer.status));
      } catch (error) {
        failed.push(String(error));
      }
      times.push(performance.now() - began);
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
