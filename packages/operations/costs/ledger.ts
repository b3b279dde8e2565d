import { type CodeAccount, type Ctx, type Log, neverKept } from '@pergola/core';
import { type Database, databaseSession, rowsOf, type TableSpec } from '@pergola/db';
import { type Costs, noFigures, Span, Timeline } from './account.ts';

const TABLE = 'core_cost';

/** How long costs are kept, in minutes. */
export const KEPT_MINUTES = 24 * 60;
/** Interval at which a process stores its costs, in ms. */
const STORE_MS = 10_000;
/**
 * Following the code of a page takes about 5 % of its CPU, so under load only some batches of requests are measured. Batches, because requests
 * that run at the same time affect each other's figures.
 */
const BATCH = 50;
const BATCHES = 5;
/** Pages and jobs listed for a minute; the others count as one page, `*`. */
const MAX_PAGES = 300;

/** One row for each process and minute. */
export const tables: readonly TableSpec[] = [
  {
    name: TABLE,
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'node', kind: 'text', notNull: true },
      { name: 'minute', kind: 'datetime', notNull: true },
      { name: 'pages', kind: 'json', notNull: true },
    ],
    indexes: [
      { name: 'core_cost_node', columns: ['node', 'minute'], unique: true },
      { name: 'core_cost_minute', columns: ['minute'] },
    ],
  },
];

/** Costs of a page by addon, as stored: ms, queries, rows, bytes and errors. */
interface StoredPage {
  requests: number;
  readonly addons: Record<string, [number, number, number, number, number]>;
}

type StoredPages = Record<string, StoredPage>;

/** Costs of the requests and jobs of this process, stored for all processes and commands to read. */
export class CostLedger {
  /** Reads the time, in ms; tests set their own. */
  clock = (): number => performance.now();
  /** Requests between two stores that are all measured; tests set their own. */
  limit = 200;
  readonly #database: Database;
  readonly #log: Log;
  readonly #node: string;
  readonly #line = new Timeline(() => this.clock());
  #requests = 0;
  #minute = 0;
  #pages = new Map<string, StoredPage>();
  #isChanged = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { readonly database: Database; readonly log: Log; readonly node: string }) {
    this.#database = options.database;
    this.#log = options.log;
    this.#node = options.node;
  }

  /** Opens an account. Under load, some requests count for all; `null` for the others, unless their visitor may see the account. */
  open(work: 'job' | 'session' | 'visitor'): CodeAccount | null {
    const excess = work === 'job' ? -1 : this.#requests++ - this.limit;
    if (excess < 0) return this.#open(1);
    if (Math.floor(excess / BATCH) % BATCHES === 2) return this.#open(BATCHES);
    return work === 'session' ? this.#open(0) : null;
  }

  #open(weight: number): CodeAccount {
    return Span.open(this.#line, (page, costs) => this.#book(page, costs, weight));
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#requests = 0;
      void this.store();
    }, STORE_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  /** Stores the costs of the current minute so far. A failure costs no more than these figures. */
  async store(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      await this.#write(this.#minute, Object.fromEntries(this.#pages));
    } catch (error) {
      this.#log.warn({ err: error }, 'The costs of addons could not be stored');
    }
  }

  /** Adds costs of a page, so many times. */
  #book(page: string, costs: Costs, weight: number): void {
    if (weight === 0) return;
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.#minute) {
      void this.store();
      this.#minute = minute;
      this.#pages = new Map();
    }
    const stored = this.#page(page);
    stored.requests += weight;
    for (const [addon, { ms, queries, rows, bytes, errors }] of costs) {
      const figures = stored.addons[addon] ?? [0, 0, 0, 0, 0];
      stored.addons[addon] = figures;
      figures[0] += ms * weight;
      figures[1] += queries * weight;
      figures[2] += rows * weight;
      figures[3] += bytes * weight;
      figures[4] += errors * weight;
    }
    this.#isChanged = true;
  }

  #page(name: string): StoredPage {
    const page = this.#pages.get(name);
    if (page) return page;
    const listed = this.#pages.size < MAX_PAGES ? name : '*';
    const added = this.#pages.get(listed) ?? { requests: 0, addons: {} };
    this.#pages.set(listed, added);
    return added;
  }

  async #write(minute: number, pages: StoredPages): Promise<void> {
    const { knex, codec } = this.#database;
    const at = (moment: number) => codec.encode('datetime', new Date(moment * 60_000));
    const row = { node: this.#node, minute: at(minute), pages: codec.encode('json', pages) };
    const insert = knex(TABLE).insert(row).onConflict(['node', 'minute']).merge(['pages']);
    const expired = knex(TABLE)
      .where('minute', '<', at(minute - KEPT_MINUTES) as number)
      .delete();
    await this.#database.write(
      async (transaction) => {
        await rowsOf(transaction, insert);
        await rowsOf(transaction, expired);
      },
      { label: `store ${TABLE}` },
    );
  }
}

