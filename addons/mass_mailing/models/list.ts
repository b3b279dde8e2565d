import { f, type Id, type Ids, InvalidInput, isEmailAddress, model } from 'pergola';
import { parseAddress } from '../services/address.ts';
import { t } from '../texts.ts';
import { Contact } from './contact.ts';
import { Subscription } from './subscription.ts';

/** Maximum number of addresses added at once. */
const MOST_ADDRESSES = 5_000;

/** A mailing list such as a newsletter or team news. */
export class MailingList extends model(
  'mail.mass_mailing.list',
  {
    name: f.char({ required: true, translate: true, size: 120, label: 'Mailing list' }),
    description: f.text({
      translate: true,
      size: 1_000,
      help: 'Shown to visitors: what they’ll get, and how often',
    }),
    is_public: f.boolean({
      default: true,
      label: 'Open to visitors',
      help: 'Visitors can subscribe, and subscribers see the list’s name',
    }),
    active: f.boolean({ default: true }),
    sequence: f.integer({ default: 10 }),
    new_addresses: f.text({
      label: 'Addresses to add',
      groups: 'mass_mailing.group_user',
      copy: false,
      help: 'One per line, with the name first if you know it: Ada Lovelace <ada@example.org>. Only add people who have given their consent.',
    }),
    subscription_ids: f.one2many('mail.mass_mailing.subscription', 'list_id', {
      label: 'Subscribers',
    }),
    contact_nbr: f.integer({
      compute: 'computeContactNumber',
      label: 'Subscribers',
      groups: 'mass_mailing.group_user',
    }),
  },
  { order: 'sequence, name, id', label: 'Mailing list' },
) {
  /** Current number of subscribers. */
  async computeContactNumber(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx.model(Subscription).group(
      [
        ['list_id', 'in', ids],
        ['opt_out', '=', false],
      ],
      { by: ['list_id'] },
    );
    const counts = new Map(rows.map((row) => [idOf(row.list_id), row.count]));
    return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  }

  /**
   * Subscribes the addresses in `new_addresses`, and clears the field. Leaves existing subscriptions unchanged, so people who unsubscribed
   * aren't added again. Returns the number of new subscribers.
   *
   * @throws InvalidInput naming the lines without a valid address; nothing is added in this case
   */
  async add_addresses(ids: Ids): Promise<number> {
    let added = 0;
    for (const { id, new_addresses: text } of await this.read(ids, { select: { new_addresses: true } })) {
      const lines = (text ?? '').split(/\r?\n|;/).filter((line) => line.trim() !== '');
      if (lines.length > MOST_ADDRESSES) {
        const message = t(this.ctx, 'Add up to {most} addresses at a time.', { most: MOST_ADDRESSES });
        throw new InvalidInput(message, {
          code: 'mass_mailing.too_many_addresses',
          fields: { new_addresses: message },
        });
      }
      const people = lines.map((line) => ({ line, ...parseAddress(line) }));
      const invalidLines = people.filter(({ email }) => !isEmailAddress(email)).map(({ line }) => line.trim());
      if (invalidLines.length > 0) {
        const message = t(this.ctx, 'These aren’t valid email addresses: {lines}', {
          lines: invalidLines.slice(0, 10).join(' · '),
        });
        throw new InvalidInput(message, { code: 'mass_mailing.bad_address', fields: { new_addresses: message } });
      }
      added += await this.ctx.model(Contact).subscribeAll(id, people, 'staff');
      await this.write(id, { new_addresses: null });
    }
    return added;
  }
}

function idOf(value: unknown): Id {
  return Array.isArray(value) ? Number(value[0]) : Number(value);
}

declare module 'pergola' {
  interface Models {
    'mail.mass_mailing.list': MailingList;
  }
}
