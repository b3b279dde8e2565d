import { type Ctx, type Id, NotFound, timingSafeEqualText } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';

/** Where the customer reads a quotation. */
export function quotePath(id: Id, token: string): string {
  return `/quote/${id}/${token}`;
}

/**
 * A context in which the quotation may be read and changed for its customer, once the token has shown that it is theirs.
 *
 * @throws NotFound alike for a wrong token and a quotation that is not there
 */
export async function findQuote(ctx: Ctx, id: Id, token: string): Promise<Ctx> {
  // The token is the customer's right: 128 bit, bound to the order. Everything that follows is limited to this order by its callers.
  const system = ctx.sudo();
  const row = await system
    .model(QuotedOrder)
    .first([['id', '=', id]], { select: { access_token: true, is_quotation: true } });
  const right = timingSafeEqualText(token, row?.access_token ?? 'no such quotation');
  if (!row?.is_quotation || !right) throw noQuote();
  return system;
}

export function noQuote(): NotFound {
  return new NotFound('There is no such quotation.', { code: 'quote.no_quote' });
}

/** Whether a quotation can no longer be accepted: the day it is valid until is over, in the site's zone. */
export function isExpired(ctx: Ctx, validity: string | null): boolean {
  return validity !== null && validity < ctx.today();
}
