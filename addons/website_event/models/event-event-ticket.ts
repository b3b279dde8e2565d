import { ProductProduct, reviewOpenOrders } from '@pergola/sale';
import { beside } from '@pergola/website';
import {
  Conflict,
  type Ctx,
  decimal,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  model,
  NotFound,
  type Values,
} from 'pergola';
import { type SeatFields, Seats, seatFields } from '../services/seats.ts';
import { WaitingOffers } from '../services/waiting-offers.ts';
import { ticketsPerOrder } from '../settings.ts';
import { t } from '../texts.ts';
import { EventEvent } from './event-event.ts';

/** Default limit of tickets a visitor can select at once, unless the ticket type sets its own. */
export const mostAtOnce = 9;

/** A ticket type of an event: its price, number of seats and sale period. */
export class EventTicket extends model(
  'event.event.ticket',
  {
    event_id: f.many2one('event.event', { required: true, ondelete: 'cascade', index: true }),
    name: f.char({ required: true, translate: true, size: 80, label: 'Ticket' }),
    product_id: f.many2one('product.product', {
      required: true,
      ondelete: 'restrict',
      index: true,
      default: ticketProduct,
      domain: [['product_tmpl_id.event_ok', '=', true]],
      label: 'Product',
      help: 'Determines how the ticket is taxed',
    }),
    description: f.char({ translate: true, size: 300, label: 'Included' }),
    sequence: f.integer({ default: 10 }),
    price: f.decimal({
      required: true,
      default: '0',
      label: 'Price',
      help: 'Before added tax, in the company’s currency',
    }),
    event_tz: f.char({ related: 'event_id.date_tz', label: 'Time zone' }),
    sale_start: f.datetime({ timezone: 'event_tz', label: 'Sales start', help: 'Leave empty to start right away' }),
    deadline: f.datetime({
      timezone: 'event_tz',
      label: 'Sales end',
      help: 'Leave empty to sell until the event ends',
    }),
    seats_max: f.integer({ default: 0, min: 0, label: 'Seats', help: '0 for no limit other than the event’s' }),
    order_max: f.integer({ default: 0, min: 0, label: 'Maximum per order', help: '0 for the maximum in the settings' }),
    seats_reserved: f.integer({
      compute: 'computeSeats',
      label: 'Confirmed seats',
      groups: 'website_event.group_event_user',
    }),
    seats_used: f.integer({
      compute: 'computeSeats',
      label: 'Checked in',
      groups: 'website_event.group_event_user',
    }),
    seats_unconfirmed: f.integer({
      compute: 'computeSeats',
      label: 'Unconfirmed seats',
      groups: 'website_event.group_event_user',
    }),
    seats_available: f.integer({
      compute: 'computeSeats',
      label: 'Seats left',
      groups: 'website_event.group_event_user',
    }),
    seats_left: f.char({
      compute: 'computeSeats',
      label: 'Seats left',
      groups: 'website_event.group_event_user',
    }),
  },
  { order: 'sequence, id', label: 'Ticket' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const select = { event_id: true, price: true, sale_start: true, deadline: true } as const;
    const rows = await this.read(ids, { select });
    for (const { price, sale_start, deadline } of rows) {
      if (decimal(price).lt(0)) {
        throw beside('price', new InvalidInput('Enter a price of 0 or more.', { code: 'website_event.bad_price' }));
      }
      if (sale_start && deadline && deadline <= sale_start) {
        const refusal = new InvalidInput('Sales must end after they start.', { code: 'website_event.bad_sale_period' });
        throw beside('deadline', refusal);
      }
    }
    if (changed.has('seats_max') || changed.has('event_id')) {
      const events = [...new Set(rows.map(({ event_id }) => event_id))];
      await this.ctx.model(EventEvent).requireSeats(events);
      await this.ctx.model(EventEvent).seatsCameFree(events);
    }
  }

  /** Tickets with orders or waiting list entries can't be moved to another event. */
  override async beforeWrite(ids: Ids, values: Values<FieldsOf<EventTicket>>): Promise<Values<FieldsOf<EventTicket>>> {
    if (typeof values.event_id === 'number') {
      const system = this.ctx.sudo(); // The caller doesn't learn who ordered it.
      const moving = await this.search([
        ['id', 'in', ids],
        ['event_id', '!=', values.event_id],
      ]);
      const rows = await this.read(moving, { select: { event_id: true } });
      await this.ctx.lock(EventEvent, [...new Set(rows.map(({ event_id }) => event_id))]);
      for (const model of ['sale.order.line', 'event.registration', 'event.waiting']) {
        const used = await system.modelNamed(model).count([['event_ticket_id', 'in', moving]]);
        if (used === 0) continue;
        const message = t(
          this.ctx,
          'This ticket has been ordered, so it stays with its event. Create another ticket for the other event.',
        );
        throw new Conflict(message, { code: 'website_event.ticket_ordered', fields: { event_id: message } });
      }
    }
    return super.beforeWrite(ids, values);
  }

  /** Reviews pending orders and the waiting list when the sale of a ticket ends or changes, and offers free seats. */
  override async afterWrite(ids: Ids, values: Values<FieldsOf<EventTicket>>): Promise<void> {
    await super.afterWrite(ids, values);
    if ('deadline' in values || 'product_id' in values || 'event_id' in values)
      await reviewOpenOrders(this.ctx, [['order_line.event_ticket_id', 'in', ids]]);
    if (!['deadline', 'sale_start', 'order_max'].some((field) => field in values)) return;
    const rows = await this.read(ids, { select: { event_id: true } });
    const events = [...new Set(rows.map(({ event_id }) => event_id))];
    await this.ctx.get(WaitingOffers).closeEnded(events);
    await this.ctx.model(EventEvent).seatsCameFree(events);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await this.ctx.get(WaitingOffers).tellDeleted([['event_ticket_id', 'in', ids]]);
    await super.beforeUnlink(ids);
  }

  /** Computes the seat counts; `seats_available` is empty for unlimited tickets. */
  async computeSeats(ids: Ids): Promise<Map<Id, SeatFields>> {
    const rows = await this.read(ids, { select: { event_id: true } });
    const events = await this.ctx.get(Seats).of([...new Set(rows.map(({ event_id }) => event_id))]);
    return new Map(
      rows.flatMap(({ id, event_id }) => {
        const seats = events.get(event_id)?.tickets.get(id);
        return seats ? [[id, seatFields(this.ctx, seats, seats.free)] as const] : [];
      }),
    );
  }

  /** Returns the maximum quantity per order: the ticket's own limit, or the default. */
  async mostPerOrder(orderMax: number | null | undefined): Promise<number> {
    return orderMax || this.ctx.settings.get(ticketsPerOrder);
  }

  /** Returns how many seats a person can request on the waiting list, capped by the limit per order. */
  async mostWaited(orderMax: number | null | undefined): Promise<number> {
    return Math.min(mostAtOnce, await this.mostPerOrder(orderMax));
  }
}

/** Default title of a ticket: `Garden fair: VIP`. */
export function ticketTitle(ctx: Ctx, event: string, ticket: string): string {
  return t(ctx, '{event}: {ticket}', { event, ticket });
}

/** Returns the default product for tickets. */
async function ticketProduct(ctx: Ctx): Promise<Id> {
  const template = await ctx.ref('website_event.product_ticket');
  // Organisers can sell tickets without access to products.
  const [variant] = await ctx
    .sudo()
    .model(ProductProduct)
    .search([['product_tmpl_id', '=', template]], { limit: 1 });
  return (
    variant ?? Promise.reject(new NotFound('No product is set up for tickets.', { code: 'website_event.no_product' }))
  );
}

declare module 'pergola' {
  interface Models {
    'event.event.ticket': EventTicket;
  }
}
