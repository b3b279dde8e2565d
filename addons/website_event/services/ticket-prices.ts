import { Pricing } from '#addons/sale';
import { pricingContext } from '#addons/website_sale';
import type { Ctx, Id, Ids, Minor } from '#core';
import { EventTicket } from '../models/event-event-ticket.ts';

/** What a ticket costs the caller, as the shop shows prices. */
export interface TicketPrice {
  readonly amount: Minor;
  /** Before the pricelist, where that is more. */
  readonly before: Minor | null;
  readonly currency: Id;
  readonly free: boolean;
}

/** The prices of tickets under the caller's pricelist, with or without tax as everywhere in the shop. A fixed number of queries. */
export async function ticketPrices(ctx: Ctx, ids: Ids): Promise<Map<Id, TicketPrice>> {
  const tickets = await ctx.model(EventTicket).read(ids, { select: { price: true, product_id: true } });
  const terms = await pricingContext(ctx);
  // Visitors see the prices of tickets, and may not read the products and pricelists behind them.
  const prices = await ctx
    .sudo()
    .get(Pricing)
    .shown(
      terms,
      tickets.map(({ price, product_id }) => ({ product: product_id, list: price })),
    );
  return new Map(
    tickets.flatMap(({ id }, place) => {
      const shown = prices[place];
      if (!shown) return [];
      const { price, list, currency } = shown;
      return [[id, { amount: price, before: list > price ? list : null, currency, free: price === 0 }] as const];
    }),
  );
}
