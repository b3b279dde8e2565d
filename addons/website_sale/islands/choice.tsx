import { BusyButton, Icon, Money, Quantity, quantityFault, quantityOf } from '@pergola/website/kit';
import cart from 'bootstrap-icons/icons/cart-plus.svg';
import { notify, rpc, t, url } from 'pergola/browser';
import { Token, useAction } from 'pergola/islands';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { cartUpdateJson, unitPrice } from '../routes/cart.ts';
import { isUnitDiscount } from '../services/catalogue/discounts.ts';
import type schema from './choice.props.ts';
import { AttributeChoice } from './parts/attribute-choice.tsx';
import { cartNews } from './parts/cart-news.ts';
import { inTurn } from './parts/in-turn.ts';
import { chosenVariant, stock } from './parts/product-state.ts';
import { count } from './parts/statistics.ts';
import { useAwake } from './parts/use-awake.ts';
import { useLast } from './parts/use-last.ts';
import { combines, isDiscount, matching, type Variant } from './parts/variants.ts';

/** Time on the page before a view counts, in milliseconds. */
const VIEW_DELAY = 500;

/**
 * The form of a product page: the chosen attribute values determine a variant and its price, values without a matching variant are marked,
 * and prices follow the quantity. Adding to the cart stays on the page and updates the cart in the header. Without JavaScript, the form
 * submits the chosen values; the server finds the variant and redirects to the cart. Its content is rendered above the quantity.
 */
export default function Choice({
  product,
  attributes,
  name,
  variants,
  choice,
  taxNote,
  most: max,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const isAwake = useAwake();
  const [selection, setSelection] = useState(() => initialSelection(attributes));
  const { prices, ask: load } = usePrices(variants);
  const all = Object.values(selection);
  const variant = matching(variants, all);
  const visibleVariant = useLast(variant);
  const unitPrice = visibleVariant && prices[visibleVariant[0]];
  const price = unitPrice ?? visibleVariant?.[2] ?? choice.price.value;
  const list = visibleVariant ? visibleVariant[3] : choice.list.value;
  const ownDiscount = visibleVariant ? isDiscount(price, list) : choice.discount;
  const discount = unitPrice === undefined ? ownDiscount : isUnitDiscount(unitPrice, list);
  const isOut = stock.use()?.levels[variant?.[0] ?? 0] === 0;
  usePublishedVariant(variant?.[0] ?? 0);
  const add = useAddToCart(name);
  /**
   * Whether no variant combines a value with the other chosen values. Always false before scripts run, since the marks couldn't follow the
   * choice.
   */
  const isOff = (attribute: number, value: number): boolean =>
    isAwake &&
    !combines(
      variants,
      value,
      all.filter((selected) => selected !== selection[attribute]),
    );
  const classes = ['js_add_cart_variants js_product', discount && 'discount', !variant && 'css_not_available'];
  return (
    <form
      className={classes.filter(Boolean).join(' ')}
      method="post"
      action={url('/shop/cart/update')}
      data-attribute_value_ids={JSON.stringify(variants)}
      data-slot="add-to-cart"
      onSubmit={(event) => {
        if (!variant) return;
        event.preventDefault();
        if (add.pending) return;
        count(`product_add_to_cart/${variant[0]}`);
        const quantityText = String(new FormData(event.currentTarget).get('add_qty'));
        if (quantityFault(quantityText) !== null) return;
        const add_qty = quantityOf(quantityText, 1, max);
        add.run({ product_id: variant[0], add_qty });
      }}
    >
      <Token />
      <p className="shop-product-price product_price">
        <span className="oe_price shop-price-now">
          <Money of={{ ...choice.price, value: price }} />
        </span>{' '}
        <del className="oe_default_price shop-price-list" hidden={!discount}>
          <span className="visually-hidden">{t('was')} </span>
          <Money of={{ ...choice.list, value: list }} />
        </del>{' '}
        <small className="shop-tax-note">{taxNote}</small>
      </p>
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
          chosen={selection[attribute.id]}
          isOff={(value) => isOff(attribute.id, value)}
          onChoose={(value) => setSelection({ ...selection, [attribute.id]: value })}
        />
      ))}
      {children}
      <p className="alert alert-warning shop-not-available" role="status" data-slot="not-available" hidden={!!variant}>
        {t('Product not available')}
      </p>
      <div className="shop-add">
        <AddQuantity max={max} disabled={!variant} onChange={load} />
        <div className="shop-add-bar">
          <BusyButton
            className="btn btn-primary btn-lg js_check_product a-submit"
            id="add_to_cart"
            busy={add.pending}
            disabled={!variant || isOut}
          >
            <Icon of={cart} /> {t('Add to Cart')}
          </BusyButton>
        </div>
      </div>
    </form>
  );
}

