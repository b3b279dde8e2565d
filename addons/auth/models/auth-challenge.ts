import { randomBytes } from 'node:crypto';
import { f, type Id, model, z } from 'pergola';

/** Where the session keeps what its browser was asked to sign. */
const CHALLENGE = 'auth.challenge';
const FOR_MS = 5 * 60_000;

/** What a browser is asked to sign something for. */
export type Purpose = 'register' | 'sign_in';

const keptShape = z.object({
  value: z.string(),
  purpose: z.enum(['register', 'sign_in']),
  user: z.number().nullable(),
});

/**
 * Something random that a browser is asked to sign with a passkey. It is good once, for some minutes, for one purpose, and only with the session that asked for
 * it: the session knows it, and the row, of which one of several that come at the same time finds it, is gone after the first.
 */
export class Challenge extends model(
  'auth.challenge',
  {
    value: f.char({ required: true, unique: true, secret: true }),
    expires: f.datetime({ required: true, readonly: true, index: true }),
  },
  { label: 'Challenge', nameField: 'expires', volatile: true },
) {
  /** A new one for this session, in the place of one before. For rights lifted. */
  async begin(purpose: Purpose, userId: Id | null): Promise<string> {
    const { ctx } = this;
    const value = randomBytes(32).toString('base64url');
    await this.unlink(await this.search([['expires', '<', ctx.now()]], { limit: 200 }));
    await this.create({ value, expires: new Date(ctx.now().getTime() + FOR_MS) });
    const kept: z.infer<typeof keptShape> = { value, purpose, user: userId };
    ctx.session.set(CHALLENGE, kept);
    return value;
  }

  /** The session's challenge for this purpose and user, used up whatever becomes of it; null when there is none. For rights lifted. */
  async take(purpose: Purpose, userId: Id | null): Promise<string | null> {
    const { ctx } = this;
    const kept = keptShape.safeParse(ctx.session.get(CHALLENGE)).data;
    ctx.session.set(CHALLENGE, undefined);
    if (!kept) return null;
    const found = await this.search([
      ['value', '=', kept.value],
      ['expires', '>', ctx.now()],
    ]);
    await ctx.lock(Challenge, found);
    // Whoever waited for the lock finds it gone.
    const left = await this.search([['id', 'in', found]]);
    await this.unlink(left);
    return left.length > 0 && kept.purpose === purpose && kept.user === userId ? kept.value : null;
  }
}

declare module 'pergola' {
  interface Models {
    'auth.challenge': Challenge;
  }
}
