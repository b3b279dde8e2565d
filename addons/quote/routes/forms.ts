import { redirect, route, z } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';
import { Quotations } from '../services/quotations.ts';
import { orderId, perVisitor, quoteParams } from './params.ts';
import { quotePath } from './paths.ts';

const base = '/quote/:order(^\\d{1,15}$)/:token';
const rate = { calls: 30, seconds: 60, name: 'quote.say' };

const addOption = route.form(
  '/quote/add_line/:option(^\\d{1,15}$)/:order(^\\d{1,15}$)/:token',
  {
    name: 'quote.add_line',
    page: '/quote/:order/:token',
    params: { ...quoteParams, option: orderId },
    writes: true,
    rate: perVisitor,
    body: z.object({}),
  },
  async ({ ctx, params, url }) => {
    const system = await ctx.get(Quotations).find(params.order, params.token);
    const isTaken = await system.model(QuotedOrder).takeOption(params.order, params.option);
    return redirect(url(`${quotePath(params.order, params.token)}${isTaken ? '#pricing' : '?message=4'}`));
  },
);

const decline = route.form(
  `${base}/decline`,
  {
    name: 'quote.decline',
    page: '/quote/:order/:token',
    params: quoteParams,
    writes: true,
    rate,
    body: z.object({ decline_message: z.string().max(5_000).optional() }),
  },
  async ({ ctx, params, body, url }) => {
    const system = await ctx.get(Quotations).find(params.order, params.token);
    const declined = await system.model(QuotedOrder).decline(params.order, body.decline_message?.trim() ?? '');
    return redirect(url(`${quotePath(params.order, params.token)}?message=${declined ? 2 : 4}`));
  },
);

const comment = route.form(
  `${base}/post`,
  {
    name: 'quote.post',
    page: '/quote/:order/:token',
    params: quoteParams,
    writes: true,
    rate,
    body: z.object({ comment: z.string().trim().min(1, 'Enter a message.').max(5_000, 'This is too long.') }),
  },
  async ({ ctx, params, body, url }) => {
    const system = await ctx.get(Quotations).find(params.order, params.token);
    await system.model(QuotedOrder).postAsCustomer(params.order, { text: body.comment });
    return redirect(url(`${quotePath(params.order, params.token)}?message=1#discussion`));
  },
);

/** Records a view by the customer, reported by the browser because reading a page doesn't write. */
const viewed = route.form(
  `${base}/viewed`,
  { name: 'quote.viewed', params: quoteParams, writes: true, beacon: true, multilang: false, rate, body: z.object({}) },
  async ({ ctx, params, url }) => {
    const system = await ctx.get(Quotations).find(params.order, params.token);
    if (!ctx.has('base.group_user')) await system.model(QuotedOrder).trackView(params.order);
    return redirect(url(quotePath(params.order, params.token)));
  },
);

export const formRoutes = [addOption, decline, comment, viewed];
