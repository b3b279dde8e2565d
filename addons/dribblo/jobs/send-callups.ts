import { job, z } from 'pergola';
import { CallUpMails } from '../services/callup-mails.ts';

/** Lines whose emails are sent per transaction. */
const PORTION = 10;

/** Sends call-up emails in batches. Each sent line is marked, so a retry resumes where the previous run stopped. */
export const sendCallUps = job('dribblo.send_callups', {
  mails: true,
  input: z.object({ convocation: z.number().int(), lines: z.array(z.number().int()), round: z.string() }),
  run: async ({ input, write }) => {
    for (let from = 0; from < input.lines.length; from += PORTION) {
      const portion = input.lines.slice(from, from + PORTION);
      await write((ctx) => ctx.get(CallUpMails).send(portion, input.round));
    }
  },
});
