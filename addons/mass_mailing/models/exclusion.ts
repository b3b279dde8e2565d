import { emailKey, type FieldsOf, f, type Ids, InvalidInput, isEmailAddress, model, type Values } from '#core';

const reasons = { asked: 'Asked for it', bounce: 'Mails come back', staff: 'Entered by staff' };
export type ExclusionReason = keyof typeof reasons;

/** An address that gets no mailing, whatever lists it is in. Mails somebody asked for (an order, a password) are not mailings. */
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
      const message = 'This is not a valid e-mail address.';
      throw new InvalidInput(message, { code: 'mass_mailing.bad_email', fields: { email: message } });
    }
  }

  /** Excludes an address; one that is excluded already keeps its reason. */
  async exclude(email: string, reason: ExclusionReason, note: string | null = null): Promise<void> {
    const address = emailKey(email);
    if ((await this.count([['email', '=', address]])) === 0) await this.create({ email: address, reason, note });
  }
}

function normalise(values: Values<FieldsOf<Exclusion>>): Values<FieldsOf<Exclusion>> {
  return typeof values.email === 'string' ? { ...values, email: emailKey(values.email) } : values;
}

declare module '#core' {
  interface Models {
    'mail.blacklist': Exclusion;
  }
}
