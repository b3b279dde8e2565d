import type { Ctx } from '#core';
import { Contact } from '../../models/contact.ts';
import { Exclusion } from '../../models/exclusion.ts';
import { MailRecipient } from '../../models/recipient.ts';
import { isShortSignature } from '../links.ts';
import type { Bounce } from './parse-report.ts';

/** An address that mails came back from so often gets no more, whatever the reason was. */
const MOST_BOUNCES = 3;
/** Reports that say that there is no such address. */
const NO_ADDRESS = /^5\.(1\.|2\.1|4\.4)/;

/**
 * Writes down that a mail came back, once for each mail. Answers whether it was new. Whoever has made up a report without the mail has no
 * effect: the signature does not fit.
 */
export async function applyBounce(ctx: Ctx, { id, signature, kind, status, text }: Bounce): Promise<boolean> {
  if (!isShortSignature(ctx.config.sessionSecret, 'message', String(id), signature)) return false;
  const recipients = ctx.model(MailRecipient);
  const row = await recipients.first([['id', '=', id]], {
    select: { email: true, bounced: true, contact_id: { message_bounce: true } },
  });
  if (!row || row.bounced !== null) return false;
  if (kind === 'soft') {
    await recipients.write(id, { exception: text });
    return false;
  }
  await recipients.write(id, { state: 'bounced', bounced: ctx.now(), exception: text });
  const bounces = (row.contact_id?.message_bounce ?? 0) + 1;
  if (row.contact_id) await ctx.model(Contact).write(row.contact_id.id, { message_bounce: bounces });
  if (NO_ADDRESS.test(status) || bounces >= MOST_BOUNCES) await ctx.model(Exclusion).exclude(row.email, 'bounce', text);
  return true;
}
