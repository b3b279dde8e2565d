import { defaultTaxes } from '#addons/sale';
import { question } from '#addons/web';
import { type Ctx, decimal, type Ids } from '#core';
import { EventEvent } from './models/event-event.ts';
import { EventTicket } from './models/event-event-ticket.ts';

export const questions = [
  question(EventEvent, {
    fields: ['website_published'],
    ask: async (ctx, { ids, values }) => {
      const names = values.website_published === true ? await untaxedTickets(ctx, ids) : [];
      if (names.length === 0) return null;
      return {
        text: ctx.t(
          'No tax is set for the product of these tickets: {names}. If they should be tax free, choose a product with a 0 % tax.',
          {
            names: names.join(', '),
          },
        ),
        yes: ctx.t('Publish without tax'),
      };
    },
  }),
];

/** Names of the paid tickets of events whose product has no tax although its company has a default one. */
async function untaxedTickets(ctx: Ctx, events: Ids): Promise<string[]> {
  const tickets = await ctx
    .sudo() // Organisers may publish events without any rights on products.
    .model(EventTicket)
    .find([['event_id', 'in', events]], {
      select: { name: true, price: true, product_id: { product_tmpl_id: { taxes_id: true, company_id: true } } },
    });
  const names = new Set<string>();
  for (const { name, price, product_id } of tickets) {
    const product = product_id?.product_tmpl_id;
    if (!product || product.taxes_id.length > 0 || decimal(price ?? '0').isZero()) continue;
    if (await defaultTaxes(ctx, product.company_id)) names.add(name);
  }
  return [...names];
}
