import { emit } from 'pergola/browser';

/** Events emitted when the order of a page is paid or changes in any other way. */
export const orderChanged = ['website_sale.paid', 'website_sale.order_changed'] as const;

/** Notifies all parts of the page of a change in the order's state. */
export function tellOrderChanged(state: string): void {
  emit(state === 'done' ? 'website_sale.paid' : 'website_sale.order_changed');
}
