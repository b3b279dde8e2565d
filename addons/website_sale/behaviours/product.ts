import { emit, ready, rpc, t } from '#core/browser';
import { clamped, showPrice, typedQuantity } from '../browser/numbers.ts';
import { combines, isDiscount, matching, type Variant } from '../browser/variants.ts';

/**
 * The form of a product page: the choice of attributes leads to a variant with its price, what does not go together is marked, and prices follow the
 * quantity. Without JavaScript the form says what was chosen, and the server finds the variant.
 */
export default function product(form: HTMLElement): () => void {
  const ended = new AbortController();
  const state: State = {
    form,
    variants: JSON.parse(form.dataset.attribute_value_ids ?? '[]') as Variant[],
    pictures: JSON.parse(form.dataset.pictures ?? '{}') as Record<string, Picture>,
    asked: 0,
  };
  const quantity = form.querySelector<HTMLInputElement>('input[name=add_qty]');
  form.addEventListener(
    'change',
    (event) => {
      if (event.target === quantity && quantity) void quantityChanged(state, quantity);
      else show(state);
    },
    { signal: ended.signal },
  );
  for (const button of form.querySelectorAll<HTMLElement>('[data-step]')) {
    button.addEventListener('click', () => quantity && step(quantity, Number(button.dataset.step)), {
      signal: ended.signal,
    });
  }
  show(state);
  return () => ended.abort();
}

/** Addresses of a variant's own picture. */
interface Picture {
  readonly src: string;
  readonly large: string;
}
interface State {
  readonly form: HTMLElement;
  variants: readonly Variant[];
  readonly pictures: Readonly<Record<string, Picture>>;
  asked: number;
}

function step(quantity: HTMLInputElement, by: number): void {
  const before = quantity.value;
  quantity.value = String(clamped(typedQuantity(quantity.value) + by, quantity));
  if (quantity.value !== before) quantity.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Prices for another quantity may be others. */
async function quantityChanged(state: State, quantity: HTMLInputElement): Promise<void> {
  quantity.value = String(clamped(typedQuantity(quantity.value), quantity));
  state.asked += 1;
  const question = state.asked;
  const ids = state.variants.map(([id]) => id);
  if (ids.length === 0) return;
  try {
    const prices = await rpc<Record<string, number>>('/shop/get_unit_price', {
      product_ids: ids,
      add_qty: typedQuantity(quantity.value),
    });
    if (question !== state.asked) return;
    state.variants = state.variants.map(([id, values, price, list]) => [id, values, prices[id] ?? price, list]);
    show(state);
  } catch {
    // The price on the page stays; the cart knows the right one.
  }
}

function inputs(form: HTMLElement): (HTMLInputElement | HTMLOptionElement)[] {
  return [
    ...form.querySelectorAll<HTMLInputElement | HTMLOptionElement>(
      'input.js_variant_change, .js_variant_change option',
    ),
  ];
}

function isChosen(input: HTMLInputElement | HTMLOptionElement): boolean {
  return input instanceof HTMLInputElement ? input.checked : input.selected;
}

function show({ form, variants, pictures }: State): void {
  const all = inputs(form);
  const chosen = all.filter(isChosen).map(({ value }) => Number(value));
  const variant = matching(variants, chosen);
  const field = form.querySelector<HTMLInputElement>('input.product_id');
  if (field) field.value = String(variant?.[0] ?? 0);
  for (const input of all) mark(input, all, variants);
  const left = variant ? leftOf(form, variant[0]) : null;
  showAvailable(form, variant !== undefined, left === 0);
  if (!variant) return;
  const [id, , price, list] = variant;
  showPrice(form.querySelector('.oe_price .oe_currency_value'), price);
  const usual = form.querySelector<HTMLElement>('.oe_default_price');
  showPrice(usual?.querySelector('.oe_currency_value'), list);
  if (usual) usual.hidden = !isDiscount(price, list);
  form.classList.toggle('discount', isDiscount(price, list));
  if (pictures[id]) emit('website_sale.picture', pictures[id]);
}

/** Marks a value that does not go together with what is chosen of the other attributes. */
function mark(
  input: HTMLInputElement | HTMLOptionElement,
  all: readonly (HTMLInputElement | HTMLOptionElement)[],
  variants: readonly Variant[],
): void {
  const group = groupOf(input);
  const others = all.filter((other) => groupOf(other) !== group && isChosen(other)).map(({ value }) => Number(value));
  const off = !combines(variants, Number(input.value), others);
  const shown = input instanceof HTMLInputElement ? input.labels?.[0] : input;
  shown?.classList.toggle('css_not_available', off);
}

function groupOf(input: HTMLInputElement | HTMLOptionElement): string {
  return input instanceof HTMLInputElement ? input.name : (input.closest('select')?.name ?? '');
}

function showAvailable(form: HTMLElement, isThere: boolean, isSoldOut: boolean): void {
  form.classList.toggle('css_not_available', !isThere);
  const note = form.querySelector<HTMLElement>('.shop-not-available');
  if (note) note.hidden = isThere;
  const button = form.querySelector<HTMLButtonElement>('#add_to_cart');
  if (button) button.disabled = !isThere || isSoldOut;
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLButtonElement>(
    '.css_quantity input, .css_quantity button',
  ))
    control.disabled = !isThere;
}

/** How many of a variant are left, and says so; null where they are not counted. */
function leftOf(form: HTMLElement, id: number): number | null {
  const place = form.querySelector<HTMLElement>('[data-shop-stock]');
  if (!place) return null;
  const left = (JSON.parse(place.dataset.shopStock ?? '{}') as Record<string, number>)[id];
  const isMine = (JSON.parse(place.dataset.shopMine ?? '[]') as number[]).includes(id);
  void ready.then(() => {
    place.textContent = left === undefined ? '' : stockText(left, isMine);
    place.classList.toggle('is-out', left === 0 && !isMine);
  });
  return left ?? null;
}

function stockText(left: number, isMine: boolean): string {
  if (left === 0) return isMine ? t('All that are left are in your cart') : t('Sold out');
  return left <= 5 ? t('Only {n} left', { n: left }) : t('In stock');
}
