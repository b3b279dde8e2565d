import { type FileRef, route, z } from '#core';
import { acceptQuote } from '../services/accept.ts';
import { changeLine } from '../services/change-line.ts';
import { findQuote } from '../services/find-quote.ts';
import { takeSignature } from '../services/signature.ts';

export const orderId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const token = z.string().max(200);
/** As forms, scripts and older clients say yes. */
export const yes = z.union([
  z.boolean(),
  z.null(),
  z.number().transform((value) => value !== 0),
  z.string().transform((text) => !['', '0', 'false', 'False', 'null'].includes(text)),
]);
export const signerName = z
  .string()
  .max(400)
  .transform((text) =>
    text
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 120),
  );
export const perVisitor = { calls: 240, seconds: 60, name: 'quote.change' };

const updateLine = route.rpc(
  '/quote/update_line',
  {
    name: 'quote.update_line',
    writes: true,
    rate: perVisitor,
    input: z.object({ order_id: orderId, token, line_id: orderId, remove: yes.optional(), unlink: yes.optional() }),
  },
  async ({ ctx, input }) => {
    const system = await findQuote(ctx, input.order_id, input.token);
    const change = input.unlink ? 'unlink' : input.remove ? 'less' : 'more';
    return (await changeLine(system, input.order_id, input.line_id, change)) ?? false;
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
    // Pictures are looked at before the transaction; only for whoever has the token.
    prepare: async ({ ctx, input }): Promise<FileRef | null> => {
      await findQuote(ctx, input.order_id, input.token);
      return input.signer ? takeSignature(ctx, input.sign) : null;
    },
    writes: true,
  },
  async ({ ctx, input, prepared: signature, request }) => {
    const system = await findQuote(ctx, input.order_id, input.token);
    if (!input.signer || !signature) return false;
    const { signer, version, total } = input;
    return acceptQuote(system, input.order_id, { signer, signature, ip: request.ip, version, total });
  },
);

export const callRoutes = [updateLine, accept];
