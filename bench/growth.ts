import { parseArgs } from 'node:util';
import type { Ctx } from 'pergola';
import pg from 'pg';
import { ForumPost } from '../addons/forum/index.ts';
import { EventEvent, EventTicket } from '../addons/website_event/index.ts';
import type { TestApp, TestAppOptions } from '../tools/testing/index.ts';
import { openPostgres, serveApp, startRole } from './app-process.ts';
import { median } from './harness.ts';
import { fillShop } from './shop-products.ts';

/**
 * Uncached pages of a large site compared with the same pages of a small one, one request at a time: lists, their filters and searches, and
 * a record's page. Limit: 2 times.
 *
 * First argument: `events`, `shop` or `forum`; `--many 10000` sets the number of records on the large site, `--dialect postgres` the
 * database.
 */
interface Kind {
  readonly addon: string;
  readonly paths: readonly string[];
  /** Records on the small site: enough to fill a page of each list, so that both sites show the same amount. */
  readonly few: number;
  /** Default number of records on the large site, and records created per transaction. */
  readonly many: number;
  readonly batch: number;
  fill(ctx: Ctx, from: number, number: number): Promise<unknown>;
}

const kinds: Readonly<Record<string, Kind>> = {
  events: {
    addon: 'website_event',
    paths: [
      '/event',
      '/event?date=month',
      '/event?date=old',
      '/event?search=word77',
      '/event/page/3',
      '/event/measured-1/register',
    ],
    few: 100,
    many: 10_000,
    batch: 250,
    fill: fillEvents,
  },
  shop: {
    addon: 'website_sale',
    paths: [
      '/shop',
      '/shop?order=newest',
      '/shop?order=price_asc',
      '/shop?order=name',
      '/shop?search=Product+77',
      '/shop?search=useful',
      '/shop?attrib=1-1',
      '/shop?attrib=1-1&attrib=4-301',
      '/shop?page=5',
      '/shop?all=1',
      '/shop/product/product-7-8',
    ],
    few: 2000,
    many: 100_000,
    batch: 500,
    fill: fillShop,
  },
  forum: {
    addon: 'forum',
    paths: [
      '/forum/help-1',
      '/forum/help-1?sorting=vote',
      '/forum/help-1?filters=unanswered',
      '/forum/help-1/page/3',
      '/forum/help-1?search=w0',
      '/forum/help-1?search=w12+w7',
      '/forum/help-1?search=w19999',
      '/forum/help-1/question/measured-5',
    ],
    few: 100,
    many: 1_000_000,
    batch: 10_000,
    fill: fillForum,
  },
};

async function measure(name: string): Promise<void> {
  const { values } = parseArgs({
    options: { many: { type: 'string' }, dialect: { type: 'string', default: 'sqlite' } },
    strict: false,
    allowPositionals: true,
  });
  const kind = kinds[name];
  if (!kind) throw new Error(`Name a site: ${Object.keys(kinds).join(', ')}.`);
  const many = Number(values.many ?? kind.many);
  const dialect = String(values.dialect);
  const postgres = dialect === 'postgres' ? await openPostgres() : null;
  const small = await startRole(import.meta.url, 'serve', name, String(kind.few), dialect);
  const large = await startRole(import.meta.url, 'serve', name, String(many), dialect);
  try {
    const lines = [`| page (${dialect}) | ${kind.few}, ms | ${many}, ms | ratio |`, '| --- | --- | --- | --- |'];
    for (const path of kind.paths) {
      const [less, more] = [await medianTime(small.url + path), await medianTime(large.url + path)];
      lines.push(`| ${path} | ${less.toFixed(1)} | ${more.toFixed(1)} | ${(more / less).toFixed(2)} |`);
    }
    console.log(`${lines.join('\n')}\nLimit: 2 times the small one.`);
  } finally {
    await Promise.all([small, large].map((server) => server.stop()));
    await postgres?.close();
  }
}

/** Median of nine requests, after three that warm up caches. */
async function medianTime(url: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 12; time++) {
    const from = performance.now();
    const reply = await fetch(`${url}${url.includes('?') ? '&' : '?'}fresh=${time}`);
    await reply.text();
    if (!reply.ok) throw new Error(`${url} returned status ${reply.status}.`);
    if (time >= 3) times.push(performance.now() - from);
  }
  return median(times);
}

/** Creates events over three years, a third of them past, with two ticket types each. */
async function fillEvents(ctx: Ctx, from: number, number: number): Promise<void> {
  const hour = 3_600_000;
  const now = ctx.now().getTime();
  const ids = await ctx.model(EventEvent).create(
    Array.from({ length: number }, (_, place) => {
      const date_begin = new Date(now + ((((from + place) * 37) % (1095 * 24)) - 365 * 24) * hour);
      return {
        name: `Measured ${from + place} word${(from + place) % 100}`,
        date_begin,
        date_end: new Date(date_begin.getTime() + 3 * hour),
        date_tz: 'Europe/Paris',
        seats_max: 50,
        website_published: true,
        state: 'confirm' as const,
      };
    }),
  );
  await ctx
    .model(EventTicket)
    .create(ids.flatMap((event_id) => ['Standard', 'Reduced'].map((name) => ({ event_id, name, price: '10' }))));
}

/** Inserts questions with ranked words (the first occur in most texts) directly; a million would take the models an hour. */
async function fillForum(ctx: Ctx, from: number, number: number): Promise<void> {
  const words = (count: number): string =>
    Array.from({ length: count }, () => `w${Math.floor(20_000 * Math.random() ** 3)}`).join(' ');
  if (from === 0) {
    const forum_id = await ctx.ref('forum.forum_help');
    await ctx.model(ForumPost).create({ forum_id, name: 'Measured', content: '<p>w1 w2</p>' });
  }
  const [like = {}] = await ctx.db('forum_post').where({ name: 'Measured' }).limit(1);
  const { id: _id, ...row } = like as Record<string, unknown>;
  for (let remaining = number; remaining > 0; remaining -= 500) {
    const rows = Array.from({ length: Math.min(500, remaining) }, () => {
      const [name, text] = [words(6), words(40)];
      const createdAt = ctx.now().getTime() - Math.floor(Math.random() * 900 * 86_400_000);
      // Dates as this database stores them.
      const date = typeof row.create_date === 'number' ? createdAt : new Date(createdAt);
      return {
        ...row,
        ...{ name, name__fold: name, content: `<p>${text}</p>`, words__text: `${name} ${text}` },
        ...{ create_date: date, last_activity_date: date, vote_count: Math.floor(Math.random() * 20) },
      };
    });
    await ctx.db('forum_post').insert(rows);
  }
}

async function serve(app: TestApp, name: string, number: number, dialect: TestAppOptions['database']): Promise<string> {
  const kind = kinds[name];
  if (!kind) throw new Error(`Unknown site "${name}".`);
  for (let from = 0; from < number; from += kind.batch)
    await app.write((ctx) => kind.fill(ctx, from, Math.min(kind.batch, number - from)));
  await app.runJobs();
  // The server does this in the background a minute later.
  if (dialect === 'postgres') {
    const client = new pg.Client({ connectionString: app.config.databaseUrl });
    await client.connect();
    await client.query('vacuum (analyze)');
    await client.end();
  }
  return '';
}

const [role, ...options] = process.argv.slice(2);
if (role === 'serve') {
  const [name = '', number, dialect] = options;
  const database = dialect === 'postgres' ? 'postgres' : 'sqlite';
  await serveApp({ addons: [kinds[name]?.addon ?? ''], database }, (app) => serve(app, name, Number(number), database));
} else await measure(role ?? '');
