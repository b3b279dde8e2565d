import { ProductProduct, SaleOrderLine } from '#addons/sale';
import type { Ctx, Domain, FieldsOf, Id, RawDomain } from '#core';
import { app } from '#core';
import { ShopOrder } from '../models/sale-order.ts';
import { ShopView, type ViewKind } from '../models/website-sale-view.ts';
import { currencyViews } from '../services/catalogue/price-view.ts';

const DAY = 24 * 60 * 60_000;
/** Products in the table. */
const MOST_PRODUCTS = 25;
/** The steps from a page to an order, in their order. */
const way = [
  'product_view',
  'product_add_to_cart',
  'customer_checkout',
  'order_checkout',
  'order_payment',
  'order_confirmed',
] as const;

/** What the shop did in the last days, for the page of figures. Reads as the caller. */
export async function figuresOf(ctx: Ctx, days: number) {
  const since = new Date(ctx.now().getTime() - (days - 1) * DAY).toISOString().slice(0, 10);
  const kinds = await byKind(ctx, since);
  const funnel = funnelOf(ctx, kinds);
  const sold = await soldSince(ctx, new Date(`${since}T00:00:00Z`));
  return {
    periods: [7, 30, 90, 365].map((number) => ({
      days: number,
      chosen: number === days,
      label: ctx.plural('{n} day', '{n} days', number),
    })),
    sums: [
      { value: number(ctx, funnel[0]?.count ?? 0), label: ctx.t('Product pages seen') },
      { value: number(ctx, sold.orders), label: ctx.t('Orders') },
      ...sold.revenue.map(({ text, average }) => ({
        value: text,
        label: ctx.t('Revenue'),
        note: ctx.t('{amount} per order', { amount: average }),
      })),
      {
        value: percent(ctx, Math.min(sold.orders, funnel[0]?.count ?? 0), funnel[0]?.count ?? 0),
        label: ctx.t('Orders per page seen'),
      },
    ],
    chart: await chartOf(ctx, since, days),
    funnel,
    methods: await methodsOf(ctx, since),
    products: await productsOf(ctx, since, sold.lines),
  };
}

async function byKind(ctx: Ctx, since: string): Promise<Map<ViewKind, number>> {
  const groups = await ctx.model(ShopView).group([['day', '>=', since]], { by: ['kind'], aggregates: ['count:sum'] });
  return new Map(groups.map((group) => [group.kind as ViewKind, Number(group['count:sum'])]));
}

interface Sold {
  readonly orders: number;
  readonly revenue: readonly { readonly text: string; readonly average: string }[];
  readonly lines: ReadonlyMap<Id, { readonly sold: number; readonly revenue: ReadonlyMap<Id, number> }>;
}

/** Orders of the shop that were placed since, and what was on them. */
async function soldSince(ctx: Ctx, since: Date): Promise<Sold> {
  const groups = await ctx.model(ShopOrder).group(
    [
      ['state', 'in', ['sale', 'done']],
      ['date_confirm', '>=', since],
      ['website_id', '!=', null],
    ],
    { by: ['currency_id'], aggregates: ['amount_total:sum'] },
  );
  const ids = groups.map((group) => Number(group.currency_id));
  const currencies = await currencyViews(ctx, ids);
  const money = (amount: number, id: Id): string => {
    const currency = currencies.get(id);
    return currency ? ctx.get(app.formats).formatMoney(Math.round(amount), currency, ctx.lang) : String(amount);
  };
  const byProduct = new Map<Id, { sold: number; revenue: Map<Id, number> }>();
  for (const currency of ids) await addLines(ctx, since, currency, byProduct);
  return {
    orders: groups.reduce((sum, { count }) => sum + count, 0),
    revenue: groups.map((group) => {
      const total = Number(group['amount_total:sum']);
      const id = Number(group.currency_id);
      return { text: money(total, id), average: money(total / Math.max(1, group.count), id) };
    }),
    lines: byProduct,
  };
}

/** What was sold in one currency, by variant. */
async function addLines(
  ctx: Ctx,
  since: Date,
  currency: Id,
  byProduct: Map<Id, { sold: number; revenue: Map<Id, number> }>,
): Promise<void> {
  // The path leads through a field that this addon puts on orders.
  const domain: RawDomain = [
    ['order_id.state', 'in', ['sale', 'done']],
    ['order_id.date_confirm', '>=', since],
    ['order_id.website_id', '!=', null],
    ['order_id.currency_id', '=', currency],
    ['product_id', '!=', null],
  ];
  const lines = await ctx.model(SaleOrderLine).group(domain as Domain<FieldsOf<SaleOrderLine>>, {
    by: ['product_id'],
    aggregates: ['product_uom_qty:sum', 'price_total:sum'],
  });
  for (const row of lines) {
    const product = Number(row.product_id);
    const own = byProduct.get(product) ?? { sold: 0, revenue: new Map<Id, number>() };
    byProduct.set(product, own);
    own.sold += Number(row['product_uom_qty:sum']);
    own.revenue.set(currency, Number(row['price_total:sum']));
  }
}

