import { randomInt } from 'node:crypto';
import { User } from '@pergola/base';
import { type Ctx, f, type Id, model, signText } from 'pergola';

const HOW_MANY = 10;
/** Excludes characters that are easily confused. */
const signs = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 12;

/**
 * Recovery codes for users who lost their device, each valid for one sign-in. Stored as keyed hashes, which are useless without the site's
 * secret.
 */
export class RecoveryCode extends model(
  'auth.recovery_code',
  {
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    code_hash: f.char({ required: true, secret: true, sealed: false, copy: false }),
  },
  { label: 'Recovery code', nameField: 'user_id' },
) {
  /** Generates new codes for a user and invalidates the old ones. The returned codes aren't stored. Must be called with `ctx.sudo()`. */
  async renew(userId: Id): Promise<readonly string[]> {
    const codes = Array.from({ length: HOW_MANY }, newCode);
    await this.unlink(await this.search([['user_id', '=', userId]]));
    await this.create(codes.map((code) => ({ user_id: userId, code_hash: hashOf(this.ctx, userId, code) })));
    return codes;
  }

  /** Consumes a recovery code; returns whether it was valid. Must be called with `ctx.sudo()`. */
  async use(userId: Id, code: string): Promise<boolean> {
    // The lock ensures that concurrent requests can't use the same code twice.
    await this.ctx.lock(User, [userId]);
    const codeIds = await this.search([
      ['user_id', '=', userId],
      ['code_hash', '=', hashOf(this.ctx, userId, code)],
    ]);
    await this.unlink(codeIds);
    return codeIds.length > 0;
  }
}

/** `XXXX-XXXX-XXXX`, 59 bits. */
function newCode(): string {
  const code = Array.from({ length: LENGTH }, () => signs[randomInt(signs.length)]).join('');
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}

function hashOf(ctx: Ctx, userId: Id, code: string): string {
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return signText(ctx.config.sessionSecret, 'auth.recovery_code', `${userId}:${plain}`);
}

declare module 'pergola' {
  interface Models {
    'auth.recovery_code': RecoveryCode;
  }
}
