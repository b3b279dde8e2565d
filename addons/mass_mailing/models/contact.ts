import { type FieldsOf, f, type Id, type Ids, InvalidInput, isEmailAddress, model, type Values } from 'pergola';
import { addressKey } from '../services/address-key.ts';
import { MailRecipient } from './recipient.ts';
import { Subscription, type SubscriptionSource } from './subscription.ts';

interface Person {
  readonly email: string;
  readonly name?: string | null;
  readonly lang?: string | null;
}

/** Number of a contact's latest emails considered when counting bounces. */
const MAX_COUNTED = 20;

/** An email recipient: one contact per address, regardless of the number of lists. */
export class Contact extends model(
  'mail.mass_mailing.contact',
  {
    email: f.char({ required: true, size: 254, unique: true, index: true, label: 'Email' }),
    name: f.char({ size: 120 }),
    lang: f.char({ size: 10, label: 'Language', help: 'Language code used for mailings to this contact' }),
    subscription_ids: f.one2many('mail.mass_mailing.subscription', 'contact_id', { label: 'Subscriptions' }),
    /** Not stored: setting a list here subscribes the contact to it. */
    list_id: f.many2one('mail.mass_mailing.list', { label: 'Add to the list', empty: 'none', copy: false }),
    list_ids: f.many2many('mail.mass_mailing.list', { compute: 'computeLists', label: 'Subscribed to' }),
    message_bounce: f.integer({
      default: 0,
      min: 0,
      label: 'Consecutive failures',
      help: 'Emails refused or bounced since the last accepted one',
      copy: false,
    }),
  },
  { order: 'email, id', nameField: 'email', search: ['email', 'name'], label: 'Mailing contact' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Contact>>[],
  ): Promise<readonly Values<FieldsOf<Contact>>[]> {
    return super.beforeCreate(values.map(withSubscriptions));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Contact>>): Promise<Values<FieldsOf<Contact>>> {
    const { list_id: list, ...rest } = values;
    if (typeof list === 'number') {
      const people = await this.read(ids, { select: { email: true } });
      await this.subscribeAll(list, people, 'staff');
    }
    return super.beforeWrite(ids, normalise(rest));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!changed.has('email')) return;
    for (const { email } of await this.read(ids, { select: { email: true } })) {
      if (isEmailAddress(email)) continue;
      const message = 'Enter a valid email address.';
      throw new InvalidInput(message, { code: 'mass_mailing.bad_email', fields: { email: message } });
    }
  }

  /** Lists each contact is subscribed to. */
  async computeLists(ids: Ids): Promise<Map<Id, Ids>> {
    const rows = await this.ctx.model(Subscription).find(
      [
        ['contact_id', 'in', ids],
        ['opt_out', '=', false],
      ],
      { select: { contact_id: true, list_id: true } },
    );
    const byContact = Map.groupBy(rows, ({ contact_id }) => contact_id);
    return new Map(ids.map((id) => [id, (byContact.get(id) ?? []).map(({ list_id }) => list_id)]));
  }

  /**
   * Subscribes people to a list, creating missing contacts. Leaves existing subscriptions unchanged, including cancelled ones. Returns the
   * number of new subscribers.
   */
  async subscribeAll(listId: Id, people: readonly Person[], source: SubscriptionSource): Promise<number> {
    const peopleByEmail = new Map(people.map((person) => [addressKey(person.email), person]));
    const idsByEmail = await this.#byAddress([...peopleByEmail.keys()]);
    const fresh = [...peopleByEmail].filter(([email]) => !idsByEmail.has(email));
    const createdIds = await this.create(
      fresh.map(([email, { name, lang }]) => ({ email, name: name || null, lang: lang ?? null })),
    );
    fresh.forEach(([email], index) => void idsByEmail.set(email, createdIds[index] ?? 0));
    const subscriptions = this.ctx.model(Subscription);
    const existing = await subscriptions.find(
      [
        ['list_id', '=', listId],
        ['contact_id', 'in', [...idsByEmail.values()]],
      ],
      { select: { contact_id: true } },
    );
    const on = new Set(existing.map(({ contact_id }) => contact_id));
    const missing = [...new Set(idsByEmail.values())].filter((id) => !on.has(id));
    await subscriptions.create(
      missing.map((contact_id) => ({ contact_id, list_id: listId, source, date: this.ctx.now() })),
    );
    return missing.length;
  }

  /** Counts the consecutive refused or bounced emails since the last accepted one. */
  async recountBounces(ids: Ids): Promise<void> {
    for (const id of ids) {
      const latest = await this.ctx.model(MailRecipient).find(
        [
          ['contact_id', '=', id],
          ['state', 'in', ['sent', 'delivered', 'failed', 'bounced', 'complained']],
        ],
        { select: { state: true }, order: 'id desc', limit: MAX_COUNTED },
      );
      const accepted = latest.findIndex(({ state }) => state !== 'failed' && state !== 'bounced');
      await this.write(id, { message_bounce: accepted < 0 ? latest.length : accepted });
    }
  }

  /** Resets the bounce counts after an email was accepted. */
  async resetBounces(ids: Ids): Promise<void> {
    const bounced = await this.search([
      ['id', 'in', ids],
      ['message_bounce', '>', 0],
    ]);
    if (bounced.length > 0) await this.write(bounced, { message_bounce: 0 });
  }

  async #byAddress(emails: readonly string[]): Promise<Map<string, Id>> {
    const rows = await this.find([['email', 'in', emails]], { select: { email: true } });
    return new Map(rows.map(({ id, email }) => [email, id]));
  }
}

/** Stores addresses in normalised form. */
function normalise(values: Values<FieldsOf<Contact>>): Values<FieldsOf<Contact>> {
  return typeof values.email === 'string' ? { ...values, email: addressKey(values.email) } : values;
}

function withSubscriptions({ list_id: list, ...rest }: Values<FieldsOf<Contact>>): Values<FieldsOf<Contact>> {
  if (typeof list !== 'number') return normalise(rest);
  const subscriptions = Array.isArray(rest.subscription_ids) ? rest.subscription_ids : [];
  return normalise({ ...rest, subscription_ids: [...subscriptions, { create: { list_id: list } }] });
}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing.contact': Contact;
  }
}
