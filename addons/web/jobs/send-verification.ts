import { job, z } from '#core';
import { WebUser } from '../models/res-users.ts';

/** Asks the new address of an account to confirm itself, once the change is done. */
export const sendVerification = job('web.send_verification', {
  input: z.object({ user: z.number().int().positive() }),
  attempts: 3,
  run: ({ input, write }) => write((ctx) => ctx.model(WebUser).sendLink('verify', input.user)),
});
