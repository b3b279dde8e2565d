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

/** One check that goes through the routes of a site with all addons. */
export interface SweepCheck {
  /** As in `docs/security-checks.md`. */
  readonly id: string;
  readonly title: string;
  run(sweep: Sweep): Promise<Finding[]>;
}

export type Listing = RouteListing;

/** A site with all addons and demo data, and what sweeps ask of it. */
export interface Sweep {
  readonly app: TestApp;
  readonly routes: readonly Listing[];
  readonly admin: Client;
  readonly customer: Client;
  /** A visitor nobody has seen, from an address of its own: limits count for each. */
  stranger(): Client;
  /** Calls a route with these values, as its kind is called. */
  ask(client: Client, route: Listing, path: string, values: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Fingerprints of all tables, but those that count visits and hold sessions, jobs and the like. */
  tables(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** Tables that a refused request may touch: who came, how often, and when something was looked at. */
const untold = /^(core_|sqlite_)|_fts|_log$|_view$|^res_users_log|rate|session/;

/** Starts the site; the first time of a run takes half a minute. */
export async function openSweep(database: 'sqlite' | 'postgres'): Promise<Sweep> {
  registerResolve([...addonRoots(), join(repository, 'tools/testing/fixtures')]);
  const folder = makeRunFolder();
  process.env.TMPDIR = folder;
  // What is sent as a password is sent as everything else too.
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

/** The path of a route with something for each of its parameters. */
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
  const names = (await rowsOf(reader, listing)).map(({ name }) => String(name)).filter((name) => !untold.test(name));
  const found = new Map<string, string>();
  for (const name of names) {
    const rows = (await rowsOf(reader, knex(name).select('*'))).map((row) => JSON.stringify(row)).sort();
    found.set(name, `${rows.length} ${createHash('sha256').update(rows.join('\n')).digest('hex')}`);
  }
  return found;
}

/** Names of tables that are not as they were. */
export function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);
}

/** A finding of things that must not be: how many of how many, and the first of them. */
export function none(what: string, tried: number, bad: readonly string[]): Finding {
  const shown = [...new Set(bad)].slice(0, 5).join(', ').replaceAll('|', '\\|').replaceAll('\n', ' ');
  return {
    what,
    value: bad.length === 0 ? `0 of ${tried}` : `${bad.length} of ${tried}: ${shown}`,
    limit: '0',
    holds: bad.length === 0,
  };
}

/** What must never reach anybody: stacks, folders, the words of a database (O3 of the checks). */
export const leak = /\bat .+\.(ts|js):\d+|node_modules|SQLITE_|SQLSTATE|\bselect .+ from "/i;

/** The answer to a call; where there were too many within a minute, the one after that minute. */
export async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  const seconds = Number(answer.headers.get('retry-after') ?? 0);
  if (seconds === 0 || seconds > 60 || !answer.text.includes('core.too_many_calls')) return answer;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return ask();
}

/** Whether an answer is one that a server in good health gives to bad input. */
export const isSound = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  (status < 500 || status === 503) && !leak.test(text);
