import { Partner, plainLogin } from '@pergola/base';
import { type Ctx, extend, type FieldsOf, type Ids, InvalidInput, NotAllowed, type Values } from 'pergola';
import { sendVerification } from '../jobs/send-verification.ts';
import { addressChangedMail } from '../mails.ts';
import { WebUser } from './res-users.ts';

/**
 * Anyone who reads the emails of an account's address can choose its password. Owners therefore change it on their account page, with their
 * password. Other users may change it only if they manage users and have all rights of that account. A new address counts as confirmed only
 * after its owner confirmed it.
 */
export const WebPartner = extend(
  Partner,
  {},
  (Base) =>
    class extends Base {
      override async beforeWrite(ids: Ids, values: Values<FieldsOf<Partner>>): Promise<Values<FieldsOf<Partner>>> {
        const checkedValues = await super.beforeWrite(ids, values);
        const { email } = checkedValues;
        if (email !== undefined) await changeAddress(this.ctx, ids, typeof email === 'string' ? email : null);
        return checkedValues;
      }
    },
);

async function changeAddress(ctx: Ctx, ids: Ids, email: string | null): Promise<void> {
  const users = ctx.sudo().model(WebUser); // Employees who may write contacts don't need access to users.
  const accounts = await users.find(
    [
      ['partner_id', 'in', ids],
      ['active', 'in', [true, false]],
    ],
    { select: { email_verified: true, wanted_login: true, partner_id: { email: true, name: true } } },
  );
  for (const { id, email_verified: verified, wanted_login: wantedLogin, partner_id: contact } of accounts) {
    const previousEmail = contact?.email ?? null;
    if (previousEmail === email) continue;
    if (!ctx.su) await requireOffice(ctx, id, contact?.name ?? '');
    if (!ctx.su && previousEmail !== null) await ctx.model(WebUser).sendMail(id, addressChangedMail, '/web/login');
    await users.write(id, {
      email_verified: false,
      pending_email: null,
      ...(verified ? { confirmed_email: previousEmail } : {}),
      ...(wantedLogin !== null && email !== null ? { wanted_login: plainLogin(email) } : {}),
    });
    if (!ctx.su && previousEmail !== null && email !== null) await ctx.jobs.enqueue(sendVerification, { user: id });
  }
}

async function requireOffice(ctx: Ctx, user: number, name: string): Promise<void> {
  if (user === ctx.user.id) {
    const message = 'Change your own email address under “My account”. You’ll need your password.';
    throw new InvalidInput(message, { code: 'web.own_address', fields: { email: message } });
  }
  if (ctx.has('base.group_erp_manager')) return ctx.model(WebUser).requireMayManage([user]);
  throw new NotAllowed('“{name}” has an account. Only its owner or a user manager can change the email address.', {
    code: 'web.account_address',
    params: { name },
  });
}
