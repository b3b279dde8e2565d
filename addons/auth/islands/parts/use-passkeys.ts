import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { notify, RpcError, t } from 'pergola/browser';
import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};

/** Runs passkey operations one at a time, and shows errors and the results of `run` as notifications. */
export function usePasskeys() {
  const isSupported = useSyncExternalStore(never, browserSupportsWebAuthn, () => true); // Nearly all browsers do.
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    try {
      const failure = await work();
      if (failure !== null) notify(failure, 'alert');
    } catch (error) {
      // Browsers report failures in their own words, usually that the user cancelled.
      notify(
        error instanceof RpcError ? error.message : t('Your browser didn’t return a passkey. Try again.'),
        'alert',
      );
    } finally {
      setBusy(false);
    }
  };
  return { isSupported, busy, run };
}
