import cart from 'bootstrap-icons/icons/cart-plus.svg';
import minus from 'bootstrap-icons/icons/dash-lg.svg';
import plus from 'bootstrap-icons/icons/plus-lg.svg';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Icon, Money, quantityOf } from '#addons/website/kit';
import { rpc, t, url } from '#core/browser';
import { Token } from '#core/islands';
import type schema from './choice.props.ts';
import { AttributeChoice } from './parts/attribute-choice.tsx';
import { chosenVariant, stock, variantPicture } from './parts/product-state.ts';
import { count } from './parts/statistics.ts';
import { useAwake } from './parts/use-awake.ts';
import { combines, isDiscount, matching, type Variant } from './parts/variants.ts';

/** Milliseconds until a look at a variant counts. */
const LOOKED = 500;

/**
 * The form of a product page: the choice of attributes leads to a variant with its price, what does not go together is marked, and prices follow the
 * quantity. Without JavaScript the form says what was chosen, and the server finds the variant. Its content stands below the price.
 */
export default function Choice({
  product,
  attributes,
  variants,
  pictures,
  choice,
  taxNote,
  most,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const isAwake = useAwake();
  const [chosen, setChosen] = useState(() => chosenAtFirst(attributes));
  const { prices, ask } = usePrices(variants);
  const all = Object.values(chosen);
  const variant = matching(variants, all);
  const shown = useLast(variant);
  const price = shown ? (prices[shown[0]] ?? shown[2]) : choice.price.value;
  const list = shown ? shown[3] : choice.list.value;
  const discount = shown ? isDiscount(price, list) : choice.discount;
  const isOut = stock.use()?.levels[variant?.[0] ?? 0] === 0;
  useTold(variant?.[0] ?? 0, pictures);
  /** Whether a value goes together with what is chosen of the other attributes; without script nothing is said, since nothing would follow. */
  const isOff = (attribute: number, value: number): boolean =>
    isAwake &&
    !combines(
      variants,
      value,
      all.filter((one) => one !== chosen[attribute]),
    );
  const classes = ['js_add_cart_variants js_product', discount && 'discount', !variant && 'css_not_available'];
  return (
    <form
      className={classes.filter(Boolean).join(' ')}
      method="post"
      action={url('/shop/cart/update')}
      data-attribute_value_ids={JSON.stringify(variants)}
      data-slot="add-to-cart"
      onSubmit={() => count(`product_add_to_cart/${variant?.[0] ?? 0}`)}
    >
      <Token />
      <input
        className="product_id"
        type="hidden"
        name="product_id"
        value={(isAwake || variants.length === 1 ? variant?.[0] : null) ?? 0}
      />
      <input type="hidden" name="product_template_id" value={product} />
      {attributes.map((attribute) => (
        <AttributeChoice
          key={attribute.id}
          attribute={attribute}
          product={product}
          chosen={chosen[attribute.id]}
          isOff={(value) => isOff(attribute.id, value)}
          onChoose={(value) => setChosen({ ...chosen, [attribute.id]: value })}
        />
      ))}
      <p className="shop-product-price product_price">
        <span className="oe_price shop-price-now">
          <Money of={{ ...choice.price, value: price }} />
        </span>{' '}
        <del className="oe_default_price shop-price-list" hidden={!discount}>
          <span className="visually-hidden">{t('instead of')} </span>
          <Money of={{ ...choice.list, value: list }} />
        </del>{' '}
        <small className="shop-tax-note">{taxNote}</small>
      </p>
      {children}
      <p className="alert alert-warning shop-not-available" role="status" data-slot="not-available" hidden={!!variant}>
        {t('Product not available')}
      </p>
      <div className="shop-add">
        <AddQuantity most={most} disabled={!variant} onChange={ask} />
        <button
          className="btn btn-primary btn-lg js_check_product a-submit"
          id="add_to_cart"
          type="submit"
          disabled={!variant || isOut}
        >
          <Icon of={cart} /> {t('Add to Cart')}
        </button>
      </div>
    </form>
  );
}

/** The value that is chosen of each attribute that has several. */
function chosenAtFirst(attributes: z.infer<typeof schema>['attributes']): Readonly<Record<number, number>> {
  return Object.fromEntries(
    attributes
      .filter(({ single }) => !single)
      .flatMap(({ id, values }) => {
        const first = values.find(({ chosen }) => chosen) ?? values[0];
        return first ? [[id, first.id]] : [];
      }),
  );
}

/** The last of a value that was there: the price stays while nothing is available. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** Prices for another quantity may be others. */
function usePrices(variants: readonly Variant[]) {
  const [prices, setPrices] = useState<Readonly<Record<string, number>>>({});
  const asked = useRef(0);
  const ask = async (quantity: number): Promise<void> => {
    asked.current += 1;
    const question = asked.current;
    if (variants.length === 0) return;
    const product_ids = variants.map(([id]) => id);
    // The price on the page stays when there is no answer; the cart knows the right one.
    const answer = await rpc<Record<string, number>>('/shop/get_unit_price', { product_ids, add_qty: quantity }).catch(
      () => null,
    );
    if (answer && question === asked.current) setPrices(answer);
  };
  return { prices, ask: (quantity: number) => void ask(quantity) };
}

/** Other parts of the page follow the choice, and the shop's statistics count what was looked at first. */
function useTold(variant: number, pictures: z.infer<typeof schema>['pictures']): void {
  const first = useRef(variant);
  useEffect(() => {
    const timer = setTimeout(() => first.current !== 0 && count(`product_view/${first.current}`), LOOKED);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    chosenVariant.set(variant);
    const picture = pictures[variant];
    if (picture) variantPicture.set(picture);
  }, [variant, pictures]);
}

/** How many of it; buttons and leaving the field keep it within bounds. */
function AddQuantity({
  most,
  disabled,
  onChange,
}: {
  readonly most: number;
  readonly disabled: boolean;
  readonly onChange: (quantity: number) => void;
}) {
  const [text, setText] = useState('1');
  const known = useRef(1);
  const set = (quantity: number): void => {
    setText(String(quantity));
    if (quantity !== known.current) onChange(quantity);
    known.current = quantity;
  };
  const button = (by: -1 | 1) => (
    <button
      className={`btn btn-outline-secondary ${by < 0 ? 'js_add_cart_minus' : 'js_add_cart_plus'}`}
      type="button"
      data-step={by}
      aria-label={by < 0 ? t('One less') : t('One more')}
      disabled={disabled}
      onClick={() => set(quantityOf(String(quantityOf(text, 1, most) + by), 1, most))}
    >
      <span className={by < 0 ? 'fa-minus' : 'fa-plus'}>
        <Icon of={by < 0 ? minus : plus} />
      </span>
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look otherwise
    <div className="css_quantity input-group" role="group" aria-label={t('Quantity')}>
      {button(-1)}
      <label className="visually-hidden" htmlFor="add-qty">
        {t('Quantity')}
      </label>
      <input
        className="form-control js_quantity"
        id="add-qty"
        type="number"
        name="add_qty"
        value={text}
        min="1"
        max={most}
        step="1"
        inputMode="numeric"
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => set(quantityOf(text, 1, most))}
      />
      {button(1)}
    </div>
  );
}
