import { csrfToken } from 'pergola/browser';

/**
 * Runs the first changes of a cart one after the other, across all tabs of the site: each would otherwise start its own session and cart.
 * Visitors with a session needn't wait. Browsers without locks (on sites without https) don't wait either.
 *
 * @param work makes the request and calls `release` once it has completed
 */
export function inTurn(work: (release: () => void) => void): void {
  if (csrfToken() !== '' || !navigator.locks) work(() => {});
  else void navigator.locks.request('website_sale.cart', () => new Promise<void>((release) => work(release)));
}
