import type { TourTrouble } from '@pergola/website';

/** Detects other products in the cart: tours count what they add, so the cart must contain nothing else. */
export function otherInCart(...expected: readonly number[]): TourTrouble {
  const exclusions = [0, ...expected].map((pieces) => `:not([data-cart-quantity="${pieces}"])`).join('');
  return {
    when: `.my_cart_quantity${exclusions}`,
    help: 'Your cart isn’t empty, and this tour needs an empty one. Empty it and restart the tour?',
    label: 'Empty the cart',
    call: '/shop/cart/clean',
  };
}
