import { randomInt } from 'node:crypto';
import { type Ctx, f, type Id, model, signText } from 'pergola';
import { User } from '#addons/base';

const HOW_MANY = 10;
/** Without letters and digits that look alike. */
const signs = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 12;

/** A code for somebody whose phone or key is gone, each good for one sign-in. What is kept is of use to nobody without the site's secret. */
export class RecoveryCode extends model(
  'auth.recovery_code',
  {
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    code_hash: f.char({ required: true, secret: true, sealed: false, copy: false }),
  },
  { label: 'Recovery code', nameField: 'user_id' },
) {
  /** A fresh set for a user; those before are worth nothing. What is answered is nowhere kept. For rights lifted. */
  async renew(userId: Id): Promise<readonly string[]> {
    const codes = Array.from({ length: HOW_MANY }, newCode);
    await this.unlink(await this.search([['user_id', '=', userId]]));
    await this.create(codes.map((code) => ({ user_id: userId, code_hash: hashOf(this.ctx, userId, code) })));
    return codes;
  }

  /** Whether a code is one of the user's; then it is used up. For rights lifted. */
  async use(userId: Id, code: string): Promise<boolean> {
    // Of two that come with the same code at the same time, one waits here and finds it gone.
    await this.ctx.lock(User, [userId]);
    const found = await this.search([
      ['user_id', '=', userId],
      ['code_hash', '=', hashOf(this.ctx, userId, code)],
    ]);
    await this.unlink(found);
    return found.length > 0;
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
