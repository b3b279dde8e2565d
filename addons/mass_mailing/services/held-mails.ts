import type { Ctx } from '#core';
import { type OutboxChange, refusalReason } from '#core/mail';
import { MailRecipient } from '../models/recipient.ts';
import { accept, refuse } from './delivery-log.ts';
import { HELD_MAIL } from './transport.ts';

/** Follows a mail of a mailing that was held in the outbox: it is handed over once there is a mail server, or refused. */
export async function followHeldMail(ctx: Ctx, { name, messageId, state, error }: OutboxChange): Promise<void> {
  if (name !== HELD_MAIL || (state !== 'sent' && state !== 'failed')) return;
  const id = Number(/^<mm\.(\d{1,15})\./.exec(messageId)?.[1] ?? 0);
  const row = await ctx.model(MailRecipient).first([['id', '=', id]], { select: { state: true } });
  if (row?.state !== 'held' && row?.state !== 'failed') return;
  if (state === 'sent') return accept(ctx, [id], 'sent');
  const message = error ?? '';
  await refuse(ctx, id, { reason: refusalReason({ text: message }), isTemporary: false, message });
}
