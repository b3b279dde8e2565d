import { AuditEntry } from '@pergola/base';
import { extend, f } from 'pergola';

/** Adds an audit log type for each change of an account's keys. */
export const KeyAudit = extend(AuditEntry, {
  kind: f.selectionAdd(
    {
      token_made: 'Token created',
      token_revoked: 'Token revoked',
      app_added: 'Authenticator app set up',
      app_removed: 'Authenticator app removed',
      passkey_added: 'Passkey added',
      passkey_removed: 'Passkey removed',
      codes_made: 'New recovery codes',
      code_used: 'Recovery code used',
      step_removed: 'Two-factor authentication removed',
    },
    {
      onUninstall: {
        token_made: 'change',
        token_revoked: 'change',
        app_added: 'change',
        app_removed: 'change',
        passkey_added: 'change',
        passkey_removed: 'change',
        codes_made: 'change',
        code_used: 'change',
        step_removed: 'change',
      },
    },
  ),
});
