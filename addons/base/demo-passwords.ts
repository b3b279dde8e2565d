import { hash } from '@node-rs/argon2';
import type { Ctx, Problem } from 'pergola';
import { User } from './models/user.ts';
import { cost } from './passwords.ts';

/**
 * Password of a demo account, for `demo/*.ts`. Marked as such, so that a production site isn't served while such an account can sign in.
 *
 * ```ts
 * data(User, async () => ({ demo_moderator: { login: 'moderator', …, ...(await demoPassword('moderator')) } }))
 * ```
 */
export async function demoPassword(password: string): Promise<{ password_hash: string; demo_password: true }> {
  return { password_hash: await hash(password, cost), demo_password: true };
}

/** Prevents a production start while an account that can sign in has its demo password. */
export async function refuseDemoPasswords(ctx: Ctx): Promise<readonly Problem[]> {
  if (!ctx.config.production) return [];
  const users = await ctx.model(User).find([['demo_password', '=', true]], { select: { login: true } });
  return users.map(({ login }) => ({
    addon: 'base',
    message: `the account "${login}" still has its demo password.`,
    remedy: `Change it with "pergola user password ${login}", or disable the account with "pergola user disable ${login}".`,
  }));
}
