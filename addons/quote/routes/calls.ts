import { MAX_TOKEN } from '@pergola/sale';
import { action, type FileRef, InvalidInput, route, z } from 'pergola';
import type { SentForm } from 'pergola/http';
import { pricing as pricingShape } from '../islands/pricing.props.ts';
import { QuotedOrder } from '../models/sale-order.ts';
import { pageValues } from '../pages/page.ts';
import { Acceptances } from '../services/acceptances.ts';
import { keepChanges } from '../services/changes.ts';
import { Quotations } from '../services/quotations.ts';
import { Signatures } from '../services/signatures.ts';
import { orderId, perVisitor, signerName, token, yes } from './params.ts';
import { quotePath } from './paths.ts';

/** Returns the path of the quotation that a form belongs to. */
const pageOfQuote = ({ values: { order_id = '', token = '' } }: SentForm): string =>
  `/quote/${encodeURIComponent(order_id)}/${encodeURIComponent(token)}`;

/**
 * Increases or decreases the quantity of a line by one, or removes it. Returns its quantity and the total, or false if the page must be
 * reloaded.
 */
export const updateLine = action(
  '/quote/update_line',
  {
    name: 'quote.update_line',
    rate: perVisitor,
    form: { page: pageOfQuote },
    input: z.object({ order_id: orderId, token, line_id: orderId, remove: yes.optional(), unlink: yes.optional() }),
  },
  async ({ ctx, input }) => {
    const system = await ctx.get(Quotations).find(input.order_id, input.token);
    const change = input.unlink ? 'unlink' : input.remove ? 'less' : 'more';
    return (await system.model(QuotedOrder).changeLine(input.order_id, input.line_id, change)) ?? false;
  },
  ({ input, url }) => url(`${quotePath(input.order_id, input.token)}#pricing`),
);

/** Current lines and totals of the page. */
export const pricing = route.rpc(
  '/quote/pricing',
  { name: 'quote.pricing', rate: perVisitor, input: z.object({ order_id: orderId, token }) },
  async ({ ctx, input }) => {
    const system = await ctx.get(Quotations).find(input.order_id, input.token);
    const values = await pageValues(system, input.order_id, input.token, 0);
    return pricingShape.parse(values.pricing);
  },
);

/**
 * Accepts a quotation. A drawn signature arrives as a picture; without one, the typed name serves as the signature. The call also states
 * the version the customer saw.
 */
export const accept = action(
  '/quote/accept',
  {
    name: 'quote.accept',
    limit: { bytes: 1_000_000 },
    rate: { calls: 120, seconds: 60, name: 'quote.accept' },
    form: { page: pageOfQuote },
    input: z.object({
      order_id: orderId,
      token,
      signer: z.union([signerName, z.literal(false), z.null()]).optional(),
      sign: z.union([z.string(), z.literal(false), z.null()]).optional(),
      typed: z.literal('on').optional(),
      version: z.string().max(MAX_TOKEN).optional(),
      total: z.coerce.number().int().optional(),
    }),
    // Draws and checks pictures before the transaction, and only if the token is right.
    prepare: async ({
      ctx,
      input: { order_id, token, signer, sign, typed: isTyped, version, total },
    }): Promise<FileRef | null> => {
      await ctx.get(Quotations).find(order_id, token);
      if (!signer) return null;
      if (!isTyped) return ctx.get(Signatures).take(sign);
      return version && total !== undefined ? ctx.get(Signatures).draw(signer) : null;
    },
  },
  async ({ ctx, input: { order_id, token, signer, version, total }, prepared: signature, request }) => {
    const system = await ctx.get(Quotations).find(order_id, token);
    if (!signer || !signature) return false;
    const acceptance = { signer, signature, ip: request.ip, version, total };
    const { accepted, changes } = await system.get(Acceptances).accept(order_id, acceptance);
    if (!accepted) await keepChanges(system, order_id, changes);
    return accepted;
  },
  ({ input, result, url }) => {
    requireSignature(input);
    return url(`${quotePath(input.order_id, input.token)}?message=${result ? 3 : 4}`);
  },
);

/**
 * Requires a name and consent in the form without JavaScript; calls return false instead.
 *
 * @throws InvalidInput without a name, or without consent to sign with it
 */
function requireSignature({
  signer,
  sign,
  typed: isTyped,
}: {
  signer?: unknown;
  sign?: unknown;
  typed?: unknown;
}): void {
  if (sign) return;
  const fields = {
    ...(signer ? {} : { signer: 'Enter your name.' }),
    ...(isTyped ? {} : { typed: 'Tick this box to sign with your typed name.' }),
  };
  if (Object.keys(fields).length > 0)
    throw new InvalidInput('Check the highlighted fields.', { code: 'quote.no_signature', fields });
}

export const callRoutes = [updateLine, pricing, accept];
