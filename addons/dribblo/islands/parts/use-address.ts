import { useWindowEvent } from '@pergola/website/kit';

/**
 * Keeps the page URL in sync with an island's state, so back navigation and sharing work as without JavaScript.
 *
 * @param onBack receives the URL query on back and forward navigation
 * @returns function that changes the URL
 */
export function useAddress(onBack: (query: URLSearchParams) => void): (address: string) => void {
  useWindowEvent('popstate', () => onBack(new URLSearchParams(location.search)));
  return (address) => history.pushState(null, '', address);
}
