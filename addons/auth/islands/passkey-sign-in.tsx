import { Icon } from '@pergola/web/kit';
import { startAuthentication } from '@simplewebauthn/browser';
import key from 'bootstrap-icons/icons/key.svg';
import { rpc, t } from 'pergola/browser';
import type { z } from 'zod';
import { usePasskeys } from './parts/use-passkeys.ts';
import type schema from './passkey-sign-in.props.ts';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Signs in with a passkey, without a login or password. Hidden in browsers without passkey support. */
export default function PasskeySignIn({ redirect }: z.infer<typeof schema>) {
  const { isSupported, busy, run } = usePasskeys();
  if (!isSupported) return null;
  const signIn = () =>
    run(async () => {
      const optionsJSON = await rpc<Options>('/web/login/passkey/options');
      const response = await startAuthentication({ optionsJSON });
      const { to } = await rpc<{ to: string | null }>('/web/login/passkey', { response, redirect });
      if (to === null) return t('This passkey isn’t linked to an account here.');
      location.assign(to);
      return null;
    });
  return (
    <button type="button" className="btn btn-outline-secondary w-100" disabled={busy} aria-busy={busy} onClick={signIn}>
      <Icon of={key} /> <span>{t('Sign in with a passkey')}</span>
    </button>
  );
}
