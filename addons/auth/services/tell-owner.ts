import { WebUser } from '#addons/web';
import { type Ctx, type Id, TooMany } from '#core';
import { keyChangedMail } from '../mails.ts';

/**
 * Tells somebody by mail, in their language, what was just done with the keys of their account: whoever gets at a session of theirs must not change them
 * unnoticed.
 */
export async function tellOwner(ctx: Ctx, userId: Id, what: (t: Ctx['t']) => string): Promise<void> {
  const owner = await ctx.model(WebUser).linkOwner(userId);
  if (!owner?.mailbox) return;
  const { mailbox: email, name, lang } = owner;
  const theirs = lang ? ctx.as({ lang }) : ctx;
  try {
    await ctx.mail.send(keyChangedMail, {
      to: { email, name, lang: lang ?? undefined },
      values: { name, what: what((text, params) => theirs.t(text, params)), path: '/web/account/keys' },
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
