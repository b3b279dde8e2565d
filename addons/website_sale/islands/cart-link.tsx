import cart from 'bootstrap-icons/icons/cart3.svg';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/website/kit';
import { on, reducedMotion, t, url } from '#core/browser';
import type schema from './cart-link.props.ts';

/** The way to the cart, with how much is in it. */
export default function CartLink({ quantity: given }: z.infer<typeof schema>) {
  const [quantity, setQuantity] = useState(given);
  const count = useRef<HTMLElement>(null);
  useEffect(
    () =>
      on<{ readonly quantity: number }>('website_sale.cart', (cart) => {
        setQuantity(cart.quantity);
        if (!reducedMotion()) count.current?.animate([{ opacity: 0 }, { opacity: 1 }], 600);
      }),
    [],
  );
  return (
    <a
      className="btn btn-outline-secondary shop-cart-link"
      title={t('My Cart')}
      href={url('/shop/cart')}
      rel="nofollow"
      data-slot="cart-link"
    >
      <Icon of={cart} /> <span>{t('My Cart')}</span>
      <span className="visually-hidden">{'\u00a0'}</span>
      <b
        ref={count}
        className="my_cart_quantity badge bg-body-secondary text-body rounded-pill"
        data-cart-quantity={quantity}
        hidden={quantity === 0}
      >
        {quantity}
      </b>
    </a>
  );
}
