import { createHash } from 'node:crypto';
import { app, emailKey, type FileRef, type Id, type Ids, service } from 'pergola';
import type { MailDefinition, MailMessage } from 'pergola/mail';
import { changedMail, reminderMail, type TicketsValues, ticketsMail } from '../mails.ts';
import { ticketPath, ticketsPath } from './ticket-links.ts';

/** Tickets of one event for one email address. */
export interface TicketDelivery {
  readonly event: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string;
  readonly replyTo: string | null;
  readonly registrations: Ids;
  /** Order of the tickets, whose discussion shows the emails. */
  readonly order: Id | null;
}

/** Emails to ticket holders. Each is sent once, even if its job runs again. */
export class TicketDeliveries extends service('website_event.ticket_delivery', { ctx: app.ctx }) {
  /** Groups tickets by event and recipient: all tickets of an order for the buyer, and each ticket for its attendee. */
  async of(ids: Ids): Promise<TicketDelivery[]> {
    const rows = await this.ctx.model('event.registration').find(
      [
        ['id', 'in', ids],
        ['state', 'in', ['open', 'done']],
      ],
      {
        select: {
          name: true,
          email: true,
          lang: true,
          event_id: { reply_to: true },
          sale_order_id: { invoice_email: true, invoice_name: true },
        },
        order: 'id',
      },
    );
    const deliveries = new Map<string, TicketDelivery>();
    for (const { id, name, email, lang, event_id, sale_order_id: order } of rows) {
      const owners = new Map(
        [
          [order?.invoice_email, order?.invoice_name],
          [email, name],
        ].map(([mail, recipientName]) => [mail && emailKey(mail), { mail, recipientName }]),
      );
      for (const { mail, recipientName } of owners.values()) {
        if (!mail || !event_id) continue;
        const key = `${event_id.id}:${emailKey(mail)}`;
        const delivery = deliveries.get(key);
        deliveries.set(key, {
          event: event_id.id,
          email: mail,
          name: delivery?.name ?? recipientName ?? '',
          lang: delivery?.lang ?? lang ?? this.ctx.lang,
          replyTo: event_id.reply_to,
          registrations: [...(delivery?.registrations ?? []), id],
          order: delivery?.order ?? order?.id ?? null,
        });
      }
    }
    return [...deliveries.values()];
  }

  /**
   * Sends tickets, unless one of them was cancelled while the document was rendered. Checks under lock, so that tickets never arrive after
   * a cancellation email.
   *
   * @param requestedAt timestamp of a repeated request; without it, a job that runs again doesn't resend tickets
   * @returns whether all tickets are still valid
   */
  async sendTickets(delivery: TicketDelivery, file: FileRef, requestedAt: number | undefined): Promise<boolean> {
    if (!(await this.#areValid(delivery))) return false;
    const deliveryKey = JSON.stringify([delivery.email, delivery.registrations, requestedAt]);
    await this.#mail(delivery, ticketsMail, {
      ...addressed(delivery),
      values: await this.#tickets(delivery),
      attachments: [file],
      key: `website_event.tickets:${createHash('sha256').update(deliveryKey).digest('base64url').slice(0, 22)}`,
    });
    return true;
  }

  /** Locks the tickets of a delivery and returns whether all of them are valid. */
  async #areValid({ registrations }: TicketDelivery): Promise<boolean> {
    await this.ctx.lock('event.registration', registrations);
    const valid = await this.ctx.model('event.registration').count([
      ['id', 'in', registrations],
      ['state', 'in', ['open', 'done']],
      ['event_id.state', '!=', 'cancel'],
    ]);
    return valid === registrations.length;
  }

  async remind(delivery: TicketDelivery): Promise<void> {
    if (!(await this.#areValid(delivery))) return;
    await this.#mail(delivery, reminderMail, {
      ...addressed(delivery),
      values: await this.#tickets(delivery),
      key: `website_event.reminder:${delivery.event}:${emailKey(delivery.email)}`,
    });
  }

  /** @param change key of the new time and place; a different key sends another email */
  async tellOfChange(delivery: TicketDelivery, change: string): Promise<void> {
    if (!(await this.#areValid(delivery))) return;
    const { event, email, name, lang } = delivery;
    await this.#mail(delivery, changedMail, {
      ...addressed(delivery),
      values: { ...(await this.ctx.as({ lang }).model('event.event').facts(event)), name },
      key: `website_event.changed:${change}:${emailKey(email)}`,
    });
  }

  /** Sends an email and logs it in the discussion of the order, or of the first registration. */
  async #mail<V>(
    { order, registrations }: TicketDelivery,
    definition: MailDefinition<V>,
    message: MailMessage<V>,
  ): Promise<void> {
    const [registration] = registrations;
    if (order !== null) await this.ctx.model('sale.order').messageMail(order, definition, message);
    else if (registration !== undefined)
      await this.ctx.model('event.registration').messageMail(registration, definition, message);
  }

  async #tickets({ event, email, name, lang, registrations }: TicketDelivery): Promise<TicketsValues> {
    const reader = this.ctx.as({ lang }).sudo();
    const rows = await reader
      .model('event.registration')
      .read(registrations, { select: { name: true, barcode: true, event_ticket_id: { name: true } } });
    const { website_url } = await reader.model('event.event').get(event, { select: { website_url: true } });
    return {
      ...(await reader.model('event.event').facts(event)),
      name,
      tickets: rows.map((row) => ({
        attendee: row.name ?? '',
        ticket: row.event_ticket_id?.name ?? '',
        code: row.barcode ?? '',
      })),
      file: ticketsPath(this.ctx, registrations, email),
      own: registrations.length === 1 && registrations[0] ? ticketPath(this.ctx, registrations[0], email) : '',
      calendar: `${website_url}/ics`,
    };
  }
}

function addressed({ email, name, lang, replyTo }: TicketDelivery) {
  return { to: { email, name, lang }, ...(replyTo ? { replyTo: { email: replyTo } } : {}) };
}
