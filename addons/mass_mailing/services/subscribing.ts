import { randomBytes } from 'node:crypto';
import { confirmedEmail } from '#addons/base';
import { app, type Id, InvalidInput, isEmailAddress, NotFound, service, TooMany } from '#core';
import { confirmSubscription } from '../mails.ts';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Subscription, type SubscriptionSource } from '../models/subscription.ts';
import { parseAddress } from './address.ts';
import { type ConfirmLink, confirmToken } from './links.ts';

/** The address a visitor has given in this session, and a secret that a confirmation brings back. */
const ADDRESS = 'mass_mailing.email';
const PROOF = 'mass_mailing.proof';

/** What the widget shows of the caller. */
export interface SubscriberStatus {
  readonly is_subscriber: boolean;
  readonly email: string | false;
}

/** `asked`: a mail asks for confirmation; `subscribed`: done at once. */
export type Subscribed = 'asked' | 'subscribed';

/** How visitors come on mailing lists: by the address of their own account, or after a mail that asks for confirmation. */
export class Subscribing extends service('mass_mailing.subscribing', { ctx: app.ctx }) {
  /**
   * Whether the caller is on a list, by their own address: that of their user, or the one given in this session. Of the latter it says yes only
   * when the very request of this session was confirmed, so nobody learns about the address of somebody else.
   */
  async status(list: Id): Promise<SubscriberStatus> {
    const own = await this.#ownEmail();
    if (own) return { is_subscriber: await this.#isOn(list, own), email: own };
    const email = this.ctx.session.get(ADDRESS);
    if (typeof email !== 'string') return { is_subscriber: false, email: false };
    const proof = this.ctx.session.get(PROOF);
    const confirmed = typeof proof === 'string' && (await this.#isOn(list, email, proof));
    return { is_subscriber: confirmed, email };
  }

  /**
   * Puts the caller on a list: at once by the address of their own user, else after the mail that asks for confirmation. What it answers, and
   * how long it takes, is the same whether the address is known here or not.
   *
   * @throws InvalidInput for something that is no address
   * @throws NotFound for a list that is not there or not open
   */
  async subscribe(list: Id, text: string): Promise<Subscribed> {
    const { email, name } = parseAddress(text);
    if (!isEmailAddress(email)) {
      const message = this.ctx.t('Please write an address with an @ in it.');
      throw new InvalidInput(message, { code: 'mass_mailing.bad_email', fields: { email: message } });
    }
    const found = await this.openList(list);
    if ((await this.#ownEmail()) === email) {
      await this.#putOn(found.id, { email, name: name || this.ctx.user.name, lang: this.ctx.lang }, 'user', null);
      return 'subscribed';
    }
    const proof = randomBytes(18).toString('base64url');
    await this.#askToConfirm(found, { list: found.id, email, name, lang: this.ctx.lang, proof });
    this.ctx.session.set(ADDRESS, email);
    this.ctx.session.set(PROOF, proof);
    return 'asked';
  }

  /** Does what a link from a mail confirms. Answers the list's name and who is on it now; null when the list is gone. */
  async confirm(link: ConfirmLink): Promise<{ name: string; contact: Id } | null> {
    const list = await this.openList(link.list).catch(() => null);
    if (!list) return null;
    const contact = await this.#putOn(list.id, link, 'confirmed', link.proof);
    return { name: list.name, contact };
  }

  /** A list visitors may subscribe to; the same answer for one that is not open and one that is not there. */
  async openList(list: Id): Promise<{ id: Id; name: string }> {
    // Visitors see public lists only by the record rules; employees who try the widget must not reach closed ones either.
    const row = await this.ctx
      .sudo()
      .model(MailingList)
      .first(
        [
          ['id', '=', list],
          ['is_public', '=', true],
          ['active', '=', true],
        ],
        { select: { name: true } },
      );
    if (!row) throw new NotFound('There is no such mailing list.', { code: 'mass_mailing.no_list' });
    return row;
  }

  async #putOn(
    list: Id,
    { email, name, lang }: { email: string; name: string; lang: string },
    source: SubscriptionSource,
    proof: string | null,
  ): Promise<Id> {
    // Visitors and customers have no rights on subscribers; the owner of the address has said yes.
    const system = this.ctx.sudo();
    await system.lock(MailingList, [list]);
    await system.model(Contact).subscribeAll(list, [{ email, name, lang }], source);
    const subscriptions = system.model(Subscription);
    const found = await subscriptions.find(
      [
        ['list_id', '=', list],
        ['contact_id.email', '=', email],
      ],
      { select: { opt_out: true, contact_id: true } },
    );
    for (const { id, opt_out } of found) {
      await subscriptions.write(id, { source, proof, ...(opt_out ? { opt_out: false, date: this.ctx.now() } : {}) });
    }
    // Who asks for mails again wants them; an address that mails came back from is tried once more.
    const excluded = await system.model(Exclusion).search([
      ['email', '=', email],
      ['reason', '!=', 'staff'],
    ]);
    await system.model(Exclusion).unlink(excluded);
    return found[0]?.contact_id ?? 0;
  }

  async #isOn(list: Id, email: string, proof?: string): Promise<boolean> {
    // Of their own address only; see above.
    const count = await this.ctx
      .sudo()
      .model(Subscription)
      .count([
        ['list_id', '=', list],
        ['contact_id.email', '=', email],
        ['opt_out', '=', false],
        ...(proof === undefined ? [] : ([['proof', '=', proof]] as const)),
      ]);
    return count > 0;
  }

  async #askToConfirm(list: { name: string }, link: ConfirmLink): Promise<void> {
    const { email, name, lang } = link;
    try {
      await this.ctx.mail.send(confirmSubscription, {
        to: { email, name, lang },
        values: { list: list.name, path: `/mass_mailing/confirm/${confirmToken(this.ctx, link)}` },
      });
    } catch (error) {
      // Whoever asked must not learn what was sent to this address before.
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /** The confirmed address of the caller's user, in small letters; null for visitors, and for accounts that nobody confirmed. */
  async #ownEmail(): Promise<string | null> {
    return (await confirmedEmail(this.ctx))?.toLowerCase() ?? null;
  }
}
