import { formatAmount, SaleOrder } from '@pergola/sale';
import { app, type Ctx, type Id, type Ids, type Minor, type RawDomain, service } from 'pergola';
import { cancellationKey, cancelledMail } from '../mails.ts';

/** Numbers of records affected by a cancellation. */
export interface CancellationFigures {
  readonly registrations: number;
  /** Confirmed orders with tickets. */
  readonly confirmed: number;
  /** Orders with tickets that are awaiting payment. */
  readonly awaited: number;
  /** Amount paid for orders with tickets, by currency. */
  readonly paid: ReadonlyMap<Id, Minor>;
}

/**
 * Effect of cancelling events on the orders of their tickets:
 *
 * | order | only tickets of cancelled events | also other items |
 * |---|---|---|
 * | cart | shows the cancellation, can't be paid | the same |
 * | awaiting payment, nothing paid | cancelled | needs review; the email asks the customer not to pay yet |
 * | confirmed, nothing paid | cancelled | needs review |
 * | paid in full or in part | needs review, with the amount to refund | the same, for the tickets |
 *
 * All buyers are notified by email about their payment.
 */
export class EventCancellations extends service('website_event.event_cancellations', { ctx: app.ctx }) {
  // Users who cancel an event may not have access to its orders.
  readonly #system = this.ctx.sudo();
  readonly #orders = this.#system.model(SaleOrder);

  /** Orders with tickets for events, except cancelled orders. */
  ordersOf(events: Ids): Promise<Ids> {
    const domain: RawDomain = [
      ['order_line.event_ticket_id.event_id', 'in', events],
      ['state', '!=', 'cancel'],
    ];
    return this.#orders.search(domain as never, { order: 'id' }); // The ticket field belongs to this addon.
  }

  /** Counts the affected records. */
  async figures(events: Ids): Promise<CancellationFigures> {
    const registrations = await this.#system.model('event.registration').count([
      ['event_id', 'in', events],
      ['state', 'in', ['draft', 'open']],
    ]);
    const rows = await this.#orders.read(await this.ordersOf(events), {
      select: { state: true, is_cart: true, currency_id: true, amount_paid: true, amount_refunded: true },
    });
    const placed = rows.filter(({ is_cart }) => !is_cart);
    const paid = new Map<Id, Minor>();
    for (const { currency_id, amount_paid, amount_refunded } of placed)
      paid.set(currency_id, (paid.get(currency_id) ?? 0) + (amount_paid ?? 0) - (amount_refunded ?? 0));
    return {
      registrations,
      confirmed: placed.filter(({ state }) => state === 'sale' || state === 'done').length,
      awaited: placed.filter(({ state }) => state === 'sent').length,
      paid: new Map([...paid].filter(([, amount]) => amount > 0)),
    };
  }

  /**
   * Cancels the registrations of events that were just cancelled, processes their orders, and notifies everyone concerned. The caller must
   * hold the order locks.
   */
  async carryOut(events: Ids): Promise<void> {
    const registrations = this.#system.model('event.registration');
    const orders = await this.#affected(events);
    const notifiedKeys = new Set(
      orders.flatMap(({ invoice_email: email, events: orderEvents }) =>
        email ? orderEvents.map((event) => cancellationKey(event, email)) : [],
      ),
    );
    const all = await registrations.search([
      ['event_id', 'in', events],
      ['state', 'in', ['draft', 'open']],
    ]);
    await registrations.cancelAll(all, 'event', notifiedKeys);
    for (const order of orders) {
      const wasUnpaid = order.state === 'sent' && !order.amount_paid;
      if (!order.is_cart) {
        if (order.isOnly && !order.amount_paid && order.state !== 'done') await this.#orders.cancel([order.id]);
        else await this.#orders.review([order.id]);
      }
      // The review email of mixed orders already asks the customer not to pay.
      if (order.isOnly || order.is_cart || !wasUnpaid) await this.#notify(order, wasUnpaid);
    }
  }

  /** Placed orders with tickets of events, including carts that are currently being paid. */
  async #affected(events: Ids) {
    const rows = await this.#orders.find([['id', 'in', await this.ordersOf(events)]], {
      select: {
        name: true,
        state: true,
        is_cart: true,
        lang: true,
        invoice_name: true,
        invoice_email: true,
        amount_paid: true,
        currency_id: true,
        order_line: true,
      },
      order: 'id',
    });
    const affected = rows.filter(({ state }) => state !== 'draft');
    const lines = await this.#system.model('sale.order.line').read(
      affected.flatMap(({ order_line }) => order_line),
      { select: { event_id: true } as never },
    );
    const eventOf = new Map((lines as unknown as readonly TicketedLine[]).map(({ id, event_id }) => [id, event_id]));
    const cancelled = new Set(
      await this.#system.model('event.event').search([
        ['id', 'in', [...new Set([...eventOf.values()].flatMap((event) => event ?? []))]],
        ['state', '=', 'cancel'],
      ]),
    );
    return affected.map((order) => {
      const lineEvents = order.order_line.map((line) => eventOf.get(line) ?? null);
      return {
        ...order,
        events: events.filter((event) => lineEvents.includes(event)),
        isOnly: lineEvents.every((event) => event !== null && cancelled.has(event)),
      };
    });
  }

  async #notify(order: AffectedOrder, wasUnpaid: boolean): Promise<void> {
    const { id, invoice_email: email } = order;
    if (!email) return;
    const { amount_owed, currency_id } = await this.#orders.get(id, {
      select: { amount_owed: true, currency_id: true },
    });
    const reader = order.lang ? this.#system.as({ lang: order.lang }) : this.#system;
    for (const event of order.events) {
      await this.#orders.messageMail(id, cancelledMail, {
        to: { email, name: order.invoice_name ?? undefined, lang: reader.lang },
        ...(await this.#replyTo(event)),
        values: {
          ...(await reader.model('event.event').facts(event)),
          name: order.invoice_name ?? '',
          whole: true,
          order: {
            reference: order.name ?? '',
            unpaid: wasUnpaid,
            refund: amount_owed ? await formatAmount(reader, amount_owed, currency_id) : '',
            mixed: !order.isOnly,
            path: (await this.#orders.threadPaths([id])).get(id) ?? '',
          },
        },
      });
    }
  }

  async #replyTo(event: Id): Promise<{ readonly replyTo?: { readonly email: string } }> {
    const { reply_to } = await this.#system.model('event.event').get(event, { select: { reply_to: true } });
    return reply_to ? { replyTo: { email: reply_to } } : {};
  }
}

type AffectedOrder = {
  readonly id: Id;
  readonly name: string | null;
  readonly lang: string | null;
  readonly invoice_name: string | null;
  readonly invoice_email: string | null;
  readonly events: Ids;
  readonly isOnly: boolean;
};

interface TicketedLine {
  readonly id: Id;
  readonly event_id: Id | null;
}

/** Formats paid amounts in the language of the context: `60.00 €`, or `60.00 € + $ 12.00`. */
export async function paidText(ctx: Ctx, paid: ReadonlyMap<Id, Minor>): Promise<string> {
  const texts: string[] = [];
  for (const [currency, amount] of paid) texts.push(await formatAmount(ctx, amount, currency));
  return texts.join(' + ');
}
