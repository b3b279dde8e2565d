import { figure, firstStep, type WidgetContent, widget } from '#addons/web';
import { type Ctx, fromMinor } from '#core';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { ProductStock } from './models/product-stock.ts';
import { ProductTemplate } from './models/product-template.ts';
import { SaleOrder } from './models/sale-order.ts';
import { currencies } from './services/currencies.ts';
import { lowStock } from './settings.ts';

const user = ['sale.group_sale_user'];
const DAY = 86_400_000;
/** Days of the course of sales; it is compared with as many before. */
const DAYS = 30;
/** Lines of what is nearly sold out. */
const LEAST_LEFT = 5;

export const widgets = [
  widget('sale.trend', { label: 'Sales', icon: 'graph-up', groups: user, models: [SaleOrder], load: trendOfSales }),
  widget('sale.orders', {
    label: 'Orders',
    icon: 'receipt',
    groups: user,
    figures: [
      figure(SaleOrder, { label: 'To treat', menu: 'sale.menu_orders', filter: 'to_treat' }),
      figure(SaleOrder, { label: 'Waiting for money', menu: 'sale.menu_orders', filter: 'unpaid' }),
      figure(SaleOrder, { label: 'Open quotations', menu: 'sale.menu_quotations' }),
    ],
  }),
  widget('sale.payments', {
    label: 'Payments to review',
    icon: 'exclamation-triangle',
    groups: user,
    figures: [
      figure(SaleOrder, { label: 'Paid, but something is wrong', menu: 'sale.menu_blocked', urgent: true }),
      figure(PaymentTransaction, {
        label: 'Payments pending',
        menu: 'sale.menu_payments',
        domain: () => [['state', '=', 'pending']],
      }),
    ],
  }),
  widget('sale.stock', {
    label: 'Low stock',
    icon: 'boxes',
    groups: user,
    models: [ProductStock],
    figures: [figure(ProductStock, { label: 'Nearly sold out', menu: 'sale.menu_stock', domain: isLow, urgent: true })],
    load: leastLeft,
  }),
];

/** Of what is sold while there is some, that of which few are left. */
async function isLow(ctx: Ctx) {
  return [
    ['quantity', '<=', await ctx.settings.get(lowStock)],
    ['product_id.product_tmpl_id.inventory', '=', 'kept'],
    ['product_id.active', '=', true],
  ] as const;
}

async function leastLeft(ctx: Ctx): Promise<WidgetContent> {
  const [few, kept, active] = await isLow(ctx);
  const rows = await ctx.model(ProductStock).find([few, kept, active], {
    select: { quantity: true, display_name: true },
    order: 'quantity, id',
    limit: LEAST_LEFT,
  });
  return {
    lines: rows.map(({ id, display_name, quantity }) => ({
      label: display_name,
      count: quantity,
      to: { model: 'product.stock', id, menu: 'sale.menu_stock' },
    })),
  };
}

/** What was confirmed in the last days, a line for each currency, beside what it came to in as many days before. */
async function trendOfSales(ctx: Ctx): Promise<WidgetContent> {
  const days = lastDays(ctx, DAYS);
  const [first = ctx.today()] = days;
  const since = new Date(Date.parse(`${first}T00:00:00Z`) - (DAYS + 1) * DAY);
  const groups = await ctx.model(SaleOrder).group(
    [
      ['date_confirm', '>=', since],
      ['state', 'in', ['sale', 'done']],
    ],
    { by: ['currency_id', 'date_confirm:day'], aggregates: ['amount_total:sum'] },
  );
  const known = await currencies.get(ctx, [...new Set(groups.map(({ currency_id }) => Number(currency_id)))]);
  const earliest = dayBefore(first, DAYS);
  return {
    trend: {
      labels: days,
      series: [...known.values()].map((currency) => {
        const own = groups.filter(({ currency_id }) => currency_id === currency.id);
        const byDay = new Map(
          own.map((group) => [String(group['date_confirm:day']), Number(group['amount_total:sum'])]),
        );
        const amount = (minor: number): number => Number(fromMinor(minor, currency));
        const before = [...byDay].reduce(
          (sum, [day, value]) => (day >= earliest && day < first ? sum + value : sum),
          0,
        );
        return {
          label: ctx.t('confirmed in the last {n} days', { n: DAYS }),
          currency: currency.code,
          values: days.map((day) => amount(byDay.get(day) ?? 0)),
          before: amount(before),
        };
      }),
      to: { menu: 'sale.menu_orders', view: 'graph' },
    },
  };
}

/** The last days as the user counts them, today the last. */
function lastDays(ctx: Ctx, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayBefore(ctx.today(), count - 1 - index));
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY).toISOString().slice(0, 10);
}

export const firstSteps = [
  firstStep('sale.step_product', {
    label: 'Sell something: make your first product',
    url: '/web/m/product.template?menu=sale.menu_products',
    groups: ['sale.group_sale_manager'],
    done: async (ctx) => (await ctx.model(ProductTemplate).count([['sale_ok', '=', true]], { most: 1 })) > 0,
  }),
];
