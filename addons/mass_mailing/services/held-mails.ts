import type { Ctx, Id } from 'pergola';
import { type DueMail, type OutboxChange, refusalReason } from 'pergola/mail';
import { MailRecipient } from '../models/recipient.ts';
import { accept, refuse } from './delivery-log.ts';
import { stillWanted } from './recipients.ts';
import { HELD_MAIL } from './transport.ts';

/** Recipient row of a mailing's email; null for other emails, such as tests. */
function recipientOf({ name, messageId }: Pick<DueMail, 'name' | 'messageId'>): Id | null {
  const id = name === HELD_MAIL ? /^<mm\.(\d{1,15})\./.exec(messageId)?.[1] : undefined;
  return id === undefined ? null : Number(id);
}

/** Whether a held email should still be sent: not if its recipient unsubscribed or was excluded, or if the mailing was deleted. */
export async function isMailingWanted(ctx: Ctx, mail: DueMail): Promise<boolean> {
  const id = recipientOf(mail);
  if (id === null) return true;
  const row = await ctx.model(MailRecipient).first([['id', '=', id]], {
    select: { email: true, mass_mailing_id: true, contact_id: { name: true, lang: true } },
  });
  if (!row?.contact_id) return false;
  const { email, mass_mailing_id: mailing, contact_id: contact } = row;
  return (await stillWanted(ctx, mailing, [{ id, email, contact }])).has(id);
}

/** Updates the recipient when an email held in the outbox is sent, refused, or withdrawn. */
export async function followHeldMail(ctx: Ctx, change: OutboxChange): Promise<void> {
  const { state, error } = change;
  const id = recipientOf(change);
  if (id === null || state === 'kept' || state === 'waiting') return;
  const recipients = ctx.model(MailRecipient);
  const row = await recipients.first([['id', '=', id]], { select: { state: true, mass_mailing_id: true } });
  if (row?.state !== 'held' && row?.state !== 'failed') return;
  const message = error ?? '';
  if (state === 'withdrawn') await recipients.write(id, { state: 'skipped' });
  else if (state === 'sent') await accept(ctx, [id], 'sent');
  else await refuse(ctx, id, { reason: refusalReason({ text: message }), isTemporary: false, message });
  await ctx.model('mail.mass_mailing').dateSent(row.mass_mailing_id);
}
