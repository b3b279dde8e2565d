import { type Ctx, type Id, TooMany } from 'pergola';
import type { Translate } from 'pergola/pages';
import { AuditEntry } from '#addons/base';
import { WebUser } from '#addons/web';
import { keyChangedMail } from '../mails.ts';
import { t } from '../texts.ts';

/** What was done with the keys of an account. */
export interface KeyEvent {
  /** One of those that the audit log has (`models/ir-audit.ts`). */
  readonly kind: string;
  /** What it was done with: the name of a key, what a token covers. No secret. */
  readonly about?: unknown;
  /** The same for the owner, in their language. */
  readonly text: (t: Translate) => string;
}

/**
 * Keeps in the audit log what was just done with the keys of somebody's account, and tells them by mail: whoever gets at a session of theirs must not change
 * them unnoticed.
 */
export async function tellOwner(ctx: Ctx, userId: Id, { kind, about, text }: KeyEvent): Promise<void> {
  const note = { kind, res_model: 'res.users', res_id: userId, new_value: about ?? null };
  await ctx.model(AuditEntry).note([{ ...note, user_id: ctx.user.id ?? userId }]);
  const owner = await ctx.model(WebUser).linkOwner(userId);
  if (!owner?.mailbox) return;
  const { mailbox: email, name, lang } = owner;
  const theirs = lang ? ctx.as({ lang }) : ctx;
  const what = text((words, params) => t(theirs, words, params));
  try {
    await ctx.mail.send(keyChangedMail, {
      to: { email, name, lang: lang ?? undefined },
      values: { name, what, path: '/web/account/keys' },
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
