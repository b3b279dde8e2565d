import { User } from '#addons/base';
import { extend, type Ids, InvalidInput, NotAllowed } from '#core';
import { sendLink } from '../mails.ts';

/** Users can be sent a link to choose their password. */
export const WebUser = extend(
  User,
  {},
  (Base) =>
    class extends Base {
      /** Invites users who never had a password, and lets others choose a new one. For whoever manages users. */
      async action_reset_password(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You may not manage these users.', { code: 'web.users_not_allowed' });
        const users = await this.ctx
          .sudo()
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
    },
);
