import { job, z } from 'pergola';
import { WebUser } from '../models/res-users.ts';

/**
 * Sends the email that asks to confirm an account's address, once the account is stored. Runs as a job, so that signing up takes just as
 * long for an address with an account, whose owner gets another email (C33).
 */
export const sendVerification = job('web.send_verification', {
  mails: true,
  input: z.object({ user: z.number().int().positive(), change: z.boolean().optional() }),
  attempts: 3,
  run: ({ input, write }) =>
    write((ctx) => ctx.model(WebUser).sendLink(input.change ? 'change' : 'verify', input.user)),
});