/** Costs of an addon in a number of requests. */
export interface AddonCost {
  /** Name of the addon; `core` is the platform. */
  readonly addon: string;
  /** Total time in which its own code ran or waited for the database, in ms. */
  readonly ms: number;
  readonly queries: number;
  readonly rows: number;
  /** Characters of its markup, and bytes of its scripts, styles and other files. */
  readonly bytes: number;
  readonly errors: number;
  /** Share of the time of all addons, from 0 to 1. */
  readonly share: number;
}

/** Costs of a page or job, or of all. */
export interface CostReport {
  /** Path of the route or of a page without one, `job …`, `/_assets` for files, or `*` for addresses without a page. */
  readonly page: string;
  /** Requests whose page was made; pages from the cache run no code of addons. */
  readonly requests: number;
  readonly ms: number;
  /** The most expensive one first. */
  readonly addons: readonly AddonCost[];
}

/** Costs of each page of the site in the last minutes, the most expensive page first. The caller checks access. */
export function siteCosts(ctx: Ctx, minutes: number): Promise<readonly CostReport[]> {
  neverKept(ctx, 'it shows the latest costs');
  return readCosts(ctx.get(databaseSession).database, minutes);
}

/** Costs of each page in the last minutes, the most expensive page first. */
export async function readCosts(database: Database, minutes: number): Promise<readonly CostReport[]> {
  const { knex, codec } = database;
  // Includes the minute in which the period starts.
  const from = codec.encode('datetime', new Date(Date.now() - (minutes + 1) * 60_000));
  const rows = await rowsOf(
    database.reader,
    knex(TABLE)
      .select('pages')
      .where('minute', '>', from as number),
  );
  const pages = new Map<string, StoredPage[]>();
  for (const row of rows)
    for (const [page, stored] of Object.entries(codec.decode('json', row.pages) as StoredPages))
      pages.set(page, [...(pages.get(page) ?? []), stored]);
  return [...pages].map(([page, stored]) => reportOf(page, stored)).toSorted((a, b) => b.ms - a.ms);
}

function reportOf(page: string, stored: readonly StoredPage[]): CostReport {
  return summed(
    page,
    stored.map(({ requests, addons }) => ({
      requests,
      addons: Object.entries(addons).map(([addon, [ms, queries, rows, bytes, errors]]) => {
        return { addon, ms, queries, rows, bytes, errors };
      }),
    })),
  );
}

/** Adds up reports; `page` names the sum. */
export function summed(
  page: string,
  reports: readonly { readonly requests: number; readonly addons: readonly Omit<AddonCost, 'share'>[] }[],
): CostReport {
  const byAddon = new Map<string, ReturnType<typeof noFigures>>();
  for (const { addon, ms, queries, rows, bytes, errors } of reports.flatMap(({ addons }) => addons)) {
    const sum = byAddon.get(addon) ?? noFigures();
    byAddon.set(addon, sum);
    sum.ms += ms;
    sum.queries += queries;
    sum.rows += rows;
    sum.bytes += bytes;
    sum.errors += errors;
  }
  const total = [...byAddon.values()].reduce((sum, { ms }) => sum + ms, 0);
  const addons = [...byAddon].map(([addon, { ms, ...rest }]) => ({
    addon,
    ...rest,
    ms: Math.round(ms * 10) / 10,
    share: total > 0 ? Math.round((ms / total) * 10_000) / 10_000 : 0,
  }));
  return {
    page,
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    ms: Math.round(total * 10) / 10,
    addons: addons.toSorted((a, b) => b.ms - a.ms),
  };
}

/** Costs of a page, named by its route or by an address that the route serves; null if it wasn't requested. */
export function costsOf(reports: readonly CostReport[], page: string): CostReport | null {
  const matching = (path: string) => reports.filter((report) => report.page === path);
  const [exact] = matching(page);
  if (exact) return exact;
  const fitting = reports.filter(({ page: route }) => route.startsWith('/') && patternOf(route).test(page));
  // The most specific route has the fewest parameters.
  const [route] = fitting.toSorted((a, b) => a.page.split(/[:*]/).length - b.page.split(/[:*]/).length);
  return route ?? null;
}

/** Paths of a route, in any language. */
function patternOf(route: string): RegExp {
  const pattern = route.split(/(\*|:\w+)/).map((text) => {
    if (text.startsWith(':')) return '[^/]+';
    return text === '*' ? '.*' : RegExp.escape(text);
  });
  return new RegExp(`^(/[a-z]{2}([_-][a-z]+)?)?${pattern.join('')}/?$`, 'i');
}
