import {
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  readableAddress,
  type Values,
} from 'pergola';
import { emailSpellings } from 'pergola/mail';
import { AuditEntry } from './audit.ts';

/** A person or organisation with its addresses. */
export class Partner extends model(
  'res.partner',
  {
    name: f.char({ required: true, tracked: true, index: true }),
    is_company: f.boolean({ label: 'Is a company', tracked: true }),
    parent_id: f.many2one('res.partner', { empty: 'none', label: 'Company', index: true, tracked: true }),
    child_ids: f.one2many('res.partner', 'parent_id', { label: 'Contacts and addresses' }),
    type: f.selection(
      { contact: 'Contact', invoice: 'Billing address', delivery: 'Shipping address', other: 'Other address' },
      { default: 'contact', label: 'Address type', tracked: true },
    ),
    function: f.char({ label: 'Job position', tracked: true }),
    email: f.char({ tracked: true, index: true, label: 'Email' }),
    phone: f.char({ size: 64, tracked: true }),
    mobile: f.char({ size: 64, tracked: true }),
    street: f.char({ tracked: true }),
    street2: f.char({ label: 'Street 2', tracked: true }),
    zip: f.char({ size: 24, label: 'Postal code', tracked: true }),
    city: f.char({ tracked: true }),
    state_id: f.many2one('res.country.state', {
      label: 'State',
      empty: 'none',
      tracked: true,
      within: { country_id: 'country_id' },
    }),
    country_id: f.many2one('res.country', { ondelete: 'restrict', index: true, tracked: true }),
    website: f.char({ label: 'Website', tracked: true }),
    vat: f.char({ size: 32, label: 'Tax number', tracked: true }),
    lang: f.char({ size: 10, label: 'Language', help: 'Emails to this contact are in this language', tracked: true }),
    tz: f.char({ size: 64, label: 'Time zone' }),
    image: f.image({ label: 'Image' }),
    comment: f.text({ label: 'Notes', groups: 'base.group_user' }),
    company_id: f.many2one('res.company', {
      ondelete: 'restrict',
      groups: 'base.group_user',
      tracked: true,
      label: 'Managing company',
    }),
    user_ids: f.one2many('res.users', 'partner_id', { label: 'Users' }),
    active: f.boolean({ default: true, tracked: true }),
    color: f.integer({ default: 0, label: 'Colour' }),
  },
  { order: 'name, id', search: ['name', 'email', 'city', 'phone'], label: 'Contact' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Partner>>[],
  ): Promise<readonly Values<FieldsOf<Partner>>[]> {
    return super.beforeCreate(values.map(normalise));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Partner>>): Promise<Values<FieldsOf<Partner>>> {
    return super.beforeWrite(ids, normalise(values));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const partners = await this.ctx
      .sudo()
      .model(Partner)
      .read(ids, {
        select: { email: true, tz: true },
      });
    for (const partner of partners) {
      if (partner.email && !isEmailAddress(partner.email)) {
        const message = 'Enter a valid email address.';
        throw new InvalidInput(message, { code: 'base.bad_email', fields: { email: message } });
      }
      if (partner.tz && !isTimezone(partner.tz)) {
        const message = 'Choose a valid time zone.';
        throw new InvalidInput(message, { code: 'base.bad_tz', fields: { tz: message } });
      }
    }
  }

  /** Finds the contact with an address, or null. Skips unconfirmed accounts, because their address isn't verified. */
  async byEmail(email: string): Promise<Id | null> {
    const [id] = await this.search(
      [...sameEmail('email', email), '|', ['user_ids', '=', false], ['user_ids.email_verified', '=', true]],
      { limit: 1 },
    );
    return id ?? null;
  }

  /** Top-level contact of each contact: the invoice recipient, whose records its members can see. */
  async commercial(ids: Ids): Promise<Map<Id, Id>> {
    const tops = new Map<Id, Id>(ids.map((id) => [id, id]));
    let rows = await this.read(ids, { select: { parent_id: true, is_company: true } });
    const contacts = new Map(rows.map((row) => [row.id, row]));
    while (rows.length > 0) {
      const parents = rows.flatMap(({ parent_id }) => (parent_id && !contacts.has(parent_id) ? [parent_id] : []));
      rows = await this.read([...new Set(parents)], { select: { parent_id: true, is_company: true } });
      for (const row of rows) contacts.set(row.id, row);
    }
    for (const id of ids) {
      let top = contacts.get(id);
      const seen = new Set<Id>();
      // Earlier versions allowed cycles through concurrent changes.
      while (top?.parent_id && !top.is_company && contacts.has(top.parent_id) && !seen.has(top.id)) {
        seen.add(top.id);
        top = contacts.get(top.parent_id);
      }
      tops.set(id, top?.id ?? id);
    }
    return tops;
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await super.beforeUnlink(ids);
    await this.ctx.model(AuditEntry).forget('res.partner', ids);
  }
}

/** Records with the same address in any notation; see `emailKey`. */
export function sameEmail<F extends string>(field: F, email: string) {
  const [ascii = '', unicode = ascii] = emailSpellings(email).map((text) => text.replaceAll(/[\\%_]/g, '\\$&'));
  return ['|', [field, '=ilike', ascii] as const, [field, '=ilike', unicode] as const] as const;
}

function normalise(values: Values<FieldsOf<Partner>>): Values<FieldsOf<Partner>> {
  const { email } = values;
  return typeof email === 'string' ? { ...values, email: readableAddress(email.trim()) || null } : values;
}

/** Whether the runtime supports an IANA time zone. */
export function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

declare module 'pergola' {
  interface Models {
    'res.partner': Partner;
  }
}
