/** Tells the shop's own statistics what was looked at. Nothing of the visitor goes along, and nothing is set. */
export default function count(root: HTMLElement): () => void {
  const ended = new AbortController();
  const tell = (path: string): void => {
    if (!navigator.doNotTrack || navigator.doNotTrack !== '1') navigator.sendBeacon(`/stats/ecom/${path}`);
  };
  const variant = (): string => root.querySelector<HTMLInputElement>('input.product_id')?.value || '0';
  if (root.matches('#product_detail')) {
    // The first choice is made by the form, when it is alive.
    setTimeout(() => variant() !== '0' && tell(`product_view/${variant()}`), 500);
  }
  // Whoever buys tickets comes here without the cart; a form that was not filled in well is no further checkout.
  if (location.pathname.endsWith('/shop/checkout')) tell('customer_checkout');
  const ordered = root.querySelector<HTMLElement>('.oe_website_sale_tx_status');
  if (ordered) tell(`order_confirmed/${ordered.dataset.orderId}`);
  root.addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element).closest<HTMLElement>('[data-shop-count]');
      if (link) tell(link.dataset.shopCount ?? '');
    },
    { signal: ended.signal },
  );
  root.addEventListener('submit', (event) => told(event.target as HTMLFormElement, variant, tell), {
    signal: ended.signal,
    capture: true,
  });
  return () => ended.abort();
}

function told(form: HTMLFormElement, variant: () => string, tell: (path: string) => void): void {
  if (form.matches('form.js_add_cart_variants')) tell(`product_add_to_cart/${variant()}`);
  if (form.matches('form[action$="/shop/confirm_order"]') && form.checkValidity()) {
    if (form.dataset.guest !== undefined) tell('customer_signup');
    tell('order_checkout');
  }
  if (form.matches('.js_pay')) {
    const method = form.closest('.js_payment')?.querySelector<HTMLInputElement>('input[name=acquirer]:checked');
    tell(`order_payment/${encodeURIComponent(method?.dataset.method ?? '')}`);
  }
}
