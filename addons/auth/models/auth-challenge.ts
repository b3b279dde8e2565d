import { randomBytes } from 'node:crypto';
import { f, type Id, model, z } from 'pergola';

/** Session key of the pending challenge. */
const CHALLENGE = 'auth.challenge';
const FOR_MS = 5 * 60_000;

/** Operation a challenge is used for. */
export type Purpose = 'register' | 'sign_in';

const keptShape = z.object({
  value: z.string(),
  purpose: z.enum(['register', 'sign_in']),
  user: z.number().nullable(),
});

/**
 * Random challenge to be signed by a passkey. It can be used once, for a few minutes, for one purpose, by the session that requested it:
 * the session stores the value, and the row is deleted on first use, so only one of several concurrent requests succeeds.
 */
export class Challenge extends model(
  'auth.challenge',
  {
    value: f.char({ required: true, unique: true, secret: true }),
    expires: f.datetime({ required: true, readonly: true, index: true }),
  },
  { label: 'Challenge', nameField: 'expires', volatile: true },
) {
  /** Creates a challenge for this session, replacing any previous one. Must be called with `ctx.sudo()`. */
  async begin(purpose: Purpose, userId: Id | null): Promise<string> {
    const { ctx } = this;
    const value = randomBytes(32).toString('base64url');
    await this.unlink(await this.search([['expires', '<', ctx.now()]], { limit: 200 }));
    await this.create({ value, expires: new Date(ctx.now().getTime() + FOR_MS) });
    const entry: z.infer<typeof keptShape> = { value, purpose, user: userId };
    ctx.session.set(CHALLENGE, entry);
    return value;
  }

  /** Returns the session's challenge for this purpose and user, or null. Consumes it in any case. Must be called with `ctx.sudo()`. */
  async take(purpose: Purpose, userId: Id | null): Promise<string | null> {
    const { ctx } = this;
    const entry = keptShape.safeParse(ctx.session.get(CHALLENGE)).data;
    ctx.session.set(CHALLENGE, undefined);
    if (!entry) return null;
    const challengeIds = await this.search([
      ['value', '=', entry.value],
      ['expires', '>', ctx.now()],
    ]);
    await ctx.lock(Challenge, challengeIds);
    // Checked again after the lock: a concurrent request may have consumed it.
    const remainingIds = await this.search([['id', 'in', challengeIds]]);
    await this.unlink(remainingIds);
    return remainingIds.length > 0 && entry.purpose === purpose && entry.user === userId ? entry.value : null;
  }
}

declare module 'pergola' {
  interface Models {
    'auth.challenge': Challenge;
  }
}
