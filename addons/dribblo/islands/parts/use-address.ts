import { useWindowEvent } from '#addons/website/kit';

/**
 * The address of the page follows what an island shows, so that going back and sharing work as without scripts.
 *
 * @param onBack hears the query of the address when the visitor goes back or forth
 * @returns Changes the address.
 */
export function useAddress(onBack: (query: URLSearchParams) => void): (address: string) => void {
  useWindowEvent('popstate', () => onBack(new URLSearchParams(location.search)));
  return (address) => history.pushState(null, '', address);
}
