import { useEffect, useEffectEvent } from 'react';

/**
 * The address of the page follows what an island shows, so that going back and sharing work as without scripts.
 *
 * @param onBack hears the query of the address when the visitor goes back or forth
 * @returns Changes the address.
 */
export function useAddress(onBack: (query: URLSearchParams) => void): (address: string) => void {
  const heard = useEffectEvent(() => onBack(new URLSearchParams(location.search)));
  useEffect(() => {
    const listener = (): void => heard();
    addEventListener('popstate', listener);
    return () => removeEventListener('popstate', listener);
  }, []);
  return (address) => history.pushState(null, '', address);
}
