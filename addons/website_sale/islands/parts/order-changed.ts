import { emit } from 'pergola/browser';

/** What is emitted when the order of a page changed: that it was paid, or anything else. */
export const orderChanged = ['website_sale.paid', 'website_sale.order_changed'] as const;

/** Tells all parts of the page that the state of its order is another one. */
export function tellOrderChanged(state: string): void {
  emit(state === 'done' ? 'website_sale.paid' : 'website_sale.order_changed');
}
