import { BusyButton, Icon } from '@pergola/website/kit';
import left from 'bootstrap-icons/icons/arrow-left.svg';
import right from 'bootstrap-icons/icons/arrow-right.svg';
import trash from 'bootstrap-icons/icons/trash3.svg';
import { t, url } from 'pergola/browser';
import { ActionForm, Slot, Token, useAction } from 'pergola/islands';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { cartClean } from '../routes/cart.ts';
import type schema from './cart.props.ts';
import { CartLine } from './parts/cart-line.tsx';
import { Promo } from './parts/promo.tsx';
import { SignInLink } from './parts/sign-in-link.tsx';
import { useCart } from './parts/use-cart.ts';

/** Cart lines and totals; quantities change in place. Its content is the initial totals, shown until they change. */
export default function Cart({
  lines,
  frozen,
  guest,
  promo,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const cart = useCart(lines);
  return (
    <div className="shop-cart-columns">
      <div>
        <table className="shop-lines table" id="cart_products" data-slot="cart-lines">
          <caption className="visually-hidden">{t('Cart items')}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('Image')}</span>
              </th>
              <th scope="col">{t('Product')}</th>
              <th scope="col" className="text-end">
                {t('Price')}
              </th>
              <th scope="col">{t('Quantity')}</th>
              <th scope="col" className="text-end">
                {t('Total')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('Remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {cart.rows.map((row) => (
              <CartLine key={row.id} row={row} cart={cart} />
            ))}
          </tbody>
        </table>
        <div className="shop-cart-links">
          <a href={url('/shop')}>
            <Icon of={left} /> {t('Continue Shopping')}
          </a>
          <Clear />
        </div>
      </div>
      <div className="shop-cart-side">
        <div className="card">
          <div className="card-body">
            <h2 className="h5">{t('Order summary')}</h2>
            <div role="status">
              <Total html={cart.total}>{children}</Total>
            </div>
            <Slot name="total.after" />
            {frozen ? <Frozen /> : <Checkout leave={cart.leave} />}
            {guest && (
              <p className="shop-signin">
                <SignInLink />
              </p>
            )}
          </div>
        </div>
        <Promo of={promo} />
      </div>
    </div>
  );
}

/** Totals: the initial ones from the page, or the latest from the server. */
function Total({ html, children }: { readonly html: string | null; readonly children: ReactNode }) {
  if (html === null) return children;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a template of the server made it
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

function Clear() {
  const clear = useAction<typeof cartClean>('/shop/cart/clean');
  return (
    <ActionForm of={clear} className="js_cart_clean" data-slot="clear-cart">
      <BusyButton className="btn btn-link btn-sm p-0 js_clean_cart">
        <Icon of={trash} /> {t('Clear Cart')}
      </BusyButton>
    </ActionForm>
  );
}

function Checkout({ leave }: { readonly leave: (address: string) => boolean }) {
  const address = url('/shop/checkout');
  return (
    <a
      className="btn btn-primary w-100"
      href={address}
      data-in-place
      onClick={(event) => {
        if (leave(address)) event.preventDefault();
      }}
    >
      <span>{t('Process Checkout')}</span> <Icon of={right} />
    </a>
  );
}

/** Notice that the cart can't be changed while a payment is in progress. */
function Frozen() {
  return (
    <>
      <p className="shop-total-note">{t('You can’t change the cart while a payment is in progress.')}</p>
      <a className="btn btn-primary w-100" href={url('/shop/payment')}>
        {t('Return to payment')}
      </a>
      <form className="mt-2" method="post" action={url('/shop/payment/cancel')} data-slot="change-mind">
        <Token />
        <button className="btn btn-outline-secondary w-100" type="submit">
          {t('Edit cart')}
        </button>
      </form>
    </>
  );
}
