import { action, type FileRef, route, z } from '#core';
import { pricing as pricingShape } from '../islands/pricing.props.ts';
import { QuotedOrder } from '../models/sale-order.ts';
import { pageValues } from '../pages/page.ts';
import { Acceptances } from '../services/acceptances.ts';
import { Quotations } from '../services/quotations.ts';
import { Signatures } from '../services/signatures.ts';
import { orderId, perVisitor, signerName, token, yes } from './params.ts';
import { quotePath } from './paths.ts';

/** One more of a line, one less, or none: answers its quantity and the total; false where the page is to be read again. */
export const updateLine = action(
  '/quote/update_line',
  {
    name: 'quote.update_line',
    rate: perVisitor,
    input: z.object({ order_id: orderId, token, line_id: orderId, remove: yes.optional(), unlink: yes.optional() }),
  },
  async ({ ctx, input }) => {
    const system = await ctx.get(Quotations).find(input.order_id, input.token);
    const change = input.unlink ? 'unlink' : input.remove ? 'less' : 'more';
    return (await system.model(QuotedOrder).changeLine(input.order_id, input.line_id, change)) ?? false;
  },
  ({ input, url }) => url(`${quotePath(input.order_id, input.token)}#pricing`),
);

/** Lines and sums as the page shows them now. */
const pricing = route.rpc(
  '/quote/pricing',
  { name: 'quote.pricing', rate: perVisitor, input: z.object({ order_id: orderId, token }) },
  async ({ ctx, input }) => {
    const system = await ctx.get(Quotations).find(input.order_id, input.token);
    const values = await pageValues(system, input.order_id, input.token, 0);
    return pricingShape.parse(values.pricing);
  },
);

const accept = route.rpc(
  '/quote/accept',
  {
    name: 'quote.accept',
    limit: { bytes: 1_000_000 },
    rate: { calls: 120, seconds: 60, name: 'quote.accept' },
    input: z.object({
      order_id: orderId,
      token,
      signer: z.union([signerName, z.literal(false), z.null()]).optional(),
      sign: z.union([z.string(), z.literal(false), z.null()]).optional(),
      version: z.string().max(100).optional(),
      total: z.number().int().optional(),
    }),
    // Pictures are checked before the transaction, and only with the right token.
    prepare: async ({ ctx, input }): Promise<FileRef | null> => {
      await ctx.get(Quotations).find(input.order_id, input.token);
      return input.signer ? ctx.get(Signatures).take(input.sign) : null;
    },
    writes: true,
  },
  async ({ ctx, input, prepared: signature, request }) => {
    const system = await ctx.get(Quotations).find(input.order_id, input.token);
    if (!input.signer || !signature) return false;
    const { signer, version, total } = input;
    return system.get(Acceptances).accept(input.order_id, { signer, signature, ip: request.ip, version, total });
  },
);

export const callRoutes = [updateLine, pricing, accept];
