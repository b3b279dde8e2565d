import { job, z } from 'pergola';
import { WebUser } from '../models/res-users.ts';

/**
 * Asks the address of an account to confirm itself, once it is kept. A job, so that signing up takes as long with an address that has an account, to whose owner
 * another mail goes (C33).
 */
export const sendVerification = job('web.send_verification', {
  mails: true,
  input: z.object({ user: z.number().int().positive(), change: z.boolean().optional() }),
  attempts: 3,
  run: ({ input, write }) =>
    write((ctx) => ctx.model(WebUser).sendLink(input.change ? 'change' : 'verify', input.user)),
});
