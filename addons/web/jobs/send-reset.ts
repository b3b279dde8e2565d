import { sameEmail, User } from '@pergola/base';
import { type Ctx, type Id, job, z } from 'pergola';
import { WebUser } from '../models/res-users.ts';

/**
 * Sends the link to choose a new password if the login or address belongs to an account. Runs as a job, so that the response time doesn't
 * reveal whether the account exists (C33).
 */
export const sendReset = job('web.send_reset', {
  mails: true,
  input: z.object({ login: z.string() }),
  attempts: 3,
  run: async ({ ctx, input, write }) => {
    const id = await accountFor(ctx, input.login);
    if (id !== null) await write((writing) => writing.model(WebUser).sendLink('reset', id));
  },
});

async function accountFor(ctx: Ctx, login: string): Promise<Id | null> {
  const byLogin = await ctx.model(User).byLogin(login);
  if (byLogin) return byLogin.id;
  // People may remember their address better than their login. Accepts it if it belongs to a single account.
  const users = await ctx
    .model(User)
    .search([...sameEmail('partner_id.email', login), ['email_verified', '=', true]], { limit: 2 });
  const [only, second] = users;
  if (only === undefined) return (await ctx.model(User).byWantedLogin(login))?.id ?? null;
  return second === undefined ? only : null;
}
