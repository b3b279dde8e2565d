import { type Ctx, type Ids, InvalidInput } from '#core';
import { sendCallUps } from '../jobs/send-callups.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { contactsFor } from './callups.ts';

/** What came of asking for mails: how many leave, and who has no address. */
export interface MailCount {
  readonly mails: number;
  readonly without: readonly string[];
}

/**
 * Queues the mails of some lines of a call-up.
 *
 * @throws InvalidInput when there is nobody to write to.
 */
export async function mailLines(ctx: Ctx, convocation: number, lines: Ids): Promise<MailCount> {
  const contacts = await contactsFor(ctx, lines);
  if (contacts.length === 0) {
    throw new InvalidInput('Nobody is left to write to, or nobody has an e-mail address.', { code: 'dribblo.nobody' });
  }
  const reached = new Set(contacts.map(({ line }) => line));
  const missed = await ctx.model(ConvocationLine).read(
    lines.filter((id) => !reached.has(id)),
    { select: { member_id: { name: true } } },
  );
  const round = String(ctx.now().getTime());
  await ctx.jobs.enqueue(sendCallUps, { convocation, lines: [...reached], round });
  return { mails: contacts.length, without: missed.map(({ member_id }) => member_id?.name ?? '') };
}
