import { randomBytes } from 'node:crypto';
import { app, type Id, InvalidInput, NotFound, service, TooMany } from 'pergola';
import { requireEmailAddress } from 'pergola/mail';
import { confirmedEmail } from '#addons/base';
import { confirmSubscription } from '../mails.ts';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Subscription, type SubscriptionSource } from '../models/subscription.ts';
import { t } from '../texts.ts';
import { parseAddress } from './address.ts';
import { addressKey } from './address-key.ts';
import { type ConfirmLink, confirmToken } from './links.ts';

/** The address a visitor has given in this session, and by list the secret that a confirmation brings back. */
const ADDRESS = 'mass_mailing.email';
const PROOFS = 'mass_mailing.proofs';

/** What the widget shows of the caller. */
export interface SubscriberStatus {
  readonly is_subscriber: boolean;
  readonly email: string | false;
}

/** A list as visitors see it. */
interface OpenList {
  readonly id: Id;
  readonly name: string;
}

function namesOf(lists: readonly OpenList[]): string[] {
  return lists.map(({ name }) => name);
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
    const proof = this.#proofs()[list];
    const confirmed = proof !== undefined && (await this.#isOn(list, email, proof));
    return { is_subscriber: confirmed, email };
  }

  /**
   * Puts the caller on lists: at once by the address of their own user, else after one mail that asks for confirmation of all of them. What it
   * answers, and how long it takes, is the same whether the address is known here or not.
   *
   * @throws InvalidInput for something that is no address, and for no list
   * @throws NotFound for a list that is not there or not open
   */
  async subscribe(lists: readonly Id[], text: string): Promise<Subscribed> {
    if (lists.length === 0) {
      const message = t(this.ctx, 'Choose at least one list.');
      throw new InvalidInput(message, { code: 'mass_mailing.no_choice', fields: { list_id: message } });
    }
    const { email: typed, name } = parseAddress(text);
    const email = addressKey(typed);
    requireEmailAddress(email, { code: 'mass_mailing.bad_email' });
    const found = await this.openLists(lists);
    if (found.length < new Set(lists).size) {
      throw new NotFound('There is no such mailing list.', { code: 'mass_mailing.no_list' });
    }
    if ((await this.#ownEmail()) === email) {
      const own = { email, name: name || this.ctx.user.name, lang: this.ctx.lang };
      for (const { id } of found) await this.#putOn(id, own, 'user', null);
      return 'subscribed';
    }
    const ids = found.map(({ id }) => id);
    const before = this.ctx.session.get(ADDRESS) === email ? this.#proofs() : {};
    // The mail that was sent first brings back the secret of then.
    const [known] = ids.map((id) => before[id]);
    const proof = known ?? randomBytes(18).toString('base64url');
    await this.#askToConfirm(found, { lists: ids, email, name, lang: this.ctx.lang, proof });
    this.ctx.session.set(ADDRESS, email);
    this.ctx.session.set(PROOFS, { ...before, ...Object.fromEntries(ids.map((id) => [id, proof])) });
    return 'asked';
  }

  /** Does what a link from a mail confirms. Answers the names of its lists that are still open, and who is on them now; null when none is. */
  async confirm(link: ConfirmLink): Promise<{ names: string[]; contact: Id } | null> {
    const lists = await this.openLists(link.lists);
    let contact: Id | null = null;
    for (const { id } of lists) contact = await this.#putOn(id, link, 'confirmed', link.proof);
    return contact === null ? null : { names: namesOf(lists), contact };
  }

  /** Those of the lists that visitors may subscribe to; nothing tells one that is not open from one that is not there. */
  openLists(lists: readonly Id[]): Promise<OpenList[]> {
    // Visitors see public lists only by the record rules; employees who try the widget must not reach closed ones either.
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

  async #askToConfirm(lists: readonly OpenList[], link: ConfirmLink): Promise<void> {
    const { email, name, lang } = link;
    const ids = [...link.lists].sort((a, b) => a - b);
    await this.ctx.lock(MailingList, ids);
    try {
      await this.ctx.mail.send(confirmSubscription, {
        to: { email, name, lang },
        values: { lists: namesOf(lists).join(', '), path: `/mass_mailing/confirm/${confirmToken(this.ctx, link)}` },
        // Pressing twice asks once.
        key: `mass_mailing.confirm:${ids.join(',')}:${email}`,
        keyMs: 60_000,
      });
    } catch (error) {
      // Whoever asked must not learn what was sent to this address before.
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /** What this session knows of its requests, by list. */
  #proofs(): Readonly<Record<Id, string>> {
    return (this.ctx.session.get(PROOFS) ?? {}) as Readonly<Record<Id, string>>;
  }

  /** The confirmed address of the caller's user, in small letters; null for visitors, and for accounts that nobody confirmed. */
  async #ownEmail(): Promise<string | null> {
    const email = await confirmedEmail(this.ctx);
    return email === null ? null : addressKey(email);
  }
}
