import { type FileRef, redirect, route, z } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';
import { acceptQuote } from '../services/accept.ts';
import { changeLine, takeOption } from '../services/change-line.ts';
import { findQuote, quotePath } from '../services/find-quote.ts';
import { post } from '../services/post.ts';
import { drawSignature } from '../services/signature.ts';
import { orderId, perVisitor, signerName, token, yes } from './calls.ts';
import { quoteParams } from './page.ts';

const base = '/quote/:order(^\\d{1,15}$)/:token';
const rate = { calls: 30, seconds: 60, name: 'quote.say' };

/** `update_line` without JavaScript. */
const updateLine = route.form(
  '/quote/update_line/form',
  {
    name: 'quote.update_line_form',
    writes: true,
    rate: perVisitor,
    body: z.object({ order_id: orderId, token, line_id: orderId, remove: yes.optional(), unlink: yes.optional() }),
  },
  async ({ ctx, body, url }) => {
    const system = await findQuote(ctx, body.order_id, body.token);
    const change = body.unlink ? 'unlink' : body.remove ? 'less' : 'more';
    await changeLine(system, body.order_id, body.line_id, change);
    return redirect(url(`${quotePath(body.order_id, body.token)}#pricing`));
  },
);

/** Accepting without JavaScript, where nothing can be drawn: the name, drawn as it was typed, is the signature. */
const accept = route.form(
  '/quote/accept/form',
  {
    name: 'quote.accept_form',
    writes: true,
    rate: { calls: 30, seconds: 60, name: 'quote.accept_form' },
    body: z.object({
      order_id: orderId,
      token,
      signer: signerName.optional(),
      typed: z.literal('on').optional(),
      version: z.string().min(1).max(100),
      total: z.coerce.number().int(),
    }),
    // Pictures are made before the transaction; only for whoever has the token.
    prepare: async ({ ctx, body }): Promise<FileRef | null> => {
      await findQuote(ctx, body.order_id, body.token);
      return body.signer && body.typed ? drawSignature(ctx, body.signer) : null;
    },
  },
  async ({ ctx, body, prepared: signature, request, url }) => {
    const system = await findQuote(ctx, body.order_id, body.token);
    const { signer, version, total } = body;
    const done =
      signer && signature
        ? await acceptQuote(system, body.order_id, { signer, signature, ip: request.ip, version, total })
        : false;
    return redirect(url(`${quotePath(body.order_id, body.token)}?message=${done ? 3 : 4}`));
  },
);

const addOption = route.form(
  '/quote/add_line/:option(^\\d{1,15}$)/:order(^\\d{1,15}$)/:token',
  {
    name: 'quote.add_line',
    params: { ...quoteParams, option: orderId },
    writes: true,
    rate: perVisitor,
    body: z.object({}),
  },
  async ({ ctx, params, url }) => {
    const system = await findQuote(ctx, params.order, params.token);
    const taken = await takeOption(system, params.order, params.option);
    return redirect(url(`${quotePath(params.order, params.token)}${taken ? '#pricing' : '?message=4'}`));
  },
);

const decline = route.form(
  `${base}/decline`,
  {
    name: 'quote.decline',
    params: quoteParams,
    writes: true,
    rate,
    body: z.object({ decline_message: z.string().max(5_000).optional() }),
  },
  async ({ ctx, params, body, url }) => {
    const system = await findQuote(ctx, params.order, params.token);
    const done = redirect(url(`${quotePath(params.order, params.token)}?message=2`));
    await system.lock(QuotedOrder, [params.order]);
    const orders = system.model(QuotedOrder);
    const { state } = await orders.get(params.order, { select: { state: true } });
    if (state !== 'sent') return redirect(url(`${quotePath(params.order, params.token)}?message=4`));
    const reason = body.decline_message?.trim() ?? '';
    await orders.cancel([params.order]);
    await orders.write(params.order, { decline_reason: reason || null });
    await post(system, params.order, { say: (speaking) => speaking.t('Quotation declined') });
    if (reason) await post(system, params.order, { text: reason });
    return done;
  },
);

const comment = route.form(
  `${base}/post`,
  {
    name: 'quote.post',
    params: quoteParams,
    writes: true,
    rate,
    body: z.object({ comment: z.string().trim().min(1, 'Please write something.').max(5_000, 'This is too long.') }),
    invalid: ({ params, url }) => redirect(url(`${quotePath(params.order, params.token)}#discussion`)),
  },
  async ({ ctx, params, body, url }) => {
    const system = await findQuote(ctx, params.order, params.token);
    await post(system, params.order, { text: body.comment });
    return redirect(url(`${quotePath(params.order, params.token)}?message=1#discussion`));
  },
);

/** That the customer has looked at it, once a day; told by their browser, so that reading a page writes nothing. */
const viewed = route.form(
  `${base}/viewed`,
  { name: 'quote.viewed', params: quoteParams, writes: true, multilang: false, rate, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const system = await findQuote(ctx, params.order, params.token);
    const done = redirect(url(quotePath(params.order, params.token)));
    if (ctx.has('base.group_user')) return done;
    await system.lock(QuotedOrder, [params.order]);
    const orders = system.model(QuotedOrder);
    const { viewed_date: last, state } = await orders.get(params.order, { select: { viewed_date: true, state: true } });
    const today = ctx.now().toISOString().slice(0, 10);
    if (state !== 'sent' || last?.toISOString().slice(0, 10) === today) return done;
    await orders.write(params.order, { viewed_date: ctx.now() });
    await post(system, params.order, { say: (speaking) => speaking.t('Quotation viewed by the customer') });
    return done;
  },
);

export const formRoutes = [updateLine, accept, addOption, decline, comment, viewed];
