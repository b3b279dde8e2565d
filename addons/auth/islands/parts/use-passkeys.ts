import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { notify, RpcError, t } from 'pergola/browser';
import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** Work with the browser's passkeys, one at a time; what goes wrong, or `run`'s work answers, is said in the corner. */
export function usePasskeys() {
  const known = useSyncExternalStore(never, browserSupportsWebAuthn, () => true); // Nearly all do.
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    try {
      const refused = await work();
      if (refused !== null) notify(refused, 'alert');
    } catch (error) {
      // A browser says in its own words why it made or found none, mostly that somebody closed its question.
      notify(error instanceof RpcError ? error.message : t('Your browser gave no passkey.'), 'alert');
    } finally {
      setBusy(false);
    }
  };
  return { known, busy, run };
}
