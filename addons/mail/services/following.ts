import { Partner, sameEmail } from '@pergola/base';
import { app, type Ctx, emailKey, type Id, readableAddress, service, TooMany } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { requireEmailAddress } from 'pergola/mail';
import { confirmFollow } from '../mails.ts';
import { type FollowLink, makeLink } from './follow-links.ts';
import { threadOf } from './thread.ts';

/** Session key of a visitor's contact, verified by a link in an email. */
const PARTNER = 'mail.partner_id';

/** Follows records, for users and, by email links, for visitors without an account. */
export class Following extends service('mail.following', { ctx: app.ctx }) {
  /** The caller's contact: the user's, or the one verified by a link in this session. */
  ownPartner(): Id | null {
    if (this.ctx.user.partnerId !== null) return this.ctx.user.partnerId;
    const sessionPartner = this.ctx.session.get(PARTNER);
    return typeof sessionPartner === 'number' ? sessionPartner : null;
  }

  /** Whether the caller follows the record. Reveals nothing about other followers. */
  async follows(model: string, id: Id): Promise<boolean> {
    const partner = this.ownPartner();
    return (
      partner !== null &&
      (await mayRead(this.ctx, model, id)) &&
      ((await threadOf(this.ctx, model)?.isFollower(id, partner)) ?? false)
    );
  }

  /**
   * Toggles following; `following` is the current state. Visitors get a confirmation email, whether or not their address is known. Returns
   * the new state.
   *
   * @throws InvalidInput for an invalid address
   */
  async toggle(model: string, id: Id, following: boolean, email: string): Promise<boolean> {
    const partner = this.ownPartner();
    const thread = threadOf(this.ctx, model);
    if (!thread || !(await mayRead(this.ctx, model, id))) return false;
    if (following) {
      if (partner !== null) await thread.messageUnsubscribe([id], [partner]);
      return false;
    }
    if (partner !== null && (this.ctx.user.id !== null || !email)) await thread.messageSubscribe([id], [partner]);
    else await this.#askToConfirm(model, id, email);
    return true;
  }

  /** Executes a confirmed follow link, and stores the verified contact in the session. */
  async followByLink({ model, id, email }: FollowLink): Promise<boolean> {
    const visitor = await anonymousIdentity(this.ctx);
    // As an anonymous visitor: the link proves an address, not an account.
    const thread = threadOf(visitor ? this.ctx.as({ user: visitor }) : this.ctx, model);
    if (!thread || !(await mayRead(thread.ctx, model, id))) return false;
    const partner = await this.#partnerOf(email);
    await thread.messageSubscribe([id], [partner]);
    this.ctx.session.set(PARTNER, partner);
    return true;
  }

  async unfollowByLink({ model, id, email }: FollowLink): Promise<void> {
    const thread = threadOf(this.ctx, model);
    const partners = await this.ctx
      .sudo()
      .model(Partner)
      .search([...sameEmail('email', email)]);
    await thread?.messageUnsubscribe([id], partners);
  }

  /** Name of the record, for the holder of a link. */
  async nameOf({ model, id }: Pick<FollowLink, 'model' | 'id'>): Promise<string> {
    const thread = threadOf(this.ctx, model);
    return thread && (await mayRead(this.ctx, model, id)) ? ((await thread.displayNames([id])).get(id) ?? '') : '';
  }

  async #askToConfirm(model: string, id: Id, address: string): Promise<void> {
    // Browsers send international domains in ASCII.
    const email = readableAddress(address);
    requireEmailAddress(email, { code: 'mail.bad_email' });
    const path = `/mail/follow/${makeLink(this.ctx, 'follow', { model, id, email })}`;
    await this.ctx.lock(model as Parameters<Ctx['lock']>[0], [id]);
    try {
      await this.ctx.mail.send(confirmFollow, {
        to: { email, lang: this.ctx.lang },
        values: { record: await this.nameOf({ model, id }), path },
        // Prevents duplicate emails on a double click.
        key: `mail.follow:${model}:${id}:${emailKey(email)}`,
        keyMs: 60_000,
      });
    } catch (error) {
      // The caller must not learn about earlier emails to this address.
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /**
   * Returns the contact with an address, creating it if it doesn't exist. Visitors have no access to contacts, but have confirmed this
   * address.
   */
  async #partnerOf(email: string): Promise<Id> {
    const partners = this.ctx.sudo().model(Partner);
    const existingId = await partners.byEmail(email);
    return existingId ?? partners.create({ name: email.split('@')[0] ?? email, email, lang: this.ctx.lang });
  }
}

async function mayRead(ctx: Ctx, model: string, id: Id): Promise<boolean> {
  return (await ctx.modelNamed(model).allowed([id], 'read')).length > 0;
}
