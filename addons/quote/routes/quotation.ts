import { Attachment } from '@pergola/base';
import { Documents, orderDocument } from '@pergola/sale';
import { NotFound, redirect, reply, route, z } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';
import { type PageMessage, pageValues } from '../pages/page.ts';
import { quotationsValues } from '../pages/quotations.ts';
import { noQuote, Quotations } from '../services/quotations.ts';
import { quoteParams } from './params.ts';

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
    const system = await ctx.get(Quotations).find(params.order, params.token);
    const values = await pageValues(system, params.order, params.token, query.message ?? 0);
    return render('quote.page', values);
  },
);

/** URL without the token: redirects users who may read the order with their own rights. */
const ownPage = route.page(
  '/quote/:order(^\\d{1,15}$)',
  { name: 'quote.own_page', params: { order: quoteParams.order }, cache: false },
  async ({ ctx, params, url }) => {
    const path = await ctx.get(Quotations).ownPath(params.order);
    if (!path) throw noQuote();
    return redirect(url(path), 302);
  },
);

/** The signed document, or the quotation as it would print now. */
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
    const system = await ctx.get(Quotations).find(params.order, params.token);
    const { name, signed_document_id: signed } = await system
      .model(QuotedOrder)
      .get(params.order, { select: { name: true, signed_document_id: true } });
    if (signed !== null) {
      const attachment = await system.model(Attachment).get(signed, { select: { datas: true, name: true } });
      if (!attachment.datas) throw new NotFound('This file is no longer available.', { code: 'quote.no_document' });
      return reply.file(attachment.datas, { inline: true, name: attachment.name });
    }
    const content = await system.get(Documents).pdf(await orderDocument(system, params.order));
    return reply.body(content, 'application/pdf', {
      'Content-Disposition': `inline; filename="${(name ?? `quotation-${params.order}`).replace(/[^\w.-]/g, '-')}.pdf"`,
    });
  },
);

/** Picture of the customer's signature, for holders of the link. */
const signature = route.http(
  '/quote/:order(^\\d{1,15}$)/:token/signature',
  {
    name: 'quote.signature',
    method: 'GET',
    params: quoteParams,
    rate: { calls: 60, seconds: 60, name: 'quote.signature' },
  },
  async ({ ctx, params }) => {
    const system = await ctx.get(Quotations).find(params.order, params.token);
    const { signature: picture } = await system.model(QuotedOrder).get(params.order, { select: { signature: true } });
    if (!picture) throw new NotFound('This file is no longer available.', { code: 'quote.no_document' });
    return reply.file(picture, { inline: true, name: 'signature.png' });
  },
);

/** List of the signed-in user's quotations. */
const ownQuotations = route.page(
  '/my/quotations',
  {
    name: 'quote.quotations',
    auth: 'user',
    query: z.object({ page: z.number().int().min(1).catch(1).default(1) }),
    cache: false,
  },
  async ({ ctx, query, render }) => render('quote.quotations', await quotationsValues(ctx, query.page)),
);

export const pageRoutes = [page, ownPage, pdf, signature, ownQuotations];
