import { emit, notify, RpcError, ready, reducedMotion, rpc } from '#core/browser';
import { clamped, showPrice, typedQuantity } from '../browser/numbers.ts';

interface Updated {
  readonly line_id?: number | false;
  readonly quantity?: number;
  readonly cart_quantity?: number;
  readonly 'website_sale.total'?: string;
  readonly warning?: string;
}

/** Unit prices this much below the usual one, as a part of it, are shown as a discount. */
const UNIT_PRICE_BELOW = 0.01;

/** Milliseconds after the last key until what was typed is told. */
const TYPING = 600;

/**
 * The cart page: quantities change where they stand. Changes of a line go one after the other; of those made while one is on its way only the last
 * is sent.
 */
export default function cart(root: HTMLElement): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const timers = new Map<HTMLInputElement, number>();
  const sending = new Set<Promise<void>>();
  const tell = (input: HTMLInputElement): void => {
    clearTimeout(timers.get(input));
    timers.delete(input);
    const sent: Promise<void> = send(root, input).finally(() => sending.delete(sent));
    sending.add(sent);
  };
  // Who goes on takes along what they have just typed.
  root.addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href$="/shop/checkout"]');
      for (const input of timers.keys()) tell(input);
      if (!link || sending.size === 0) return;
      event.preventDefault();
      void Promise.all(sending).then(() => location.assign(link.href));
    },
    { signal },
  );
  root.addEventListener(
    'input',
    (event) => {
      const input = event.target as Element;
      if (!(input instanceof HTMLInputElement) || !input.matches('.js_quantity') || input.value === '') return;
      clearTimeout(timers.get(input));
      timers.set(
        input,
        window.setTimeout(() => tell(input), TYPING),
      );
    },
    { signal },
  );
  root.addEventListener(
    'click',
    (event) => {
      const button = (event.target as Element).closest<HTMLElement>('a.js_add_cart_json');
      if (!button) return;
      event.preventDefault();
      step(button);
    },
    { signal },
  );
  root.addEventListener(
    'keydown',
    (event) => {
      const button = event.key === ' ' && (event.target as Element).closest<HTMLElement>('a.js_add_cart_json');
      if (!button) return;
      event.preventDefault();
      step(button);
    },
    { signal },
  );
  root.addEventListener(
    'change',
    (event) => {
      const input = event.target as Element;
      if (input instanceof HTMLInputElement && input.matches('.js_quantity')) tell(input);
    },
    { signal },
  );
  root.addEventListener(
    'submit',
    (event) => {
      const form = event.target as HTMLFormElement;
      if (form.matches('.js_cart_clean')) void clean(event);
      const input = form.querySelector<HTMLInputElement>('.js_quantity');
      if (!input) return;
      event.preventDefault();
      tell(input);
    },
    { signal },
  );
  return () => ended.abort();
}

function step(button: HTMLElement): void {
  const input = button.closest('.css_quantity')?.querySelector<HTMLInputElement>('.js_quantity');
  if (!input) return;
  const value = clamped(typedQuantity(input.value) + Number(button.dataset.step), input);
  if (String(value) === input.value) return;
  input.value = String(value);
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function clean(event: Event): Promise<void> {
  event.preventDefault();
  try {
    await rpc('/shop/cart/clean');
    location.reload();
  } catch (error) {
    notify(messageOf(error), 'alert');
  }
}

/** Tells the server what the input says, until it says what was told. */
async function send(root: HTMLElement, input: HTMLInputElement): Promise<void> {
  if (input.dataset.busy !== undefined || input.value === input.defaultValue) return;
  input.dataset.busy = '';
  try {
    for (let told = ''; told !== input.value; ) {
      told = input.value;
      const set_qty = clamped(typedQuantity(told), input);
      const answer = await rpc<Updated>('/shop/cart/update_json', {
        line_id: Number(input.dataset.lineId),
        product_id: Number(input.dataset.productId),
        set_qty,
      });
      if (!answer.quantity) {
        // Without what the address says of something before.
        location.assign(location.pathname);
        return;
      }
      const isLast = told === input.value;
      if (isLast) {
        input.value = String(answer.quantity);
        told = input.value;
      }
      show(root, input, answer);
      if (isLast) await showUnitPrice(input, answer.quantity);
    }
  } catch (error) {
    // In another window it was taken out, or paid: the page is as it was before that.
    if (error instanceof RpcError && error.code === 404) {
      location.assign(`${location.pathname}?note=changed`);
      return;
    }
    await ready;
    notify(messageOf(error), 'alert');
    input.value = input.defaultValue;
  } finally {
    delete input.dataset.busy;
  }
}

function messageOf(error: unknown): string {
  return error instanceof RpcError ? error.message : String(error);
}

function show(root: HTMLElement, input: HTMLInputElement, answer: Updated): void {
  input.defaultValue = String(answer.quantity ?? 0);
  for (const link of document.querySelectorAll<HTMLElement>('.my_cart_quantity')) {
    link.textContent = String(answer.cart_quantity ?? 0);
    link.hidden = !answer.cart_quantity;
    link.dataset.cartQuantity = link.textContent;
    if (!reducedMotion()) link.animate([{ opacity: 0 }, { opacity: 1 }], 600);
  }
  const total = document.createRange().createContextualFragment(answer['website_sale.total'] ?? '');
  const fresh = total.querySelector('#cart_total');
  if (fresh) root.querySelector('#cart_total')?.replaceWith(fresh);
  for (const data of root.querySelectorAll<HTMLDataElement>('#cart_total data.js_line_total')) {
    const place = root.querySelector(`.js_line_amount[data-line-id="${data.dataset.lineId}"]`);
    if (place) place.textContent = data.textContent;
  }
  if (answer.warning) notify(answer.warning, 'alert');
  emit('website_sale.cart', { quantity: answer.cart_quantity });
}

/** Another quantity may have another price. */
async function showUnitPrice(input: HTMLInputElement, quantity: number): Promise<void> {
  const product = Number(input.dataset.productId);
  const cell = input.closest('tr')?.querySelector('.td-price');
  const place = cell?.querySelector<HTMLElement>(':scope > .oe_currency_value');
  if (!place) return;
  const prices = await rpc<Record<string, number>>('/shop/get_unit_price', {
    product_ids: [product],
    add_qty: quantity,
    use_order_pricelist: true,
    line_id: Number(input.dataset.lineId),
  });
  const price = prices[product];
  if (price === undefined) return;
  const usual = Number(place.dataset.list ?? price);
  showPrice(place, price);
  const struck = cell?.querySelector<HTMLElement>('.shop-price-list');
  if (struck) struck.hidden = !(price < usual && usual - price > usual * UNIT_PRICE_BELOW);
}
