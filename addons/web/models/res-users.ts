import { User } from '#addons/base';
import { extend, f, type Id, type Ids, InvalidInput, NotAllowed } from '#core';
import { addressChangeMail, sendLink, sendTo } from '../mails.ts';

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
      /** Invites users who never had a password, and lets others choose a new one. For whoever manages users. */
      async action_reset_password(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You may not manage these users.', { code: 'web.users_not_allowed' });
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
        for (const { id, password_hash } of users) await sendLink(this.ctx, password_hash ? 'reset' : 'invite', id);
        return true;
      }

      /**
       * Asks the new address of an account whether it is its owner's, and tells the old one. Nothing changes before the link is opened; it dies with
       * the password. For whoever has just shown that they know that.
       */
      async askForEmail(id: Id, email: string): Promise<void> {
        await this.write(id, { pending_email: email });
        await sendLink(this.ctx, 'change', id);
        await sendTo(this.ctx, id, addressChangeMail, '/web/reset_password');
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
    },
);
