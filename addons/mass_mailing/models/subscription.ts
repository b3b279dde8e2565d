import { type FieldsOf, f, type Ids, model, type Values } from 'pergola';

const sources = {
  staff: 'Entered by staff',
  confirmed: 'Confirmed by email',
  user: 'Signed in',
};
/** Origin of a subscription. */
export type SubscriptionSource = keyof typeof sources;

/**
 * A current or former subscription of a contact to a list. Unsubscribing keeps the row, so that the contact isn't subscribed again by
 * mistake.
 */
export class Subscription extends model(
  'mail.mass_mailing.subscription',
  {
    contact_id: f.many2one('mail.mass_mailing.contact', { required: true, ondelete: 'cascade' }),
    list_id: f.many2one('mail.mass_mailing.list', { required: true, ondelete: 'cascade', index: true }),
    opt_out: f.boolean({ label: 'Unsubscribed' }),
    date: f.datetime({ label: 'Subscribed on', default: (ctx) => ctx.now() }),
    opt_out_date: f.datetime({ label: 'Unsubscribed on' }),
    source: f.selection(sources, { default: 'staff', label: 'Subscription method' }),
    /** Secret of the session that requested the subscription, so only that session learns about its confirmation. */
    proof: f.char({ size: 64, secret: true, sealed: false, label: 'Proof of consent' }),
  },
  {
    order: 'id desc',
    nameField: 'id',
    unique: [{ fields: ['contact_id', 'list_id'], message: 'This contact is already on this list.' }],
    indexes: [['list_id', 'opt_out', 'contact_id']],
    label: 'Subscription',
  },
) {
  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<Subscription>>,
  ): Promise<Values<FieldsOf<Subscription>>> {
    if (values.opt_out === undefined || values.opt_out_date !== undefined) return super.beforeWrite(ids, values);
    return super.beforeWrite(ids, { ...values, opt_out_date: values.opt_out ? this.ctx.now() : null });
  }
}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing.subscription': Subscription;
  }
}
