import { SaleOrder } from '@pergola/sale';
import { pagerOf, shortened } from '@pergola/website';
import type { Ctx, Domain, FieldsOf } from 'pergola';
import { currencyViews } from '../services/catalogue/price-view.ts';
import { orderUrls } from '../services/order-url.ts';
import { t } from '../texts.ts';

/** Number of orders per page. */
const PER_PAGE = 20;
/** Maximum length of an order's summary in the list. */
const MAX_SUMMARY = 90;

function ownOrders(ctx: Ctx): Domain<FieldsOf<SaleOrder>> {
  return ctx.model(SaleOrder).customerOrders(ctx.user.partnerId ?? 0) as Domain<FieldsOf<SaleOrder>>;
}

/** Counts the caller's orders. */
export async function countOrders(ctx: Ctx): Promise<number> {
  return ctx.sudo().model(SaleOrder).count(ownOrders(ctx)); // Counts the caller's own orders only.
}

/** Returns the values of a page of the caller's orders. */
export async function ordersValues(ctx: Ctx, pageNumber: number) {
  const model = ctx.sudo().model(SaleOrder); // Reads the caller's own orders only.
  const domain = ownOrders(ctx);
  const pager = pagerOf({
    page: pageNumber,
    count: await model.count(domain),
    size: PER_PAGE,
    address: (page) => (page === 1 ? '/my/orders' : `/my/orders?page=${page}`),
  });
  const rows = await model.find(domain, {
    select: {
      name: true,
      date_order: true,
      state: true,
      amount_total: true,
      currency_id: true,
      transaction_ids: true,
      order_line: { name: true },
    },
    limit: PER_PAGE,
    offset: pager.offset,
  });
  const currencies = await currencyViews(
    ctx,
    rows.map(({ currency_id }) => currency_id),
  );
  const ids = rows.map(({ id }) => id);
  const urls = await orderUrls(ctx, ids);
  // Orders by salespeople link to the page where they were accepted.
  const paths = await model.threadPaths(ids);
  return {
    orders: rows.map((row) => ({
      url: paths.get(row.id) || (urls.get(row.id) ?? ''),
      name: row.name ?? '',
      holds: shortened(row.order_line.map((line) => (line.name ?? '').split('\n')[0]).join(', '), MAX_SUMMARY),
      date: row.date_order,
      state: stateText(ctx, row.state, row.transaction_ids.length > 0),
      total: row.amount_total ?? 0,
      currency: currencies.get(row.currency_id),
    })),
    pager,
  };
}

/** `paying`: whether a payment was started; if not, a sent order is a quotation awaiting the customer. */
export function stateText(ctx: Ctx, state: string, paying: boolean): string {
  switch (state) {
    case 'sent':
      return paying ? t(ctx, 'Awaiting payment') : t(ctx, 'Quotation sent');
    case 'sale':
      return t(ctx, 'Confirmed');
    case 'done':
      return t(ctx, 'Completed');
    case 'cancel':
      return t(ctx, 'Cancelled');
    default:
      return t(ctx, 'Draft');
  }
}
