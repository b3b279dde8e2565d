import { User } from '@pergola/base';
import { type Ctx, extend, f, type Id, type Ids, InvalidInput, NotAllowed, TooMany } from 'pergola';
import { type LinkFacts, type LinkOwner, type LinkPurpose, makeToken, readToken } from '../links.ts';
import { addressChangeMail, knownMail, linkMails, type resetMail } from '../mails.ts';

/** Maintained by the account itself, visible to user managers. */
const accountField = { size: 254, readonly: true, copy: false, groups: 'base.group_erp_manager' } as const;

/** Users choose their password and confirm their address through links sent by email. */
export const WebUser = extend(
  User,
  {
    pending_email: f.char({ ...accountField, label: 'New email, not confirmed yet' }),
    /** Set when a confirmed address is replaced by an unconfirmed one. */
    confirmed_email: f.char({
      ...accountField,
      label: 'Last confirmed email',
      help: 'Password links are sent there until the current address is confirmed',
    }),
  },
  (Base) =>
    class extends Base {
      /** Sends invitations to users without a password and reset links to all others. The caller must have the rights of these users. */
      async action_reset_password(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You don’t have permission to manage these users.', { code: 'web.users_not_allowed' });
        await this.requireMayManage(ids);
        const users = await this.ctx
          .sudo() // Users without a password are invited; the caller doesn't learn which.
          .model(User)
          .read(ids, { select: { password_hash: true, login: true, partner_id: { email: true } } });
        const unreachable = users.filter(({ partner_id }) => !partner_id?.email).map(({ login }) => login);
        if (unreachable.length > 0)
          throw new InvalidInput('Can’t send the link to users without an email address: {logins}', {
            code: 'web.no_address',
            params: { logins: unreachable.join(', ') },
          });
        for (const { id, password_hash } of users) await this.sendLink(password_hash ? 'reset' : 'invite', id);
        return true;
      }

      /**
       * Sends a confirmation link to the new address of an account and a notice to the old one. Nothing changes until the link is opened;
       * it becomes invalid if the password changes. The caller must have checked the password.
       */
      async askForEmail(id: Id, email: string): Promise<void> {
        await this.write(id, { pending_email: email });
        await this.sendLink('change', id);
        await this.sendMail(id, addressChangeMail, '/web/reset_password');
      }

      /** Replaces the address after the new one was confirmed by its link. */
      async takePendingEmail(id: Id): Promise<void> {
        const { pending_email: email, partner_id: contact } = await this.get(id, {
          select: { pending_email: true, partner_id: true },
        });
        if (!email || contact === null) return;
        await this.write(id, { email });
        await this.write(id, { pending_email: null });
        await this.verifyEmail([id]);
      }

      /**
       * Sends a user an email with a signed link. If the address belongs to another account, its owner gets a notice instead. Sends nothing
       * to users without an address, or if the address has received too many of these emails; the caller must not learn of it.
       */
      async sendLink(purpose: LinkPurpose, id: Id): Promise<void> {
        const { definition, path } = linkMails[purpose];
        const facts = await this.linkOwner(id);
        if (!facts) throw new TypeError(`There is no active user ${id}.`);
        const rival = await rivalOf(this.ctx, facts, purpose);
        if (rival !== null) return this.sendMail(rival, knownMail, '/web/reset_password');
        await this.sendMail(id, definition, `${path}/${makeToken(this.ctx, purpose, facts)}`, purpose);
      }

      /** Sends a user an email about the account in their language, to their confirmed address unless it asks to confirm another one. */
      async sendMail(
        id: Id,
        definition: typeof resetMail,
        path: string,
        purpose: LinkPurpose = 'reset',
      ): Promise<void> {
        const owner = await this.linkOwner(id);
        const email = purpose === 'verify' ? owner?.email : purpose === 'change' ? owner?.pending : owner?.mailbox;
        if (!owner || !email) return;
        const { name, lang } = owner;
        try {
          await this.ctx.mail.send(definition, {
            to: { email, name, lang: lang ?? undefined },
            values: { name, path },
          });
        } catch (error) {
          if (!(error instanceof TooMany)) throw error;
        }
      }

      /** Returns the active owner of a link with one of these purposes, or null if it is forged, expired or used. Accepts any input. */
      async ownerOfLink(token: string, purposes: readonly LinkPurpose[]): Promise<LinkOwner | null> {
        const link = await readToken(this.ctx, token, purposes, (id) => this.linkOwner(id));
        // If two accounts were created with the same address, it belongs to the one that confirms it first.
        return link && (await rivalOf(this.ctx, link.owner, link.purpose)) === null ? link.owner : null;
      }

      /** Returns the active user that a link or email concerns, or null. */
      async linkOwner(userId: Id): Promise<LinkFacts | null> {
        // The holder of a link may be signed out, and emails go to their subject regardless of the caller.
        const user = await this.ctx
          .sudo()
          .model(WebUser)
          .first(
            [
              ['id', '=', userId],
              ['active', '=', true],
            ],
            {
              select: {
                login: true,
                wanted_login: true,
                lang: true,
                credential_version: true,
                email_verified: true,
                pending_email: true,
                confirmed_email: true,
                partner_id: { name: true, email: true, lang: true },
              },
            },
          );
        if (!user) return null;
        const { id, wanted_login: wantedLogin, partner_id: contact, email_verified: verified } = user;
        const login = wantedLogin ?? user.login;
        const email = contact?.email ?? null;
        return {
          id,
          login,
          name: contact?.name ?? login,
          lang: user.lang ?? contact?.lang ?? null,
          email,
          pending: user.pending_email,
          mailbox: verified ? email : (user.confirmed_email ?? email),
          version: user.credential_version ?? 1,
          verified,
        };
      }
    },
);

/** Returns the account that already has the address to be confirmed. */
function rivalOf(ctx: Ctx, { id, email, pending }: LinkOwner, purpose: LinkPurpose): Promise<Id | null> {
  const users = ctx.sudo().model(User); // Visitors who sign up must not learn which accounts exist.
  return users.rivalOf(id, purpose === 'change' ? pending : email);
}
