import { figure, firstStep, type WidgetContent, widget } from '@pergola/web';
import { app, type Ctx, fromMinor } from 'pergola';
import { PaymentRefund } from './models/payment-refund.ts';
import { PaymentTransaction } from './models/payment-transaction.ts';
import { ProductStock } from './models/product-stock.ts';
import { ProductTemplate } from './models/product-template.ts';
import { SaleCompany } from './models/res-company.ts';
import { SaleOrder } from './models/sale-order.ts';
import { currencies } from './services/currencies.ts';
import { formatAmount } from './services/formats.ts';
import { Payments } from './services/payment/payments.ts';
import { sellingCompany } from './services/tax/default-tax.ts';
import { lowStock } from './settings.ts';
import { t } from './texts.ts';

const user = ['sale.group_sale_user'];
const manager = ['sale.group_sale_manager'];
const DAY = 86_400_000;
/** Number of days in the sales chart, compared with the same number of days before. */
const DAYS = 30;
/** Number of lines in the list of low stock. */
const MAX_ROWS = 5;

export const widgets = [
  widget('sale.trend', { label: 'Sales', icon: 'graph-up', groups: user, models: [SaleOrder], load: salesTrend }),
  widget('sale.orders', {
    label: 'Orders',
    icon: 'receipt',
    groups: user,
    figures: [
      figure(SaleOrder, { label: 'To fulfil', menu: 'sale.menu_orders', filter: 'to_treat' }),
      figure(SaleOrder, { label: 'Awaiting payment', menu: 'sale.menu_orders', filter: 'unpaid' }),
      figure(SaleOrder, { label: 'Open quotations', menu: 'sale.menu_quotations' }),
    ],
  }),
  widget('sale.payments', {
    label: 'Payments to review',
    icon: 'exclamation-triangle',
    groups: user,
    figures: [
      figure(SaleOrder, { label: 'Payment issues', menu: 'sale.menu_blocked', urgent: true }),
      figure(PaymentTransaction, {
        label: 'Pending payments',
        menu: 'sale.menu_payments',
        domain: () => [['state', '=', 'pending']],
      }),
    ],
  }),
  widget('sale.refunds', {
    label: 'Refunds due',
    icon: 'arrow-counterclockwise',
    groups: user,
    models: [PaymentRefund],
    figures: [
      figure(PaymentRefund, { label: 'To transfer', menu: 'sale.menu_refunds', filter: 'to_transfer', urgent: true }),
      figure(SaleOrder, { label: 'Orders with a refund due', menu: 'sale.menu_refund_due' }),
    ],
    load: refundsToTransfer,
  }),
  widget('sale.stock', {
    label: 'Low stock',
    icon: 'boxes',
    groups: user,
    models: [ProductStock],
    figures: [
      figure(ProductStock, { label: 'Nearly sold out', menu: 'sale.menu_stock', domain: lowStockDomain, urgent: true }),
    ],
    load: lowestStock,
  }),
];

/** Amount to transfer per currency, and the oldest refund. Hidden once no refund is due. */
async function refundsToTransfer(ctx: Ctx): Promise<WidgetContent> {
  const refunds = await ctx.model(PaymentRefund).find([['state', '=', 'to_transfer']], {
    select: { amount: true, currency_id: true, reference: true, create_date: true },
    order: 'create_date, id',
  });
  const [oldest] = refunds;
  if (!oldest)
    return { over: (await ctx.model(SaleOrder).count([['payment_state', '=', 'refund_due']], { most: 1 })) === 0 };
  const sums = [...Map.groupBy(refunds, ({ currency_id }) => currency_id ?? 0)].map(
    ([currency, groupRefunds]) => [currency, groupRefunds.reduce((sum, { amount }) => sum + amount, 0)] as const,
  );
  const texts = await Promise.all(sums.map(([currency, sum]) => formatAmount(ctx, sum, currency)));
  const day = ctx.get(app.formats).formatDay(oldest.create_date ?? ctx.now(), ctx.timezone, ctx.lang, 'medium');
  return {
    lines: [
      ...texts.map((amount) => ({
        label: t(ctx, '{amount} to transfer', { amount }),
        to: { menu: 'sale.menu_refunds', filter: 'to_transfer' },
      })),
      {
        label: t(ctx, 'Oldest: {reference}', { reference: oldest.reference }),
        note: day,
        to: { model: 'payment.refund', id: oldest.id, menu: 'sale.menu_refunds' },
      },
    ],
  };
}