function funnelOf(ctx: Ctx, kinds: ReadonlyMap<ViewKind, number>) {
  const labels: Readonly<Record<(typeof way)[number], string>> = {
    product_view: ctx.t('Product pages seen'),
    product_add_to_cart: ctx.t('Put in the cart'),
    customer_checkout: ctx.t('Checkouts begun'),
    order_checkout: ctx.t('Addresses given'),
    order_payment: ctx.t('Payments begun'),
    order_confirmed: ctx.t('Thank-you pages seen'),
  };
  // Whoever took a step has taken those before it, also where no page told of them (tickets have no product page).
  const counts = way.map((_, place) => Math.max(...way.slice(place).map((later) => kinds.get(later) ?? 0)));
  return way.map((kind, place) => {
    const count = counts[place] ?? 0;
    const before = counts[place - 1] ?? count;
    return {
      label: labels[kind],
      count,
      percent: before > 0 ? Math.min(100, Math.round((count / before) * 100)) : 0,
      share: place === 0 || before === 0 ? '' : percent(ctx, count, before),
    };
  });
}

async function methodsOf(ctx: Ctx, since: string) {
  const groups = await ctx.model(ShopView).group(
    [
      ['day', '>=', since],
      ['kind', '=', 'order_payment'],
    ],
    { by: ['method'], aggregates: ['count:sum'], order: 'count:sum desc', limit: 10 },
  );
  return groups.map((group) => ({ name: String(group.method ?? '–'), count: Number(group['count:sum']) }));
}

async function productsOf(ctx: Ctx, since: string, sold: Sold['lines']) {
  const groups = await ctx.model(ShopView).group(
    [
      ['day', '>=', since],
      ['kind', 'in', ['product_view', 'product_add_to_cart']],
      ['product_id', '!=', null],
    ],
    { by: ['product_id', 'kind'], aggregates: ['count:sum'] },
  );
  const counts = new Map<Id, { seen: number; added: number }>();
  for (const id of sold.keys()) counts.set(id, { seen: 0, added: 0 });
  for (const group of groups) {
    const id = Number(group.product_id);
    const own = counts.get(id) ?? { seen: 0, added: 0 };
    counts.set(id, own);
    if (group.kind === 'product_view') own.seen += Number(group['count:sum']);
    else own.added += Number(group['count:sum']);
  }
  const top = [...counts]
    .sort(([a, one], [b, other]) => (sold.get(b)?.sold ?? 0) - (sold.get(a)?.sold ?? 0) || other.seen - one.seen)
    .slice(0, MOST_PRODUCTS);
  const names = await ctx.model(ProductProduct).displayNames(top.map(([id]) => id));
  const currencies = await currencyViews(ctx, [
    ...new Set([...sold.values()].flatMap(({ revenue }) => [...revenue.keys()])),
  ]);
  return top.map(([id, { seen, added }]) => ({
    name: names.get(id) ?? '',
    // What was put in a cart, or sold, was seen.
    seen: Math.max(seen, added),
    added,
    sold: sold.get(id)?.sold ?? 0,
    revenue: [...(sold.get(id)?.revenue ?? [])].flatMap(([currency, amount]) => {
      const known = currencies.get(currency);
      return known ? [{ amount: Math.round(amount), currency: known }] : [];
    }),
  }));
}

/** Bars for pages seen and a line for what was put in carts, one for each day. */
async function chartOf(ctx: Ctx, since: string, days: number) {
  const groups = await ctx.model(ShopView).group(
    [
      ['day', '>=', since],
      ['kind', 'in', ['product_view', 'product_add_to_cart']],
    ],
    { by: ['day', 'kind'], aggregates: ['count:sum'] },
  );
  const counts = new Map(groups.map((group) => [`${group.day} ${group.kind}`, Number(group['count:sum'])]));
  const first = new Date(`${since}T00:00:00Z`).getTime();
  const all = Array.from({ length: days }, (_, place) => {
    const day = new Date(first + place * DAY).toISOString().slice(0, 10);
    return {
      day,
      seen: counts.get(`${day} product_view`) ?? 0,
      added: counts.get(`${day} product_add_to_cart`) ?? 0,
    };
  });
  const most = Math.max(1, ...all.map(({ seen, added }) => Math.max(seen, added)));
  const width = 1000;
  const height = 200;
  const step = width / days;
  const y = (count: number): number => Math.round(height - (count / most) * (height - 10));
  return {
    width,
    height,
    label: ctx.t('Product pages seen and products put in the cart, day by day'),
    bars: all.map(({ day, seen, added }, place) => ({
      x: (place * step + step * 0.15).toFixed(1),
      y: y(seen),
      width: (step * 0.7).toFixed(1),
      height: height - y(seen),
      title: `${ctx.get(app.formats).formatDate(day, ctx.lang)}: ${seen} / ${added}`,
    })),
    line: all.map(({ added }, place) => `${(place * step + step / 2).toFixed(1)},${y(added)}`).join(' '),
  };
}

function number(ctx: Ctx, value: number): string {
  return ctx.get(app.formats).formatNumber(value, ctx.lang);
}

function percent(ctx: Ctx, part: number, whole: number): string {
  return whole > 0 ? ctx.get(app.formats).formatNumber(part / whole, ctx.lang, { percent: true, max: 1 }) : '–';
}
