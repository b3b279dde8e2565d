import { confirmedEmail } from '@pergola/base';
import { app, type Id, service } from 'pergola';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { addressKey } from './address-key.ts';
import type { MailLink } from './links.ts';

/** Email preferences of an address. */
export interface Preferences {
  readonly email: string;
  /** Whether the owner has excluded the address from all mailings. */
  readonly excluded: boolean;
  readonly lists: readonly {
    readonly id: Id;
    readonly name: string;
    readonly description: string | null;
    readonly on: boolean;
  }[];
}

/** Email preferences, accessed by the links in a mailing. */
export class MailPreferences extends service('mass_mailing.preferences', { ctx: app.ctx }) {
  // The signed link proves that the caller owns the address.
  readonly #system = this.ctx.sudo();

  /** Returns the preferences for a contact link: its own lists, and open ones. Null if the contact was deleted. */
  async of({ contact }: MailLink): Promise<Preferences | null> {
    const email = await this.email({ contact });
    return email === null ? null : this.#of(contact, email);
  }

  /** Same for the signed-in user, by their confirmed address; null without a confirmed address. */
  async own(): Promise<Preferences | null> {
    const email = await this.#ownEmail();
    return email === null ? null : this.#of(await this.#contactOf(email), email);
  }

  async #of(contact: Id, email: string): Promise<Preferences> {
    const subscriptions = await this.#system
      .model(Subscription)
      .find([['contact_id', '=', contact]], { select: { list_id: true, opt_out: true } });
    const on = new Map(subscriptions.map(({ list_id, opt_out }) => [list_id, !opt_out]));
    const lists = await this.#system
      .model(MailingList)
      .find(
        [
          ['active', '=', true],
          '|',
          ['is_public', '=', true],
          ['id', 'in', [...on].filter(([, subscribed]) => subscribed).map(([id]) => id)],
        ],
        { select: { name: true, description: true } },
      );
    const excluded = await this.#system.model(Exclusion).count([['email', '=', email]]);
    return {
      email,
      excluded: excluded > 0,
      lists: lists.map(({ id, name, description }) => ({ id, name, description, on: on.get(id) ?? false })),
    };
  }

  /** Address of a link's contact; null if it was deleted. */
  async email({ contact }: Pick<MailLink, 'contact'>): Promise<string | null> {
    const row = await this.#system.model(Contact).first([['id', '=', contact]], { select: { email: true } });
    return row?.email ?? null;
  }

  /** Saves the signed-in user's preferences; false without a confirmed address. */
  async saveOwn(selected: ReadonlySet<Id>, exclude: boolean): Promise<boolean> {
    const email = await this.#ownEmail();
    if (email === null) return false;
    const { name } = this.ctx.user;
    const contact =
      (await this.#contactOf(email)) ||
      (await this.#system.model(Contact).create({ email, name, lang: this.ctx.lang }));
    return this.save({ contact, mailing: 0 }, selected, exclude);
  }

  /** Updates the contact's subscriptions to the selected lists, and excludes the address or lifts its exclusion. */
  async save(link: MailLink, selected: ReadonlySet<Id>, exclude: boolean): Promise<boolean> {
    const current = await this.of(link);
    if (!current) return false;
    await this.#system.lock(Contact, [link.contact]);
    const subscriptions = this.#system.model(Subscription);
    const leftLists: Id[] = [];
    for (const { id: list, on } of current.lists) {
      if (selected.has(list) === on) continue;
      const [subscription] = await subscriptions.search([
        ['contact_id', '=', link.contact],
        ['list_id', '=', list],
      ]);
      const opt_out = !selected.has(list);
      if (subscription !== undefined)
        await subscriptions.write(subscription, { opt_out, ...(opt_out ? {} : { date: this.ctx.now() }) });
      else
        await subscriptions.create({
          contact_id: link.contact,
          list_id: list,
          source: link.mailing === 0 ? 'user' : 'confirmed',
          date: this.ctx.now(),
        });
      if (opt_out) leftLists.push(list);
    }
    if (leftLists.length > 0) await this.#noteLeaving(link);
    const exclusions = this.#system.model(Exclusion);
    if (exclude) await exclusions.exclude(current.email, 'asked');
    else {
      await exclusions.unlink(
        await exclusions.search([
          ['email', '=', current.email],
          ['reason', '=', 'asked'],
        ]),
      );
    }
    return true;
  }

  /** Unsubscribes the contact from the mailing's lists. Returns the names of the lists; null if the contact was deleted. */
  async unsubscribe(link: MailLink): Promise<string[] | null> {
    if ((await this.#system.model(Contact).count([['id', '=', link.contact]])) === 0) return null;
    const lists = await this.lists(link);
    const subscriptions = this.#system.model(Subscription);
    const subscriptionIds = await subscriptions.search([
      ['contact_id', '=', link.contact],
      ['list_id', 'in', lists.map(({ id }) => id)],
      ['opt_out', '=', false],
    ]);
    if (subscriptionIds.length > 0) {
      await subscriptions.write(subscriptionIds, { opt_out: true });
      await this.#noteLeaving(link);
    }
    return lists.map(({ name }) => name);
  }

  /** Lists of an unsubscribe link: the mailing's lists, or all of the contact's lists if the mailing was deleted. */
  async lists({ contact, mailing }: MailLink): Promise<{ id: Id; name: string }[]> {
    const row = await this.#system.model(Mailing).first([['id', '=', mailing]], { select: { contact_list_ids: true } });
    const contactSubscriptions = await this.#system
      .model(Subscription)
      .find([['contact_id', '=', contact]], { select: { list_id: true, opt_out: true } });
    const affected = contactSubscriptions.filter(({ list_id }) => !row || row.contact_list_ids.includes(list_id));
    // If the contact has already left all of them, returns all of them.
    const subscribed = affected.filter(({ opt_out }) => !opt_out);
    const ids = (subscribed.length > 0 ? subscribed : affected).map(({ list_id }) => list_id);
    return this.#system.model(MailingList).read(ids, { select: { name: true } });
  }

  async #ownEmail(): Promise<string | null> {
    const email = await confirmedEmail(this.ctx);
    return email === null ? null : addressKey(email);
  }

  /** Contact ID of an address, or 0. */
  async #contactOf(email: string): Promise<Id> {
    return (await this.#system.model(Contact).search([['email', '=', email]]))[0] ?? 0;
  }

  async #noteLeaving({ contact, mailing }: MailLink): Promise<void> {
    const recipients = this.#system.model(MailRecipient);
    const recipientIds = await recipients.search([
      ['mass_mailing_id', '=', mailing],
      ['contact_id', '=', contact],
      ['unsubscribed', '=', null],
    ]);
    if (recipientIds.length > 0) await recipients.write(recipientIds, { unsubscribed: this.#system.now() });
  }
}
