import { type CodeAccount, type Ctx, type Log, neverKept } from '@pergola/core';
import { type Database, databaseSession, rowsOf, type TableSpec } from '@pergola/db';
import { type Costs, noFigures, Span, Timeline } from './account.ts';

const TABLE = 'core_cost';

/** How long costs are kept, in minutes. */
export const KEPT_MINUTES = 24 * 60;
/** Interval at which a process stores its costs, in ms. */
const STORE_MS = 10_000;
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

/** Costs of an addon: ms, queries, rows, bytes and errors. */
type StoredFigures = [number, number, number, number, number];

/** Costs of a page by addon, as stored. */
interface StoredPage {
  requests: number;
  readonly addons: Record<string, StoredFigures>;
}

type StoredPages = Record<string, StoredPage>;

/** Costs of the requests and jobs of this process, stored for all processes and commands to read. */
export class CostLedger {
  /** Reads the time, in ms; tests set their own. */
  clock = (): number => performance.now();
  /** Requests to measure between two stores. Following their code takes about 5 % of their CPU, so under load these few count for all. */
  limit = 200;
  readonly #database: Database;
  readonly #log: Log;
  readonly #node: string;
  readonly #line = new Timeline(() => this.clock());
  /** Costs since `#since`. */
  #pages = new Map<string, StoredPage>();
  #since = performance.now();
  #requests = 0;
  /** When the limit was reached; null if it wasn't. */
  #measuredUntil: number | null = null;
  #minute = 0;
  #minutePages = new Map<string, StoredPage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { readonly database: Database; readonly log: Log; readonly node: string }) {
    this.#database = options.database;
    this.#log = options.log;
    this.#node = options.node;
  }

  /** Measures all requests for a while, not some of them: those that run at the same time must be told apart. */
  open(work: 'job' | 'session' | 'visitor'): CodeAccount | null {
    if (work === 'job' || this.#measuredUntil === null)
      return Span.open(this.#line, (page, costs) => this.#book(page, costs));
    return work === 'session' ? Span.open(this.#line, () => {}) : null;
  }

  start(): void {
    this.#timer = setInterval(() => void this.store(), STORE_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  /** Stores the costs of the current minute so far. A failure costs no more than these figures. */
  async store(): Promise<void> {
    const pages = this.#pages;
    const now = performance.now();
    const weight = this.#measuredUntil === null ? 1 : (now - this.#since) / (this.#measuredUntil - this.#since);
    this.#pages = new Map();
    this.#since = now;
    this.#requests = 0;
    this.#measuredUntil = null;
    if (pages.size === 0) return;
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.#minute) this.#minutePages = new Map();
    this.#minute = minute;
    for (const [name, { requests, addons }] of pages) {
      const added = { requests, costs: Object.entries(addons) };
      addTo(this.#minutePages, name, added, name.startsWith('job ') ? 1 : weight);
    }
    try {
      await this.#write(minute, Object.fromEntries(this.#minutePages));
    } catch (error) {
      this.#log.warn({ err: error }, 'The costs of addons could not be stored');
    }
  }

  #book(page: string, costs: Costs): void {
    const figures = [...costs].map(([addon, { ms, queries, rows, bytes, errors }]): [string, StoredFigures] => [
      addon,
      [ms, queries, rows, bytes, errors],
    ]);
    addTo(this.#pages, page, { requests: 1, costs: figures }, 1);
    this.#requests += 1;
    if (this.#requests === this.limit) this.#measuredUntil = performance.now();
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

/** Adds costs of a page, so many times. */
function addTo(
  pages: Map<string, StoredPage>,
  name: string,
  { requests, costs }: { readonly requests: number; readonly costs: readonly [string, StoredFigures][] },
  weight: number,
): void {
  const listed = pages.has(name) || pages.size < MAX_PAGES ? name : '*';
  const page = pages.get(listed) ?? { requests: 0, addons: {} };
  pages.set(listed, page);
  page.requests += requests * weight;
  for (const [addon, figures] of costs) {
    const sums = page.addons[addon] ?? [0, 0, 0, 0, 0];
    page.addons[addon] = sums;
    for (const [index, figure] of figures.entries()) sums[index] = (sums[index] ?? 0) + figure * weight;
  }
}

/** What an addon cost within some requests. */
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
  // A minute that began before the period still belongs to it.
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
      addons: Object.entries(addons).map(([addon, [ms, queries, rows, bytes, errors]]) => ({
        ...{ addon, ms, queries, rows, bytes, errors },
      })),
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
  const addons = [...byAddon].map(([addon, { ms, queries, rows, bytes, errors }]) => ({
    addon,
    queries: Math.round(queries),
    rows: Math.round(rows),
    bytes: Math.round(bytes),
    errors: Math.round(errors),
    ms: Math.round(ms * 10) / 10,
    share: total > 0 ? Math.round((ms / total) * 10_000) / 10_000 : 0,
  }));
  return {
    page,
    requests: Math.round(reports.reduce((sum, { requests }) => sum + requests, 0)),
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
