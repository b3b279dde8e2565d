import { randomBytes } from 'node:crypto';
import { type Ctx, data, ref } from 'pergola';
import { AccessToken } from '../models/auth-token.ts';

/** Sample tokens for display: their plain values are unknown, so they can't be used. */
export default [
  data(AccessToken, async (ctx: Ctx) => {
    const day = 86_400_000;
    const tokenFields = (days: number) => ({
      user_id: ref('base.user_admin'),
      token_hash: randomBytes(32).toString('base64url'),
      expires: new Date(ctx.now().getTime() + days * day),
    });
    return {
      demo_export: { ...tokenFields(60), name: 'Nightly export', hint: 'pgt_x7Qa', scope: { 'res.partner': 'r' } },
      demo_till: { ...tokenFields(-3), name: 'Till of last summer', hint: 'pgt_b2Kd', scope: { '*': 'r' } },
    };
  }),
];
