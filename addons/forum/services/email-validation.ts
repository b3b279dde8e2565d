import { User } from '@pergola/base';
import { WebUser } from '@pergola/web';
import { app, type Id, service, signText, TooMany, Unauthenticated, verifyText } from 'pergola';
import { VALIDATION_HOURS } from '../constants.ts';
import { validateEmail } from '../mails/validate-email.ts';
import { UserWithKarma } from '../models/user-with-karma.ts';

const PURPOSE = 'forum.validate_email';

interface Owner {
  readonly id: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
}

/** Confirms users' email addresses, which grants their initial karma. */
export class EmailValidation extends service('forum.email_validation', { ctx: app.ctx }) {
  /** Emails the caller a link to confirm their address. */
  async send(forum: Id | null): Promise<void> {
    const { ctx } = this;
    if (ctx.user.id === null) throw new Unauthenticated('Sign in first.', { code: 'core.sign_in_first' });
    ctx.session.set('forum.validation_sent', true);
    const owner = await this.#ownerOf(ctx.user.id);
    if (!owner) return;
    // If another account already uses the address, its owner gets a notice instead of a link.
    if (await this.#isTaken(owner)) return ctx.model(WebUser).sendLink('verify', owner.id);
    const query = new URLSearchParams({
      token: this.#tokenFor(owner),
      id: String(owner.id),
      ...(forum ? { forum_id: String(forum) } : {}),
    });
    try {
      await ctx.mail.send(validateEmail, {
        to: { email: owner.email, name: owner.name, lang: owner.lang ?? undefined },
        values: { name: owner.name, path: `/forum/validate_email?${query}` },
      });
    } catch (error) {
      // Rate limit reached: earlier emails are still on their way.
      if (!(error instanceof TooMany)) throw error;
    }
  }

  /** Returns the user of a link while it is valid and the address unchanged. */
  async ownerOf({ token, id }: { readonly token: string; readonly id: Id }): Promise<Owner | null> {
    const [, end = '', signature = ''] = /^(\d{1,12})\.([\w-]{20,100})$/.exec(token) ?? [];
    const owner = end === '' ? null : await this.#ownerOf(id);
    if (!owner || Number(end) * 1000 < this.ctx.now().getTime()) return null;
    const text = JSON.stringify([Number(end), owner.id, owner.email]);
    if (!verifyText(this.ctx.config.sessionSecret, PURPOSE, text, signature)) return null;
    return (await this.#isTaken(owner)) ? null : owner;
  }

  /** Marks an address as confirmed, and grants the initial karma as configured in the given forum. */
  async confirm(owner: Owner, forum: Id | null): Promise<void> {
    // Must run before `verifyEmail`, which would grant the default amount.
    await this.ctx.model(UserWithKarma).grantFirstKarma(owner.id, forum);
    // The link proves that the address belongs to the user.
    await this.ctx.sudo().model(User).verifyEmail([owner.id]);
    if (this.ctx.user.id === owner.id) this.ctx.session.set('forum.validation_done', true);
  }

  /** Signed token for one address of one user, with an expiry time. */
  #tokenFor({ id, email }: Owner): string {
    const end = Math.floor(this.ctx.now().getTime() / 1000) + VALIDATION_HOURS * 3600;
    return `${end}.${signText(this.ctx.config.sessionSecret, PURPOSE, JSON.stringify([end, id, email]))}`;
  }

  async #isTaken({ id, email }: Owner): Promise<boolean> {
    const users = this.ctx.sudo().model(User); // People signing up must not learn which addresses have an account.
    return (await users.rivalOf(id, email)) !== null;
  }

  async #ownerOf(id: Id): Promise<Owner | null> {
    // The link works without signing in.
    const row = await this.ctx
      .sudo()
      .model(User)
      .first(
        [
          ['id', '=', id],
          ['active', '=', true],
        ],
        { select: { lang: true, partner_id: { name: true, email: true, lang: true } } },
      );
    const email = row?.partner_id?.email;
    return row && email
      ? { id, email, name: row.partner_id?.name ?? '', lang: row.lang ?? row.partner_id?.lang ?? null }
      : null;
  }
}
