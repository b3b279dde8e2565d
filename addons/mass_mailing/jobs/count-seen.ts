import { type Ctx, job, z } from 'pergola';
import { MailingLink } from '../models/link.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Spool, type TrackedEvent } from '../services/spool.ts';

const PORTION = 500;

/** Adds recorded opens and clicks to the statistics, every minute. */
export const countSeen = job('mass_mailing.count_seen', {
  label: 'Count opens and clicks',
  input: z.object({}),
  cron: '* * * * *',
  attempts: 1,
  run: ({ ctx, write }) =>
    ctx.get(Spool).each(async (seen) => {
      for (let offset = 0; offset < seen.length; offset += PORTION)
        await write((writing) => count(writing, seen.slice(offset, offset + PORTION)));
    }),
});

/** Counts each recipient once, no matter how often they open the mailing. */
async function count(ctx: Ctx, seen: readonly TrackedEvent[]): Promise<void> {
  const recipients = ctx.model(MailRecipient);
  const links = ctx.model(MailingLink);
  for (const { recipient, link, at: time } of seen) {
    const row = await recipients.first([['id', '=', recipient]], {
      select: { opened: true, clicked: true, mass_mailing_id: true },
    });
    if (!row) continue;
    const clicked = link > 0 && row.clicked === null ? { clicked: time } : {};
    const opened = row.opened === null ? { opened: time } : {};
    if (Object.keys({ ...clicked, ...opened }).length > 0) await recipients.write(recipient, { ...clicked, ...opened });
    if (link === 0) continue;
    const target = await links.first(
      [
        ['id', '=', link],
        ['mass_mailing_id', '=', row.mass_mailing_id],
      ],
      { select: { clicks: true } },
    );
    if (target) await links.write(link, { clicks: (target.clicks ?? 0) + 1 });
  }
}
