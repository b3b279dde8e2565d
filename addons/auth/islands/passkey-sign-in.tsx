import { Icon } from '@pergola/web/kit';
import { startAuthentication } from '@simplewebauthn/browser';
import key from 'bootstrap-icons/icons/key.svg';
import { rpc, t } from 'pergola/browser';
import type { z } from 'zod';
import type { signIn } from '../routes/passkeys.ts';
import { usePasskeys } from './parts/use-passkeys.ts';
import type schema from './passkey-sign-in.props.ts';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Signs in with a passkey, without a login or password. Hidden in browsers without passkey support. */
export default function PasskeySignIn({ redirect }: z.infer<typeof schema>) {
  const { isSupported, busy, run } = usePasskeys();
  if (!isSupported) return null;
  const start = () =>
    run(async () => {
      const optionsJSON = await rpc('/web/login/passkey/options');
      const response = await startAuthentication({ optionsJSON: optionsJSON as Options });
      const { to } = await rpc<typeof signIn>('/web/login/passkey', { response, redirect });
      if (to === null) return t('This passkey isn’t linked to an account here.');
      location.assign(to);
      return null;
    });
  return (
    <button type="button" className="btn btn-outline-secondary w-100" disabled={busy} aria-busy={busy} onClick={start}>
      <Icon of={key} /> <span>{t('Sign in with a passkey')}</span>
    </button>
  );
}
