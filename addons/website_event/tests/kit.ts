import { SaleCompany, SaleOrder } from '@pergola/sale';
import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import type { Client, TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';

export const hour = 3600_000;
export const day = 24 * hour;

/** So long after now. */
export const after = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

export interface TicketPlan {
  readonly name: string;
  readonly price?: string;
  readonly seats?: number;
}
export interface Made {
  readonly event: Id;
  readonly tickets: readonly Id[];
}

/** A confirmed, published event in five days, with tickets. */
export async function makeEvent(
  ctx: Ctx,
  values: Values<FieldsOf<EventEvent>>,
  tickets: readonly TicketPlan[] = [{ name: 'Standard', price: '10' }],
): Promise<Made> {
  const event = await ctx.model(EventEvent).create({
    date_begin: after(5 * day),
    date_end: after(5 * day + 8 * hour),
    date_tz: 'Europe/Paris',
    state: 'confirm',
    website_published: true,
    ...values,
  });
  const ids = await ctx
    .model(EventTicket)
    .create(tickets.map(({ name, price = '10', seats = 0 }) => ({ event_id: event, name, price, seats_max: seats })));
  return { event, tickets: ids };
}

/** Puts tickets into an order, as the cart does. */
export async function putTickets(ctx: Ctx, order: Id, ticket: Id, add: number) {
  const { product_id } = await ctx.model(EventTicket).get(ticket, { select: { product_id: true } });
  return ctx.model(SaleOrder).setLine(order, { product: product_id, add, extra: { event_ticket_id: ticket } });
}

/** A cart with an address, so that it can be confirmed. */
export async function makeCart(ctx: Ctx, name = 'Ada Lovelace'): Promise<Id> {
  return ctx.model(SaleOrder).openCart({
    lang: 'en_US',
    invoice_name: name,
    invoice_email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
    invoice_phone: '+33 1 99 00 12 34',
  });
}

/** Gives an address and orders what is in the cart, by transfer, in the language that addresses begin with; answers the order. */
export async function payByTransfer(
  app: TestApp,
  visitor: Client,
  email: string,
  at = '',
  attendees: Readonly<Record<string, string>> = {},
): Promise<Id> {
  const country_id = await app.read((ctx) => ctx.ref('base.be'));
  const address = { name: 'Ada Lovelace', phone: '+32 2 555 12 12', street2: '12 Garden Lane', city: 'Brussels' };
  const rest = { email, zip: '1000', shipping_id: '0', country_id, ...attendees };
  await visitor.form(`${at}/shop/confirm_order`, { ...address, ...rest });
  const transfer = await app.write(async (ctx) => {
    // Without an account, transfers are not offered.
    await ctx
      .model(SaleCompany)
      .write(await ctx.ref('base.main_company'), { bank_account: 'FR76 3000 6000 0112 3456 7890 189' });
    return ctx.ref('sale.transfer');
  });
  const form = await visitor.rpc<string>(`/shop/payment/transaction/${transfer}`, {});
  await visitor.form(
    /action="([^"]+)"/.exec(form)?.[1] ?? '',
    Object.fromEntries([...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );
  return app.read(async (ctx) => {
    const [id = 0] = await ctx.model(SaleOrder).search([['invoice_email', '=', email]], { order: 'id desc' });
    return id;
  });
}
