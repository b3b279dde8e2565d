import { Secret, TOTP } from 'otpauth';
import { type Ctx, f, type Id, model, seal, unseal } from 'pergola';

const PURPOSE = 'auth.totp';
/** Parameters supported by all authenticator apps. */
const PERIOD = 30;
/** Tolerated clock drift of the phone, in periods. */
const WINDOW = 1;
const form = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/** Authenticator app of a user, based on a shared secret. Only accessible to the system, which verifies codes at sign-in. */
export class Totp extends model(
  'auth.totp',
  {
    user_id: f.many2one('res.users', { required: true, unique: true, ondelete: 'cascade' }),
    sealed: f.char({
      required: true,
      secret: true,
      sealed: false,
      copy: false,
      size: 500,
      label: 'Encrypted secret',
    }),
    /** Time step of the last accepted code: this and earlier codes are rejected. */
    last_step: f.integer({ required: true, secret: true, copy: false, label: 'Last time step' }),
  },
  { label: 'Authenticator app', nameField: 'user_id' },
) {
  /** Activates a user's secret if the code is correct; returns whether it was. Must be called with `ctx.sudo()`. */
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

  /** Verifies a user's code, and consumes it with all earlier ones. Must be called with `ctx.sudo()`. */
  async use(userId: Id, code: string): Promise<boolean> {
    const [id] = await this.search([['user_id', '=', userId]]);
    if (id === undefined) return false;
    // The lock ensures that concurrent requests can't use the same code twice.
    await this.ctx.lock(Totp, [id]);
    const { sealed, last_step: last } = await this.get(id, { select: { sealed: true, last_step: true } });
    const secret = unseal(this.ctx.config.sessionSecret, `${PURPOSE}:${userId}`, sealed);
    const step = secret === null ? null : stepOf(this.ctx, secret, code);
    if (step === null || (step <= last && last <= latestStep(this.ctx))) return false;
    await this.write(id, { last_step: step });
    return true;
  }
}

/** Generates a secret for an authenticator app, in Base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** `otpauth:` URI for the QR code. */
export function totpAddress(secret: string, issuer: string, login: string): string {
  return new TOTP({ ...form, issuer, label: login, secret }).toString();
}

/** Latest acceptable time step; a stored step beyond it comes from a clock that was ahead. */
function latestStep(ctx: Ctx): number {
  return Math.floor(ctx.now().getTime() / 1000 / PERIOD) + WINDOW;
}

/** Returns the matching time step of a code: current, previous or next; null if it is wrong. */
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
