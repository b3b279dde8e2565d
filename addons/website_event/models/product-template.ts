import { ProductTemplate } from '#addons/sale';
import { extend, f } from '#core';

/** Products that stand for tickets: the shop does not list them, they are bought with an event. */
export const TicketProduct = extend(ProductTemplate, {
  event_ok: f.boolean({ index: true, label: 'Is for tickets', help: 'Sold with events, not in the shop' }),
});
