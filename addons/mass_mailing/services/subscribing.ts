import { randomBytes } from 'node:crypto';
import { confirmedEmail } from '@pergola/base';
import { app, type Id, InvalidInput, NotFound, service, TooMany } from 'pergola';
import { requireEmailAddress } from 'pergola/mail';
import { confirmSubscription } from '../mails.ts';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Subscription, type SubscriptionSource } from '../models/subscription.ts';
import { t } from '../texts.ts';
import { parseAddress } from './address.ts';
import { addressKey } from './address-key.ts';
import { type ConfirmLink, confirmToken } from './links.ts';

/** Session keys: the address entered by the visitor, and the confirmation secrets by list. */
const ADDRESS = 'mass_mailing.email';
const PROOFS = 'mass_mailing.proofs';

/** Subscription status shown in the widget. */
export interface SubscriberStatus {
  readonly is_subscriber: boolean;
  readonly email: string | false;
}

/** A list as visible to visitors. */
interface OpenList {
  readonly id: Id;
  readonly name: string;
}

function namesOf(lists: readonly OpenList[]): string[] {
  return lists.map(({ name }) => name);
}

/** `asked`: a confirmation email was sent; `subscribed`: effective immediately. */
export type Subscribed = 'asked' | 'subscribed';

/** Subscribes visitors to mailing lists: immediately with the address of their account, or after confirmation by email. */
export class Subscribing extends service('mass_mailing.subscribing', { ctx: app.ctx }) {
  /**
   * Returns whether the caller is subscribed to a list with the address of their account, or the one entered in this session. For the
   * latter, only reports a confirmed request of this session, so visitors learn nothing about other people's addresses.
   */
  async status(list: Id): Promise<SubscriberStatus> {
    const ownEmail = await this.#ownEmail();
    if (ownEmail) return { is_subscriber: await this.#isOn(list, ownEmail), email: ownEmail };
    const email = this.ctx.session.get(ADDRESS);
    if (typeof email !== 'string') return { is_subscriber: false, email: false };
    const proof = this.#proofs()[list];
    const confirmed = proof !== undefined && (await this.#isOn(list, email, proof));
    return { is_subscriber: confirmed, email };
  }

  /**
   * Subscribes the caller to lists: immediately with the address of their account, otherwise after a single confirmation email for all of
   * them. The result and timing are the same for known and unknown addresses.
   *
   * @throws InvalidInput for an invalid address, or without lists
   * @throws NotFound if a list doesn't exist or isn't open
   */
  async subscribe(lists: readonly Id[], text: string): Promise<Subscribed> {
    if (lists.length === 0) {
      const message = t(this.ctx, 'Choose at least one list.');
      throw new InvalidInput(message, { code: 'mass_mailing.no_choice', fields: { list_id: message } });
    }
    const { email: rawEmail, name } = parseAddress(text);
    const email = addressKey(rawEmail);
    requireEmailAddress(email, { code: 'mass_mailing.bad_email' });
    const openLists = await this.openLists(lists);
    if (openLists.length < new Set(lists).size) {
      throw new NotFound('We can’t find that mailing list.', { code: 'mass_mailing.no_list' });
    }
    if ((await this.#ownEmail()) === email) {
      const person = { email, name: name || this.ctx.user.name, lang: this.ctx.lang };
      for (const { id } of openLists) await this.#addToList(id, person, 'user', null);
      return 'subscribed';
    }
    const ids = openLists.map(({ id }) => id);
    const proofs = this.ctx.session.get(ADDRESS) === email ? this.#proofs() : {};
    // The link in the first confirmation email contains the earlier secret.
    const [existingProof] = ids.map((id) => proofs[id]);
    const proof = existingProof ?? randomBytes(18).toString('base64url');
    await this.#askToConfirm(openLists, { lists: ids, email, name, lang: this.ctx.lang, proof });
    this.ctx.session.set(ADDRESS, email);
    this.ctx.session.set(PROOFS, { ...proofs, ...Object.fromEntries(ids.map((id) => [id, proof])) });
    return 'asked';
  }

  /**
   * Executes a confirmation link. Returns the names of its lists that are still open, and the subscribed contact; null if no list is open.
   */
  async confirm(link: ConfirmLink): Promise<{ names: string[]; contact: Id } | null> {
    const lists = await this.openLists(link.lists);
    let contact: Id | null = null;
    for (const { id } of lists) contact = await this.#addToList(id, link, 'confirmed', link.proof);
    return contact === null ? null : { names: namesOf(lists), contact };
  }

  /** Returns the open ones of these lists; closed and missing lists are indistinguishable. */
  openLists(lists: readonly Id[]): Promise<OpenList[]> {
    // Visitors can only see public lists because of the record rules; employees trying the widget must not reach closed lists either.
    return this.ctx
      .sudo()
      .model(MailingList)
      .find(
        [
          ['id', 'in', lists],
          ['is_public', '=', true],
          ['active', '=', true],
        ],
        { select: { name: true } },
      );
  }

  async #addToList(
    list: Id,
    { email, name, lang }: { email: string; name: string; lang: string },
    source: SubscriptionSource,
    proof: string | null,
  ): Promise<Id> {
    // Visitors and customers have no access to subscribers; the owner of the address has confirmed.
    const system = this.ctx.sudo();
    await system.lock(MailingList, [list]);
    await system.model(Contact).subscribeAll(list, [{ email, name, lang }], source);
    const subscriptions = system.model(Subscription);
    const rows = await subscriptions.find(
      [
        ['list_id', '=', list],
        ['contact_id.email', '=', email],
      ],
      { select: { opt_out: true, contact_id: true } },
    );
    for (const { id, opt_out } of rows) {
      await subscriptions.write(id, { source, proof, ...(opt_out ? { opt_out: false, date: this.ctx.now() } : {}) });
    }
    // Subscribing again lifts exclusions, so addresses that bounced are tried once more.
    const excluded = await system.model(Exclusion).search([
      ['email', '=', email],
      ['reason', '!=', 'staff'],
    ]);
    await system.model(Exclusion).unlink(excluded);
    return rows[0]?.contact_id ?? 0;
  }

  async #isOn(list: Id, email: string, proof?: string): Promise<boolean> {
    // Only concerns the caller's own address; see above.
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

  async #askToConfirm(lists: readonly OpenList[], link: ConfirmLink): Promise<void> {
    const { email, name, lang } = link;
    const ids = [...link.lists].sort((a, b) => a - b);
    await this.ctx.lock(MailingList, ids);
    try {
      await this.ctx.mail.send(confirmSubscription, {
        to: { email, name, lang },
        values: { lists: namesOf(lists).join(', '), path: `/mass_mailing/confirm/${confirmToken(this.ctx, link)}` },
        // Prevents duplicate emails on a double click.
        key: `mass_mailing.confirm:${ids.join(',')}:${email}`,
        keyMs: 60_000,
      });
    } catch (error) {
      // The caller must not learn about earlier emails to this address.
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /** Confirmation secrets of this session, by list. */
  #proofs(): Readonly<Record<Id, string>> {
    return (this.ctx.session.get(PROOFS) ?? {}) as Readonly<Record<Id, string>>;
  }

  /** The user's confirmed address in lower case; null for visitors and unconfirmed accounts. */
  async #ownEmail(): Promise<string | null> {
    const email = await confirmedEmail(this.ctx);
    return email === null ? null : addressKey(email);
  }
}
