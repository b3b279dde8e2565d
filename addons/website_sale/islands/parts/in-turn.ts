import { csrfToken } from 'pergola/browser';

/**
 * Makes the first changes of a cart one after the other, in all tabs of the site: each would begin a session, and a cart, of its own. Visitors with a
 * session need not wait, nor do those whose browser has no locks (a site without https).
 *
 * @param work makes the call, and calls `done` when it is answered
 */
export function inTurn(work: (done: () => void) => void): void {
  if (csrfToken() !== '' || !navigator.locks) work(() => {});
  else void navigator.locks.request('website_sale.cart', () => new Promise<void>((done) => work(done)));
}
