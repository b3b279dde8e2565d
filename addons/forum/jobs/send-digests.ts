import { job, z } from 'pergola';
import { DIGEST_BATCH, Digests } from '../services/digests.ts';

/** Sends digests to active members who subscribed to them: the best posts since the last digest, and unanswered questions. */
export const sendDigests = job('forum.send_digests', {
  mails: true,
  label: 'Send digests',
  input: z.object({}),
  cron: '0 6 * * *',
  lease: 600_000,
  run: async ({ ctx, write, signal }) => {
    for (const digest of ['daily', 'weekly'] as const) {
      for (let lastUser = 0; ; ) {
        if (signal.aborted) throw new Error('The node stops; the rest is sent by the next run.');
        const users = await ctx.get(Digests).due(digest, lastUser);
        for (const user of users) await write((writing) => writing.get(Digests).send(user, digest));
        if (users.length < DIGEST_BATCH) break;
        lastUser = users.at(-1) ?? 0;
      }
    }
  },
});
