import { job, z } from 'pergola';
import { CallUpMails } from '../services/callup-mails.ts';

/** Lines whose mails go out in one transaction. */
const PORTION = 10;

/** Sends the mails of a call-up, ten at a time. A line whose mail is out is noted, so that a second run goes on where the first one ended. */
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
