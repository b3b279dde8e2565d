import { Secret, TOTP } from 'otpauth';
import { type Ctx, f, type Id, model, seal, unseal } from 'pergola';

const PURPOSE = 'auth.totp';
/** What all authenticator apps understand. */
const PERIOD = 30;
/** How many periods the clock of a phone may be early or late. */
const WINDOW = 1;
const form = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/** A user's authenticator app: codes by the clock from a secret that it and the site share. Nobody has rights on it; the site asks it at sign-in. */
export class Totp extends model(
  'auth.totp',
  {
    user_id: f.many2one('res.users', { required: true, unique: true, ondelete: 'cascade' }),
    sealed: f.char({ required: true, secret: true, sealed: false, copy: false, size: 500 }),
    /** The 30 seconds of the latest code that was taken: none counts twice, and none before it. */
    last_step: f.integer({ required: true, secret: true, copy: false }),
  },
  { label: 'Authenticator app', nameField: 'user_id' },
) {
  /** Takes a user's secret into use once a code from it is right; answers whether it was. For rights lifted. */
  async enable(userId: Id, secret: string, code: string): Promise<boolean> {
    const step = stepOf(this.ctx, secret, code);
    if (step === null) return false;
    await this.unlink(await this.search([['user_id', '=', userId]]));
    await this.create({
      user_id: userId,
      sealed: seal(this.ctx.config.sessionSecret, `${PURPOSE}:${userId}`, secret),
      last_step: step,
    });
    return true;
  }

  /** Whether a code is right for a user; it and all before it are used up. For rights lifted. */
  async use(userId: Id, code: string): Promise<boolean> {
    const [id] = await this.search([['user_id', '=', userId]]);
    if (id === undefined) return false;
    // Of two that come with the same code at the same time, one waits here and finds it used.
    await this.ctx.lock(Totp, [id]);
    const { sealed, last_step: last } = await this.get(id, { select: { sealed: true, last_step: true } });
    const secret = unseal(this.ctx.config.sessionSecret, `${PURPOSE}:${userId}`, sealed);
    const step = secret === null ? null : stepOf(this.ctx, secret, code);
    if (step === null || (step <= last && last <= latestStep(this.ctx))) return false;
    await this.write(id, { last_step: step });
    return true;
  }
}

/** A secret for an authenticator app, as people type it. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an authenticator app reads from a QR code. */
export function totpAddress(secret: string, issuer: string, login: string): string {
  return new TOTP({ ...form, issuer, label: login, secret }).toString();
}

/** The last step a code can be for now; a stored step beyond it comes from a clock that was ahead. */
function latestStep(ctx: Ctx): number {
  return Math.floor(ctx.now().getTime() / 1000 / PERIOD) + WINDOW;
}

/** Which 30 seconds a code belongs to, of those now, just over and about to begin; null for a wrong one. */
function stepOf(ctx: Ctx, secret: string, code: string): number | null {
  const timestamp = ctx.now().getTime();
  const delta = new TOTP({ ...form, secret }).validate({
    token: code.replaceAll(/\s/g, ''),
    timestamp,
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD) + delta;
}

declare module 'pergola' {
  interface Models {
    'auth.totp': Totp;
  }
}
