import { type Id, type JobRun, job, z } from '#core';
import { BounceMailbox } from '../models/mailbox.ts';
import { applyBounce } from '../services/bounces/bounces.ts';
import { parseBounce } from '../services/bounces/parse-report.ts';
import { readMails } from '../services/bounces/read-mails.ts';

/** Reads the mailboxes that undeliverable mails come back to. */
export const readBounces = job('mass_mailing.read_bounces', {
  input: z.object({}),
  cron: '*/5 * * * *',
  attempts: 1,
  lease: 120_000,
  run: async (work) => {
    for (const id of await work.ctx.model(BounceMailbox).search([['active', '=', true]])) {
      if (work.signal.aborted) return;
      await readOne(work, id);
    }
  },
});

/** What one mailbox says; trouble with it is written down there and keeps no other from being read. */
async function readOne({ ctx, write, signal }: JobRun<object>, id: Id): Promise<void> {
  const source = await ctx.model(BounceMailbox).get(id, {
    select: {
      kind: true,
      host: true,
      port: true,
      secure: true,
      login: true,
      password: true,
      folder: true,
      path: true,
      cursor: true,
    },
  });
  let error: string | null = null;
  try {
    for await (const { mails, cursor, done } of readMails(source, source.cursor ?? {})) {
      const bounces = mails.map(parseBounce).filter((bounce) => bounce !== null);
      await write(async (writing) => {
        let fresh = 0;
        for (const bounce of bounces) if (await applyBounce(writing, bounce)) fresh++;
        const mailboxes = writing.model(BounceMailbox);
        const { found } = await mailboxes.get(id, { select: { found: true } });
        await mailboxes.write(id, { cursor, found: (found ?? 0) + fresh });
      });
      await done?.();
      if (signal.aborted) return;
    }
  } catch (trouble) {
    error = (Error.isError(trouble) ? trouble.message : String(trouble)).slice(0, 500);
    ctx.log.warn({ err: trouble, mailbox: id }, 'A mailbox for mails that come back could not be read');
  }
  await write((writing) => writing.model(BounceMailbox).write(id, { last_read: writing.now(), last_error: error }));
}
