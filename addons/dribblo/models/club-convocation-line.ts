import { deliveryLabels } from '@pergola/mail';
import { f, type Id, type Ids, model } from 'pergola';
import { type DeliveryState, mailDeliveries } from 'pergola/mail';

/** Possible answers to a call-up. */
const answers = { none: 'No answer', yes: 'Available', no: 'Unavailable' } as const;

/** From worst to best: a line shows the worst state of its emails, because several guardians may get one. */
const severity: readonly DeliveryState[] = [
  'refused',
  'bounced',
  'held',
  'queued',
  'withdrawn',
  'handed_over',
  'delivered',
];

/** A player in a call-up, with their answer. */
export class ConvocationLine extends model(
  'club.convocation.line',
  {
    convocation_id: f.many2one('club.convocation', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Call-up',
    }),
    member_id: f.many2one('club.member', { required: true, ondelete: 'cascade', index: true, label: 'Member' }),
    answer: f.selection(answers, { default: 'none', tracked: true }),
    comment: f.char({ size: 200 }),
    answered_date: f.datetime({ readonly: true, label: 'Answered', copy: false }),
    answered_by_id: f.many2one('res.partner', { readonly: true, empty: 'none', label: 'Answered by' }),
    mail_date: f.datetime({ readonly: true, label: 'Called up on', copy: false }),
    /** Outbox rows of the last round of emails. */
    mail_ids: f.json({ readonly: true, copy: false, label: 'Emails' }),
    mail_state: f.selection(deliveryLabels, {
      compute: 'computeMailState',
      depends: ['mail_ids'],
      label: 'Email',
      colors: { held: 'warning', refused: 'danger', bounced: 'danger' },
    }),
  },
  {
    order: 'convocation_id, member_id, id',
    label: 'Called up',
    nameField: 'member_id',
    unique: [{ fields: ['convocation_id', 'member_id'], message: 'This member is already called up.' }],
  },
) {
  /** Worst state of the last emails. */
  async computeMailState(ids: Ids): Promise<Map<Id, DeliveryState | null>> {
    const rows = await this.read(ids, { select: { mail_ids: true } });
    const lines = rows.map(({ id, mail_ids }) => ({ id, mails: (mail_ids ?? []) as readonly number[] }));
    const deliveries = await mailDeliveries(
      this.ctx,
      lines.flatMap(({ mails }) => mails),
    );
    return new Map(
      lines.map(({ id, mails }) => {
        const states = new Set(mails.map((mail) => deliveries.get(mail)?.state));
        return [id, severity.find((state) => states.has(state)) ?? null];
      }),
    );
  }
}

declare module 'pergola' {
  interface Models {
    'club.convocation.line': ConvocationLine;
  }
}
