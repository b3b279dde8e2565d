import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Returns the address to continue to after signing in. `/web#model=…` opened without a session leads to the sign-in page; the hash never
 * reaches the server, so the browser appends it to the address.
 */
export function useRedirect(redirect: string): string {
  const hash = useSyncExternalStore(
    never,
    () => location.hash,
    () => '',
  );
  return redirect === '' || redirect.includes('#') || hash.length < 2 ? redirect : redirect + hash;
}
