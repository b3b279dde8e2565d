import { app, type Ctx, type Id, NotFound, service, timingSafeEqualText } from 'pergola';
import { SaleOrder } from '#addons/sale';
import { QuotedOrder } from '../models/sale-order.ts';
import { quotePath } from '../routes/paths.ts';

/** Who may read a quotation: its customer, by the token of its address, and those who may read the order. */
export class Quotations extends service('quote.quotations', { ctx: app.ctx }) {
  /**
   * A context in which the quotation may be read and changed for its customer, once the token has shown that it is theirs.
   *
   * @throws NotFound alike for a wrong token and a quotation that is not there
   */
  async find(id: Id, token: string): Promise<Ctx> {
    // The token is the customer's right: 128 bit, bound to the order. Everything that follows is limited to this order by its callers.
    const system = this.ctx.sudo();
    const row = await system
      .model(QuotedOrder)
      .first([['id', '=', id]], { select: { access_token: true, is_quotation: true } });
    const right = timingSafeEqualText(token, row?.access_token ?? 'no such quotation');
    if (!row?.is_quotation || !right) throw noQuote();
    return system;
  }

  /** Where somebody who may read the order with their own rights reads it as its customer does; null for anybody else. */
  async ownPath(id: Id): Promise<string | null> {
    const { ctx } = this;
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
}

export function noQuote(): NotFound {
  return new NotFound('There is no such quotation.', { code: 'quote.no_quote' });
}
