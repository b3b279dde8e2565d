import { type Ctx, f, type Id, type Ids, model } from 'pergola';
import { type DeliveryState, mailDeliveries } from 'pergola/mail';

/** Labels of the delivery states of emails. */
export const deliveryLabels: Readonly<Record<DeliveryState, string>> = {
  queued: 'Queued',
  held: 'Held (no mail server)',
  handed_over: 'Sent',
  delivered: 'Delivered',
  refused: 'Refused',
  bounced: 'Bounced',
  withdrawn: 'Not sent (unsubscribed)',
};

/** An email that delivered a message to one recipient. */
export class Notification extends model(
  'mail.notification',
  {
    mail_message_id: f.many2one('mail.message', { required: true, ondelete: 'cascade', index: true, label: 'Message' }),
    /** Follower who received it; empty for other recipients. */
    res_partner_id: f.many2one('res.partner', { empty: 'none', label: 'Follower' }),
    name: f.char({ size: 120, label: 'Name' }),
    email: f.char({ required: true, size: 254, label: 'Email' }),
    /** Row in the outbox. */
    outbox_id: f.integer({ required: true, readonly: true, label: 'Outgoing email' }),
    notification_status: f.selection(deliveryLabels, { compute: 'computeStatus', depends: [], label: 'Status' }),
    failure_reason: f.char({ compute: 'computeFailure', depends: [], label: 'Mail server response' }),
  },
  { order: 'id', nameField: 'email', label: 'Email to a recipient' },
) {
  async computeStatus(ids: Ids): Promise<Map<number, DeliveryState>> {
    const deliveries = await this.#deliveries(ids);
    return new Map([...deliveries].map(([id, { state }]) => [id, state]));
  }

  async computeFailure(ids: Ids): Promise<Map<number, string | null>> {
    const deliveries = await this.#deliveries(ids);
    return new Map([...deliveries].map(([id, { error }]) => [id, error]));
  }

  async #deliveries(ids: Ids) {
    const rows = await this.read(ids, { select: { outbox_id: true } });
    const deliveries = await mailDeliveries(
      this.ctx,
      rows.map(({ outbox_id }) => outbox_id),
    );
    return new Map(
      rows.map(({ id, outbox_id }) => [id, deliveries.get(outbox_id) ?? { state: 'queued' as const, error: null }]),
    );
  }
}

/**
 * State of the last email about each record of a model; omits records without emails. The caller must have checked access to the records.
 */
export async function lastDeliveries(ctx: Ctx, model: string, ids: Ids): Promise<ReadonlyMap<Id, DeliveryState>> {
  const rows = await ctx
    .sudo()
    .model(Notification)
    .find(
      [
        ['mail_message_id.model', '=', model],
        ['mail_message_id.res_id', 'in', ids],
        ['res_partner_id', '=', null],
      ],
      { select: { mail_message_id: { res_id: true }, notification_status: true }, order: 'id' },
    );
  return new Map(
    rows.flatMap(({ mail_message_id: message, notification_status: state }) =>
      message?.res_id && state ? [[message.res_id, state] as const] : [],
    ),
  );
}

declare module 'pergola' {
  interface Models {
    'mail.notification': Notification;
  }
}
