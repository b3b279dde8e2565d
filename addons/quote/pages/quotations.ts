import { currencyFormats } from '@pergola/sale';
import { pagerOf } from '@pergola/website';
import type { Ctx, Domain, FieldsOf } from 'pergola';
import { isExpired, openQuotations, QuotedOrder } from '../models/sale-order.ts';
import { quotePath } from '../routes/paths.ts';
import { t } from '../texts.ts';

const PER_PAGE = 20;

function quotationDomain(ctx: Ctx): Domain<FieldsOf<InstanceType<typeof QuotedOrder>>> {
  return [['partner_id', 'child_of', ctx.user.partnerId ?? 0], ...openQuotations];
}

/** Counts the caller's quotations that aren't accepted yet. */
export async function countQuotations(ctx: Ctx): Promise<number> {
  return ctx.sudo().model(QuotedOrder).count(quotationDomain(ctx)); // Counts the caller's own quotations only.
}

/** Returns the values of a page of the caller's quotations; accepted ones are listed as orders. */
export async function quotationsValues(ctx: Ctx, pageNumber: number) {
  const model = ctx.sudo().model(QuotedOrder); // Reads the caller's own quotations only, with the tokens that open them.
  const pager = pagerOf({
    page: pageNumber,
    count: await model.count(quotationDomain(ctx)),
    size: PER_PAGE,
    address: (page) => (page === 1 ? '/my/quotations' : `/my/quotations?page=${page}`),
  });
  const rows = await model.find(quotationDomain(ctx), {
    select: {
      name: true,
      date_order: true,
      state: true,
      validity_date: true,
      amount_total: true,
      currency_id: true,
      access_token: true,
    },
    limit: PER_PAGE,
    offset: pager.offset,
  });
  const currencies = await currencyFormats(ctx, [...new Set(rows.map(({ currency_id }) => currency_id))]);
  return {
    quotations: rows.map((row) => ({
      url: quotePath(row.id, row.access_token ?? ''),
      name: row.name ?? t(ctx, 'Quotation'),
      date: row.date_order,
      until: row.validity_date,
      state: stateText(ctx, row.state, row.validity_date),
      total: row.amount_total ?? 0,
      currency: currencies.get(row.currency_id),
    })),
    pager,
  };
}

function stateText(ctx: Ctx, state: string, validity: string | null): string {
  if (state === 'cancel') return t(ctx, 'Declined or withdrawn');
  return isExpired(ctx, validity) ? t(ctx, 'Expired') : t(ctx, 'Awaiting your answer');
}
