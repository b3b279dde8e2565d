import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Where somebody goes on after signing in. Whoever follows `/web#model=…` without a session signs in first: the hash stays in the browser and never
 * reaches the server, so it is put behind the address.
 */
export function useRedirect(redirect: string): string {
  const hash = useSyncExternalStore(
    never,
    () => location.hash,
    () => '',
  );
  return redirect === '' || redirect.includes('#') || hash.length < 2 ? redirect : redirect + hash;
}
