import { publicMethod } from '@pergola/web';
import { defineAddon } from 'pergola';
import { entries } from './account-entries.ts';
import { keysCommand } from './cli/keys.ts';
import { providers } from './fragments.ts';
import { keyChangedMail } from './mails.ts';
import { Challenge } from './models/auth-challenge.ts';
import { ProviderIdentity } from './models/auth-identity.ts';
import { Passkey } from './models/auth-passkey.ts';
import { SignInProvider } from './models/auth-provider.ts';
import { RecoveryCode } from './models/auth-recovery-code.ts';
import { AccessToken } from './models/auth-token.ts';
import { Totp } from './models/auth-totp.ts';
import { KeyAudit } from './models/ir-audit.ts';
import { KeyGroup } from './models/res-groups.ts';
import { KeyUser } from './models/res-users.ts';
import { confirmRoutes } from './routes/confirm.ts';
import { keyRoutes } from './routes/keys.ts';
import { openidRoutes } from './routes/openid.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { secondStepRoutes } from './routes/second-step.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { totpRoutes } from './routes/totp.ts';
import { lists, rules } from './security.ts';
import { bearer } from './services/bearer.ts';
import { menus, views } from './views.ts';

export default defineAddon({
  name: 'auth',
  title: 'Sign-in security',
  summary: 'Two-factor authentication, passkeys, single sign-on and access tokens',
  version: '1.2.0',
  category: 'System',
  icon: 'key',
  permanent: true,
  depends: ['web'],
  models: [
    KeyAudit,
    AccessToken,
    Totp,
    RecoveryCode,
    Passkey,
    Challenge,
    SignInProvider,
    ProviderIdentity,
    KeyGroup,
    KeyUser,
  ],
  access: lists,
  rules,
  routes: [confirmRoutes, keyRoutes, tokenRoutes, totpRoutes, secondStepRoutes, passkeyRoutes, openidRoutes],
  fragments: [providers],
  mails: [keyChangedMail],
  bearer,
  commands: [keysCommand],
  menus,
  views,
  accountEntries: entries,
  publicMethods: [
    publicMethod(KeyUser, 'action_remove_second_step', { right: 'write', writes: true, mails: true }),
    publicMethod(KeyUser, 'action_revoke_tokens', { right: 'write', writes: true, mails: true }),
  ],
});
