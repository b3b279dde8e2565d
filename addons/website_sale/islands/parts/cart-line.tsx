import { Icon, Money, Picture, Quantity, quantityFault } from '@pergola/website/kit';
import box from 'bootstrap-icons/icons/box-seam.svg';
import ticket from 'bootstrap-icons/icons/ticket-perforated.svg';
import trash from 'bootstrap-icons/icons/trash3.svg';
import { t, url } from 'pergola/browser';
import { ActionForm, Slot } from 'pergola/islands';
import { useEffect, useState } from 'react';
import type { Cart, Row } from './use-cart.ts';

/** Delay after the last keystroke before a typed quantity is sent, in milliseconds. */
const TYPING_DELAY = 600;

/** A line of the cart. */
export function CartLine({ row, cart }: { readonly row: Row; readonly cart: Cart }) {
  const { id, product, name } = row;
  return (
    <tr data-slot="cart-line" data-line-id={id}>
      <td className="shop-line-picture">
        {row.image ? (
          <Picture src={row.image} alt="" width="96" height="96" />
        ) : (
          <span className="shop-no-picture">
            <Icon of={row.isTicket ? ticket : box} />
          </span>
        )}
      </td>
      <td className="shop-line-name td-product_name" data-slot="cart-line-name">
        {row.url ? (
          <a href={url(row.url)}>
            <strong>{name}</strong>
          </a>
        ) : (
          <strong>{name}</strong>
        )}
        {row.details && <div className="shop-line-details">{row.details}</div>}
        {row.problem && (
          <p className="text-danger mb-0 shop-line-problem" role="alert">
            {row.problem}
          </p>
        )}
        <Slot name="line.after" of={row} />
      </td>
      <td className="shop-line-price td-price">
        <span className="visually-hidden">{t('Price:')} </span>
        <del className="shop-price-list text-danger" hidden={!row.discount}>
          <Money of={row.list} />
        </del>{' '}
        <Money of={row.unitPrice} />
      </td>
      <td className="shop-line-quantity td-qty">
        <LineQuantity row={row} cart={cart} />
      </td>
      <td className="shop-line-total td-total">
        <span className="js_line_amount" data-line-id={id}>
          <Money of={row.amount} />
        </span>
      </td>
      <td className="shop-line-remove">
        <ActionForm of={cart.change}>
          <LineFields id={id} product={product} />
          <input type="hidden" name="set_qty" value="0" />
          <button className="btn btn-sm js_delete_product" type="submit" aria-label={t('Remove {name}', { name })}>
            <Icon of={trash} />
          </button>
        </ActionForm>
      </td>
    </tr>
  );
}

/** Quantity field: sends a change right away when a button is pressed or the field loses focus, and shortly after the last keystroke. */
function LineQuantity({
  row: { id, product, name, text, most: max },
  cart,
}: {
  readonly row: Row;
  readonly cart: Cart;
}) {
  const [isTyping, setTyping] = useState(false);
  const { write, tell } = cart;
  const tellNow = (): void => {
    setTyping(false);
    tell(id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key begins anew
  useEffect(() => {
    if (!isTyping || text === '') return;
    const timer = setTimeout(tellNow, TYPING_DELAY);
    return () => clearTimeout(timer);
  }, [isTyping, text]);
  return (
    <ActionForm
      of={cart.change}
      className="shop-line-form"
      onSubmit={(event) => {
        event.preventDefault();
        tellNow();
      }}
    >
      <LineFields id={id} product={product} />
      <Quantity
        name="set_qty"
        value={text}
        max={max}
        fault={isTyping ? null : quantityFault(text)}
        data-line-id={id}
        data-product-id={product}
        href={url('/shop/cart')}
        step="js_add_cart_json"
        labels={{
          field: t('Quantity: {name}', { name }),
          less: t('Decrease quantity: {name}', { name }),
          more: t('Increase quantity: {name}', { name }),
        }}
        onChange={(value, isStep) => {
          write(id, value);
          if (isStep) tellNow();
          else setTyping(true);
        }}
        onBlur={tellNow}
      />
      <noscript>
        <button className="btn btn-sm btn-outline-secondary mt-1" type="submit">
          {t('Update')}
        </button>
      </noscript>
    </ActionForm>
  );
}

function LineFields({ id, product }: { readonly id: number; readonly product: number | null }) {
  return (
    <>
      <input type="hidden" name="line_id" value={id} />
      <input type="hidden" name="product_id" value={product ?? ''} />
    </>
  );
}
