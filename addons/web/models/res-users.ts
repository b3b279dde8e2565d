import { type Ctx, extend, f, type Id, type Ids, InvalidInput, NotAllowed, TooMany } from 'pergola';
import { User } from '#addons/base';
import { type LinkFacts, type LinkOwner, type LinkPurpose, makeToken, readToken } from '../links.ts';
import { addressChangeMail, knownMail, linkMails, type resetMail } from '../mails.ts';

/** Kept by the account itself; shown to whoever manages users. */
const kept = { size: 254, readonly: true, copy: false, groups: 'base.group_erp_manager' } as const;

/** Users choose their password, and change their address, by links that reach them by mail. */
export const WebUser = extend(
  User,
  {
    pending_email: f.char({ ...kept, label: 'New address, not confirmed yet' }),
    /** Filled when another address takes the place of a confirmed one without being confirmed itself. */
    confirmed_email: f.char({
      ...kept,
      label: 'Last confirmed address',
      help: 'Links to choose a password go there until the present address is confirmed',
    }),
  },
  (Base) =>
    class extends Base {
      /** Invites users who never had a password, and lets others choose a new one. The caller must have the rights of these users. */
      async action_reset_password(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You may not manage these users.', { code: 'web.users_not_allowed' });
        await this.requireMayManage(ids);
        const users = await this.ctx
          .sudo() // Who never had a password is invited; the caller does not learn it.
          .model(User)
          .read(ids, { select: { password_hash: true, login: true, partner_id: { email: true } } });
        const lost = users.filter(({ partner_id }) => !partner_id?.email).map(({ login }) => login);
        if (lost.length > 0)
          throw new InvalidInput('There is no e-mail address to send the link to: {logins}', {
            code: 'web.no_address',
            params: { logins: lost.join(', ') },
          });
        for (const { id, password_hash } of users) await this.sendLink(password_hash ? 'reset' : 'invite', id);
        return true;
      }

      /**
       * Asks the new address of an account whether it is its owner's, and tells the old one. Nothing changes before the link is opened; it dies with
       * the password. For whoever has just shown that they know that.
       */
      async askForEmail(id: Id, email: string): Promise<void> {
        await this.write(id, { pending_email: email });
        await this.sendLink('change', id);
        await this.sendMail(id, addressChangeMail, '/web/reset_password');
      }

      /** The new address was confirmed by its link. */
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
       * Sends a user the mail with a signed link; where the address has an account already, its owner a mail that says so. Nothing happens for users
       * without an address, and when the address has had enough mails of the kind: who asked must not learn of it.
       */
      async sendLink(purpose: LinkPurpose, id: Id): Promise<void> {
        const { definition, path } = linkMails[purpose];
        const facts = await this.linkOwner(id);
        if (!facts) throw new TypeError(`There is no active user ${id}.`);
        const rival = await rivalOf(this.ctx, facts, purpose);
        if (rival !== null) return this.sendMail(rival, knownMail, '/web/reset_password');
        await this.sendMail(id, definition, `${path}/${makeToken(this.ctx, purpose, facts)}`, purpose);
      }

      /** Sends a user a mail about the account, in their language: to the address that is surely theirs, unless it asks another one to confirm itself. */
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

      /** The active user whose link this is, if it is one of these purposes; null when it is forged, out of date or used. Anything may be given. */
      async ownerOfLink(token: string, purposes: readonly LinkPurpose[]): Promise<LinkOwner | null> {
        const link = await readToken(this.ctx, token, purposes, (id) => this.linkOwner(id));
        // Of two who signed up with one address it is theirs who confirms it first.
        return link && (await rivalOf(this.ctx, link.owner, link.purpose)) === null ? link.owner : null;
      }

      /** The active user that a link or a mail is about; null when there is none. */
      async linkOwner(userId: Id): Promise<LinkFacts | null> {
        // Whoever holds the link need not be signed in, and mail goes to whom it is about, whoever causes it.
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
        const { id, wanted_login: wanted, partner_id: contact, email_verified: verified } = user;
        const login = wanted ?? user.login;
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

/** Who has an account already with the address that a link confirms. */
function rivalOf(ctx: Ctx, { id, email, pending }: LinkOwner, purpose: LinkPurpose): Promise<Id | null> {
  const users = ctx.sudo().model(User); // Nobody who signs up may know who has an account.
  return users.rivalOf(id, purpose === 'change' ? pending : email);
}