/** Returns the initial value of each attribute that has several. */
function initialSelection(attributes: z.infer<typeof schema>['attributes']): Readonly<Record<number, number>> {
  return Object.fromEntries(
    attributes
      .filter(({ single }) => !single)
      .flatMap(({ id, values }) => {
        const first = values.find(({ chosen: isChosen }) => isChosen) ?? values[0];
        return first ? [[id, first.id]] : [];
      }),
  );
}

/** Adds the product to the cart and announces it in the header, with a warning if fewer could be added. */
function useAddToCart(name: string) {
  const release = useRef(() => {});
  const add = useAction<typeof cartUpdateJson>('/shop/cart/update_json', {
    done: (answer) => {
      release.current();
      if (!answer) return;
      const { cart_quantity: quantity, warning } = answer;
      if (warning) notify(warning, 'alert');
      cartNews.set(answer.quantity > 0 ? { quantity, added: name } : { quantity });
    },
    failed: () => {
      release.current();
      return undefined;
    },
  });
  const run = (input: Parameters<typeof add.run>[0]): void =>
    inTurn((releaseLock) => {
      release.current = releaseLock;
      add.run(input);
    });
  return { pending: add.pending, run };
}

/** Loads the unit prices for another quantity, which may differ. */
function usePrices(variants: readonly Variant[]) {
  const [prices, setPrices] = useState<Readonly<Record<string, number>>>({});
  const lastRequest = useRef(0);
  const load = async (quantity: number): Promise<void> => {
    lastRequest.current += 1;
    const question = lastRequest.current;
    if (variants.length === 0) return;
    const product_ids = variants.map(([id]) => id);
    // If the request fails, the page keeps its price; the cart calculates the right one.
    const answer = await rpc<typeof unitPrice>('/shop/get_unit_price', { product_ids, add_qty: quantity }).catch(
      () => null,
    );
    if (answer && question === lastRequest.current) setPrices(answer);
  };
  return { prices, ask: (quantity: number) => void load(quantity) };
}

/** Publishes the chosen variant to other parts of the page, and counts a view of the first one in the shop's statistics. */
function usePublishedVariant(variant: number): void {
  const first = useRef(variant);
  useEffect(() => {
    const timer = setTimeout(() => first.current !== 0 && count(`product_view/${first.current}`), VIEW_DELAY);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => chosenVariant.set(variant), [variant]);
}

/** Quantity field; buttons and leaving the field keep it within bounds. */
function AddQuantity({
  max,
  disabled,
  onChange,
}: {
  readonly max: number;
  readonly disabled: boolean;
  readonly onChange: (quantity: number) => void;
}) {
  const [text, setText] = useState('1');
  const [isChecked, setChecked] = useState(false);
  const fault = isChecked ? quantityFault(text) : null;
  const reportedQuantity = useRef(1);
  const set = (quantity: number): void => {
    setText(String(quantity));
    if (quantity !== reportedQuantity.current) onChange(quantity);
    reportedQuantity.current = quantity;
  };
  return (
    <div>
      <Quantity
        id="add-qty"
        name="add_qty"
        value={text}
        min={1}
        max={max}
        disabled={disabled}
        fault={fault}
        labels={{ field: t('Quantity'), less: t('Decrease quantity'), more: t('Increase quantity') }}
        onChange={(value, isStep) => {
          if (isStep) return set(Number(value));
          setText(value);
          setChecked(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setChecked(true);
        }}
        onBlur={() => {
          setChecked(true);
          if (quantityFault(text) === null) set(quantityOf(text, 1, max));
        }}
      />
    </div>
  );
}
