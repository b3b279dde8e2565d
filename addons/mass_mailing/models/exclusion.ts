import { type FieldsOf, f, type Ids, InvalidInput, isEmailAddress, model, type Values } from 'pergola';
import { addressKey } from '../services/address-key.ts';

const reasons = {
  asked: 'Unsubscribed from everything',
  bounce: 'Address doesn’t exist',
  complaint: 'Marked an email as spam',
  staff: 'Entered by staff',
};
export type ExclusionReason = keyof typeof reasons;

/** An address excluded from all mailings. Transactional emails, such as for orders and passwords, are still sent. */
export class Exclusion extends model(
  'mail.blacklist',
  {
    email: f.char({ required: true, size: 254, unique: true, index: true, label: 'Email' }),
    reason: f.selection(reasons, { default: 'staff' }),
    note: f.char({ size: 500 }),
  },
  { order: 'id desc', nameField: 'email', search: ['email'], label: 'Excluded address' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Exclusion>>[],
  ): Promise<readonly Values<FieldsOf<Exclusion>>[]> {
    return super.beforeCreate(values.map(normalise));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Exclusion>>): Promise<Values<FieldsOf<Exclusion>>> {
    return super.beforeWrite(ids, normalise(values));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { email } of await this.read(ids, { select: { email: true } })) {
      if (isEmailAddress(email)) continue;
      const message = 'Enter a valid email address.';
      throw new InvalidInput(message, { code: 'mass_mailing.bad_email', fields: { email: message } });
    }
  }

  /** Excludes an address; an existing exclusion keeps its reason. */
  async exclude(email: string, reason: ExclusionReason, note: string | null = null): Promise<void> {
    const address = addressKey(email);
    if ((await this.count([['email', '=', address]])) === 0) await this.create({ email: address, reason, note });
  }
}

function normalise(values: Values<FieldsOf<Exclusion>>): Values<FieldsOf<Exclusion>> {
  return typeof values.email === 'string' ? { ...values, email: addressKey(values.email) } : values;
}

declare module 'pergola' {
  interface Models {
    'mail.blacklist': Exclusion;
  }
}
