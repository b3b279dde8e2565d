import { Attachment } from '#addons/base';
import { Documents, orderDocument, SaleOrder } from '#addons/sale';
import { type Ctx, type Id, NotFound, redirect, reply, route, z } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';
import { findQuote, noQuote, quotePath } from '../services/find-quote.ts';
import { type PageMessage, pageValues } from '../services/page-values.ts';

const order = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const quoteParams = { order, token: z.string().max(200) };

const messages = z.coerce
  .number()
  .int()
  .min(0)
  .max(4)
  .catch(0)
  .transform((value): PageMessage => value as PageMessage);

const page = route.page(
  '/quote/:order(^\\d{1,15}$)/:token',
  {
    name: 'quote.page',
    params: quoteParams,
    query: z.object({ message: messages.optional() }),
    cache: false,
    rate: { calls: 300, seconds: 60, name: 'quote.page' },
  },
  async ({ ctx, params, query, render }) => {
    const system = await findQuote(ctx, params.order, params.token);
    const values = await pageValues(system, params.order, params.token, query.message ?? 0);
    return render('quote.page', { ...values, staff: ctx.has('base.group_user') });
  },
);

/** Without the token: for whoever may read the order with their own rights, who is led on to its page. */
const ownPage = route.page(
  '/quote/:order(^\\d{1,15}$)',
  { name: 'quote.own_page', params: { order }, cache: false },
  async ({ ctx, params, url }) => {
    const path = await ownPath(ctx, params.order);
    if (!path) throw noQuote();
    return redirect(url(path), 302);
  },
);

async function ownPath(ctx: Ctx, id: Id): Promise<string | null> {
  if (ctx.user.id === null) return null;
  try {
    if ((await ctx.model(SaleOrder).allowed([id], 'read')).length === 0) return null;
  } catch {
    // No right on orders at all is no right on this one.
    return null;
  }
  // The reader may read the order; its page is reached by the token.
  const row = await ctx
    .sudo()
    .model(QuotedOrder)
    .first([['id', '=', id]], { select: { access_token: true, is_quotation: true } });
  return row?.is_quotation ? quotePath(id, row.access_token) : null;
}

/** The signed document, or what the quotation looks like on paper now. */
const pdf = route.http(
  '/quote/:order(^\\d{1,15}$)/:token/pdf',
  {
    name: 'quote.pdf',
    method: 'GET',
    multilang: true,
    params: quoteParams,
    rate: { calls: 30, seconds: 60, name: 'quote.pdf' },
  },
  async ({ ctx, params }) => {
    const system = await findQuote(ctx, params.order, params.token);
    const { name, signed_document_id: signed } = await system
      .model(QuotedOrder)
      .get(params.order, { select: { name: true, signed_document_id: true } });
    if (signed !== null) {
      const kept = await system.model(Attachment).get(signed, { select: { datas: true, name: true } });
      if (!kept.datas) throw new NotFound('The file is no longer there.', { code: 'quote.no_document' });
      return reply.file(kept.datas, { inline: true, name: kept.name });
    }
    const content = await system.get(Documents).pdf(await orderDocument(system, params.order));
    return reply.body(content, 'application/pdf', {
      'Content-Disposition': `inline; filename="${(name ?? `quotation-${params.order}`).replace(/[^\w.-]/g, '-')}.pdf"`,
    });
  },
);

export const pageRoutes = [page, ownPage, pdf];
