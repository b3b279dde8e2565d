import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addonRoots, registerResolve, repository } from '@pergola/core';
import { rowsOf } from '@pergola/db';
import { type RouteListing, routes } from '@pergola/http';
import { type Answer, type Client, createTestApp, type TestApp } from '../../tools/testing/index.ts';
import { makeRunFolder, removeRunFolder } from '../../tools/testing/jest/run-folder.ts';
import { openPostgres } from '../app-process.ts';
import type { Finding } from '../resilience/site.ts';

/** A check that goes through the routes of a site with all addons. */
export interface SweepCheck {
  /** As in `docs/security-checks.md`. */
  readonly id: string;
  readonly title: string;
  run(sweep: Sweep): Promise<Finding[]>;
}

export type Listing = RouteListing;

/** A site with all addons and demo data, with the helpers for sweeps. */
export interface Sweep {
  readonly app: TestApp;
  readonly routes: readonly Listing[];
  readonly admin: Client;
  readonly customer: Client;
  /** A new visitor with a separate IP address, because limits count per address. */
  stranger(): Client;
  /** Calls a route with these values in the way its kind requires. */
  ask(client: Client, route: Listing, path: string, values: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Fingerprints of all tables, except those for visits, sessions, jobs and the like. */
  tables(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Tables that even a refused request may change: visits, counters, view times. */
const ignoredTables = /^(core_|sqlite_)|_fts|_log$|_view$|^res_users_log|rate|session/;

/** Starts the site; the first time in a run takes half a minute. */
export async function openSweep(database: 'sqlite' | 'postgres'): Promise<Sweep> {
  registerResolve([...addonRoots(), join(repository, 'tools/testing/fixtures')]);
  const folder = makeRunFolder();
  process.env.TMPDIR = folder;
  // The sweep sends the same values as passwords and elsewhere, so checking the log for passwords would give false alarms.
  process.env.TEST_LOG ??= 'silent';
  const postgres = database === 'postgres' ? await openPostgres() : null;
  const addons = readdirSync(join(repository, 'addons')).filter((name) =>
    existsSync(join(repository, 'addons', name, 'addon.ts')),
  );
  const app = await createTestApp({ addons, database, demo: true, env: { TRUSTED_PROXIES: 'loopback' } });
  let strangers = 0;
  return {
    app,
    routes: app.application.generation.get(routes).list(),
    admin: await app.as('admin'),
    customer: await app.as('portal'),
    stranger() {
      strangers += 1;
      return app.visitor(`10.${(strangers >> 16) & 255}.${(strangers >> 8) & 255}.${strangers & 255}`);
    },
    ask: (client, route, path, values) => ask(app, client, route, path, values),
    tables: () => fingerprints(app),
    async close() {
      await app.close();
      await postgres?.close();
      removeRunFolder(folder);
    },
  };
}

/** Fills each parameter of a route's path with this value. */
export function filled(path: string, value: string): string {
  const segment = encodeURIComponent(value.toWellFormed());
  return path.replace(/:[a-z_]+(\([^)]*\))?\??/gi, segment).replace('*', segment);
}

/** Whether a route is called by JSON-RPC. */
export const isCall = (route: Pick<Listing, 'kind'>): boolean => route.kind === 'rpc' || route.kind === 'json';

function ask(
  app: TestApp,
  client: Client,
  route: Listing,
  path: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  if (isCall(route) && route.method === 'POST') {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: values });
    return client.post(path, { body, headers: { 'Content-Type': 'application/json', Origin: app.url } });
  }
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return route.method === 'POST' ? client.form(path, texts) : client.get(`${path}?${new URLSearchParams(texts)}`);
}

async function fingerprints(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const { database } = app;
  const { knex, reader } = database;
  const listing =
    database.dialect === 'sqlite'
      ? knex('sqlite_master').select('name').where({ type: 'table' })
      : knex('information_schema.tables').select('table_name as name').where({ table_schema: 'public' });
  const names = (await rowsOf(reader, listing))
    .map(({ name }) => String(name))
    .filter((name) => !ignoredTables.test(name));
  const tablePrints = new Map<string, string>();
  for (const name of names) {
    const rows = (await rowsOf(reader, knex(name).select('*'))).map((row) => JSON.stringify(row)).sort();
    tablePrints.set(name, `${rows.length} ${createHash('sha256').update(rows.join('\n')).digest('hex')}`);
  }
  return tablePrints;
}

/** Names of tables that have changed. */
export function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);
}

/** A finding that expects zero bad cases: their number, the total, and the first ones. */
export function expectNone(label: string, tryCount: number, bad: readonly string[]): Finding {
  const examples = [...new Set(bad)].slice(0, 5).join(', ').replaceAll('|', '\\|').replaceAll('\n', ' ');
  return {
    label,
    value: bad.length === 0 ? `0 of ${tryCount}` : `${bad.length} of ${tryCount}: ${examples}`,
    limit: '0',
    holds: bad.length === 0,
  };
}

/** Internals that must never leak: stack traces, folders, database errors (O3 of the checks). */
export const leak = /\bat .+\.(ts|js):\d+|node_modules|SQLITE_|SQLSTATE|\bselect .+ from "/i;

/** Repeats a call once after the rate limit's wait and returns its response. */
export async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  const response = await ask();
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  if (seconds === 0 || seconds > 60 || !response.text.includes('core.too_many_calls')) return response;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return ask();
}

/** Whether a response is one that a healthy server gives to bad input. */
export const isSound = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  (status < 500 || status === 503) && !leak.test(text);
