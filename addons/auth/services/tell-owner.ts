import { AuditEntry } from '@pergola/base';
import { WebUser } from '@pergola/web';
import { type Ctx, type Id, TooMany } from 'pergola';
import type { Translate } from 'pergola/pages';
import { keyChangedMail } from '../mails.ts';
import { t } from '../texts.ts';

/** A change of an account's keys. */
export interface KeyEvent {
  /** Audit log type (`models/ir-audit.ts`). */
  readonly kind: string;
  /** Subject of the change: the name of a key, or the scope of a token. Never a secret. */
  readonly about?: unknown;
  /** Description for the owner, in their language. */
  readonly text: (t: Translate) => string;
}

/** Logs a change of an account's keys, and notifies the owner by email, so that a hijacked session can't change them unnoticed. */
export async function tellOwner(ctx: Ctx, userId: Id, { kind, about: subject, text }: KeyEvent): Promise<void> {
  const note = { kind, res_model: 'res.users', res_id: userId, new_value: subject ?? null };
  await ctx.model(AuditEntry).note([{ ...note, user_id: ctx.user.id ?? userId }]);
  const owner = await ctx.model(WebUser).linkOwner(userId);
  if (!owner?.mailbox) return;
  const { mailbox: email, name, lang } = owner;
  const ownerCtx = lang ? ctx.as({ lang }) : ctx;
  const description = text((words, params) => t(ownerCtx, words, params));
  try {
    await ctx.mail.send(keyChangedMail, {
      to: { email, name, lang: lang ?? undefined },
      values: { name, what: description, path: '/web/account/keys' },
    });
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
  }
}
