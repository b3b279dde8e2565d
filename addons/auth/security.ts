import { access, rule } from 'pergola';
import { Challenge } from './models/auth-challenge.ts';
import { ProviderIdentity } from './models/auth-identity.ts';
import { Passkey } from './models/auth-passkey.ts';
import { SignInProvider } from './models/auth-provider.ts';
import { RecoveryCode } from './models/auth-recovery-code.ts';
import { AccessToken } from './models/auth-token.ts';
import { Totp } from './models/auth-totp.ts';

export const lists = [
  // Only created by `issue`; deleting a token revokes it.
  access(AccessToken, { 'base.group_user': 'rd', 'base.group_erp_manager': 'rd' }),
  access(SignInProvider, { 'base.group_system': 'rwcd' }),
  // Credentials are only accessible to the system: on the owner's pages, and at sign-in.
  access(Totp, {}),
  access(RecoveryCode, {}),
  access(Passkey, {}),
  access(Challenge, {}),
  access(ProviderIdentity, {}),
];

export const rules = [
  rule('auth.own_tokens', AccessToken, {
    groups: ['base.group_user'],
    domain: (ctx) => [['user_id', '=', ctx.user.id ?? 0]],
  }),
  rule('auth.all_tokens', AccessToken, { groups: ['base.group_erp_manager'], domain: () => [] }),
];