/** Domain of tracked products with low stock. */
async function lowStockDomain(ctx: Ctx) {
  return [
    ['quantity', '<=', await ctx.settings.get(lowStock)],
    ['product_id.product_tmpl_id.inventory', '=', 'kept'],
    ['product_id.active', '=', true],
  ] as const;
}

async function lowestStock(ctx: Ctx): Promise<WidgetContent> {
  const [belowThreshold, tracked, active] = await lowStockDomain(ctx);
  const rows = await ctx.model(ProductStock).find([belowThreshold, tracked, active], {
    select: { quantity: true, display_name: true },
    order: 'quantity, id',
    limit: MAX_ROWS,
  });
  return {
    lines: rows.map(({ id, display_name, quantity }) => ({
      label: display_name,
      count: quantity,
      to: { model: 'product.stock', id, menu: 'sale.menu_stock' },
    })),
  };
}

/** Confirmed sales of the last days, a line per currency, compared with the same number of days before. */
async function salesTrend(ctx: Ctx): Promise<WidgetContent> {
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
  const currencyById = await currencies.get(ctx, [...new Set(groups.map(({ currency_id }) => Number(currency_id)))]);
  const earliest = dayBefore(first, DAYS);
  return {
    trend: {
      labels: days,
      series: [...currencyById.values()].map((currency) => {
        const currencyGroups = groups.filter(({ currency_id }) => currency_id === currency.id);
        const byDay = new Map(
          currencyGroups.map((group) => [String(group['date_confirm:day']), Number(group['amount_total:sum'])]),
        );
        const amount = (minor: number): number => Number(fromMinor(minor, currency));
        const previousTotal = [...byDay].reduce(
          (sum, [day, value]) => (day >= earliest && day < first ? sum + value : sum),
          0,
        );
        return {
          label: t(ctx, 'confirmed in the last {n} days', { n: DAYS }),
          currency: currency.code,
          values: days.map((day) => amount(byDay.get(day) ?? 0)),
          before: amount(previousTotal),
        };
      }),
      to: { menu: 'sale.menu_orders', view: 'graph' },
    },
  };
}

/** Returns the last days in the user's time zone, ending with today. */
function lastDays(ctx: Ctx, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayBefore(ctx.today(), count - 1 - index));
}

function dayBefore(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY).toISOString().slice(0, 10);
}

export const firstSteps = [
  firstStep('sale.step_taxes', {
    label: 'Set up taxes: choose your country',
    url: '/web/m/account.tax.setup/new?menu=sale.menu_tax_setup',
    groups: manager,
    done: async (ctx) => {
      const system = ctx.sudo(); // Managers choose taxes, but may lack the right to read companies.
      const { account_sale_tax_id, tax_country } = await system
        .model(SaleCompany)
        .get(await sellingCompany(system), { select: { account_sale_tax_id: true, tax_country: true } });
      return account_sale_tax_id !== null || tax_country !== null;
    },
  }),
  firstStep('sale.step_paid', {
    label: 'Set up payments: bank account and payment methods',
    url: async (ctx) => {
      const company = await sellingCompany(ctx.sudo()); // The selling company is public.
      const { bank_account } = await ctx.model(SaleCompany).get(company, { select: { bank_account: true } });
      return bank_account
        ? '/web/m/payment.acquirer?menu=sale.menu_acquirers'
        : `/web/m/res.company/${company}?menu=web.menu_companies`;
    },
    done: async (ctx) => {
      const system = ctx.sudo(); // Offers to customers are public.
      const methods = await system.get(Payments).offered(await sellingCompany(system));
      return methods.some(({ test }) => !test);
    },
  }),
  firstStep('sale.step_product', {
    label: 'Create your first product',
    url: '/web/m/product.template/new?menu=sale.menu_products',
    groups: manager,
    // Products shipped with an app have no author.
    done: async (ctx) =>
      (await ctx.model(ProductTemplate).count(
        [
          ['sale_ok', '=', true],
          ['create_uid', '!=', null],
        ],
        { most: 1 },
      )) > 0,
  }),
];
