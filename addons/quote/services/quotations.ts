import { SaleOrder } from '@pergola/sale';
import { app, type Ctx, type Id, NotFound, service, timingSafeEqualText } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';
import { quotePath } from '../routes/paths.ts';

/** Access to quotations: for the customer, by the token in the URL, and for users who may read the order. */
export class Quotations extends service('quote.quotations', { ctx: app.ctx }) {
  /**
   * Returns a context for reading and changing the quotation on behalf of its customer, after checking the token.
   *
   * @throws NotFound for a wrong token as well as for an unknown quotation
   */
  async find(id: Id, token: string): Promise<Ctx> {
    // The 128-bit token grants the customer access to this order. Callers limit everything that follows to the order.
    const system = this.ctx.sudo();
    const row = await system
      .model(QuotedOrder)
      .first([['id', '=', id]], { select: { access_token: true, is_quotation: true } });
    const right = timingSafeEqualText(token, row?.access_token ?? 'no such quotation');
    if (!row?.is_quotation || !right) throw noQuote();
    return system;
  }

  /** Returns the customer page of a quotation for a user who may read the order with their own rights, or null for anyone else. */
  async ownPath(id: Id): Promise<string | null> {
    const { ctx } = this;
    if (ctx.user.id === null) return null;
    try {
      if ((await ctx.model(SaleOrder).allowed([id], 'read')).length === 0) return null;
    } catch {
      // The user has no access to orders at all.
      return null;
    }
    // The caller may read the order; the page needs its token.
    const row = await ctx
      .sudo()
      .model(QuotedOrder)
      .first([['id', '=', id]], { select: { access_token: true, is_quotation: true } });
    return row?.is_quotation ? quotePath(id, row.access_token) : null;
  }
}

export function noQuote(): NotFound {
  return new NotFound('We can’t find this quotation.', { code: 'quote.no_quote' });
}
