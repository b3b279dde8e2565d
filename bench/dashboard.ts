import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Ctx } from 'pergola';
import pg from 'pg';
import { Client, type TestApp, type TestAppOptions } from '../tools/testing/index.ts';
import { openPostgres, serveApp, startRole } from './app-process.ts';
import { median } from './harness.ts';

/**
 * The backend's start page, for an administrator of the demo site with 100,000 more orders, their lines, payments, emails and page views
 * over three years: all widgets in one call, as the browser requests them, and each on its own (limit: 300 ms for all). Also measures the
 * sales lists that the page links to. `--many 100000` sets the number of orders, `--dialect postgres` the database.
 */
const DAY = 86_400_000;
const DAYS = 1095;
/** Orders per statement: SQLite inserts up to 500 rows at once, and an order has three lines. */
const BATCH = 150;

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { many: { type: 'string', default: '100000' }, dialect: { type: 'string', default: 'sqlite' } },
  });
  const postgres = values.dialect === 'postgres' ? await openPostgres() : null;
  const server = await startRole(import.meta.url, 'serve', values.many, values.dialect);
  try {
    const client = new Client(server.url);
    await client.form('/web/login', { login: 'admin', password: 'admin' });
    const call = (model: string, method: string, args: unknown[], kwargs: object = {}): Promise<unknown> =>
      client.rpc('/web/dataset/call_kw', { model, method, args, kwargs });
    const dashboard = (): Promise<{ widgets: { id: string; content: unknown }[] }> =>
      client.rpc('/web/backend/dashboard', {});
    const { widgets } = await dashboard();
    const failedWidgets = widgets.filter(({ content }) => content === null);
    if (failedWidgets.length > 0) throw new Error(`Failed widgets: ${failedWidgets.map(({ id }) => id).join(', ')}.`);
    const lines = [`| ${values.many} orders (${values.dialect}) | ms |`, '| --- | --- |'];
    const note = (label: string, time: number): unknown => lines.push(`| ${label} | ${time.toFixed(1)} |`);
    note('all widgets', await timeOf(dashboard));
    const ids = widgets.map(({ id }) => id);
    for (const widgetId of ids) {
      const value = { order: ids, hidden: ids.filter((id) => id !== widgetId) };
      await call('web.preference', 'remember', [{ key: 'dashboard', value }]);
      note(widgetId, await timeOf(dashboard));
    }
    const sold = [['state', 'in', ['sale', 'done']]];
    for (const [model, field, groupFields] of [
      ['sale.order', 'amount_total', ['date_order:month', 'state']],
      ['sale.order.line', 'price_total', ['order_date:month', 'categ_id']],
    ] as const) {
      const kwargs = { domain: sold, fields: [field], groupby: groupFields, lazy: false };
      note(`${model} by ${groupFields.join(' and ')}`, await timeOf(() => call(model, 'read_group', [], kwargs)));
    }
    console.log(`${lines.join('\n')}\nLimit: 300 ms for all widgets.`);
  } finally {
    await server.stop();
    await postgres?.close();
  }
}

/** Median of nine runs in milliseconds, after three that warm up caches. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 12; time++) {
    const from = performance.now();
    await work();
    if (time >= 3) times.push(performance.now() - from);
  }
  return median(times);
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Inserts orders modelled on a demo order directly, since the models would take an hour. Nine of ten are sold; the rest are carts,
 * quotations and cancelled orders.
 */
async function fillOrders(ctx: Ctx, from: number, number: number): Promise<void> {
  const templateRow = async (table: string, where: object): Promise<Row> => {
    const { id: _id, ...row } = await ctx.db(table).where(where).orderBy('id').first();
    return row;
  };
  const payment: Row = await templateRow('payment_transaction', { state: 'done' });
  const order: Row = await templateRow('sale_order', { id: payment.sale_order_id });
  const line: Row = await templateRow('sale_order_line', { order_id: payment.sale_order_id });
  const view: Row = await templateRow('website_sale_view', {});
  const products = await ctx.db('product_product').select('id').orderBy('id');
  const productOf = (place: number): unknown => products[place % products.length]?.id;
  const now = ctx.now().getTime();
  const date = (place: number, column: unknown): unknown => {
    const moment = now - ((place * 7919) % (DAYS * 24)) * (DAY / 24);
    // Dates as this database stores them.
    return typeof column === 'number' ? moment : new Date(moment);
  };
  const places = Array.from({ length: number }, (_, index) => from + index);
  const orders = await ctx.db('sale_order').insert(
    places.map((place) => {
      const state = ['cancel', 'draft', 'sent', 'draft', 'sale'][place % 50] ?? 'done';
      const sold = state === 'sale' || state === 'done';
      return {
        ...order,
        ...{ state, name: `M${place}`, is_cart: place % 50 === 1, blocked_reason: place % 9973 === 4 ? 'short' : null },
        ...{ access_token: randomBytes(16).toString('base64url'), payment_state: sold ? 'paid' : 'none' },
        ...{ date_order: date(place, order.date_order), date_confirm: sold ? date(place, order.date_order) : null },
      };
    }),
    ['id', 'state'],
  );
  await ctx
    .db('sale_order_line')
    .insert(
      orders.flatMap(({ id }) =>
        [1, 2, 3].map((piece) => ({ ...line, order_id: id, product_id: productOf(Number(id) * 3 + piece) })),
      ),
    );
  await ctx.db('payment_transaction').insert(
    orders
      .filter(({ state }) => state === 'sale' || state === 'done')
      .map(({ id }) => ({
        ...payment,
        ...{ reference: `M${id}`, sale_order_id: id, idempotency_key: `M${id}`, is_open: false },
        state: Number(id) % 997 === 0 ? 'pending' : 'done',
      })),
  );
  const mail = { name: 'sale.confirmed', email: 'ada@example.com', subject: 'Your order', html: '<p></p>', text: '' };
  const create_date = date(0, order.date_order);
  await ctx
    .db('core_outbox')
    .insert(places.map((place) => ({ ...mail, message_id: `<${place}@measured>`, state: 'sent', create_date })));
  const kinds = ['product_view', 'product_add_to_cart', 'customer_checkout', 'order_payment', 'order_confirmed'];
  const visits = places.map((place) => {
    const day = new Date(now - (place % DAYS) * DAY).toISOString().slice(0, 10);
    return { ...view, day, kind: kinds[place % kinds.length], product_id: productOf(place) };
  });
  await ctx.db('website_sale_view').insert(visits);
}

async function serve(app: TestApp, number: number, dialect: TestAppOptions['database']): Promise<string> {
  for (let from = 0; from < number; from += BATCH)
    await app.write((ctx) => fillOrders(ctx, from, Math.min(BATCH, number - from)));
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

const [role, number, dialect] = process.argv.slice(2);
if (role === 'serve') {
  const database = dialect === 'postgres' ? 'postgres' : 'sqlite';
  const addons = ['website_sale', 'website_event', 'forum', 'quote', 'mass_mailing', 'dribblo'];
  await serveApp({ addons, database, demo: true }, (app) => serve(app, Number(number), database));
} else await measure();
