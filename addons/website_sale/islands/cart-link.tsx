import { Icon } from '@pergola/website/kit';
import cart from 'bootstrap-icons/icons/cart3.svg';
import { isPlainClick, reducedMotion, t, url } from 'pergola/browser';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './cart-link.props.ts';
import { cartNews } from './parts/cart-news.ts';

/** Loaded when the panel opens. */
const MiniCart = lazy(() => import('./parts/mini-cart.tsx'));

/** Minimum width for the panel; narrower screens go straight to the cart page. */
const WIDE = '(min-width: 768px)';

/** Link to the cart with its number of products; opens a preview of the cart without leaving the page. */
export default function CartLink({ quantity: initialQuantity, here: isCartPage }: z.infer<typeof schema>) {
  const news = cartNews.use();
  const quantity = news?.quantity ?? initialQuantity;
  const [panel, setPanel] = useState<{ readonly added?: string } | null>(null);
  const count = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!news) return;
    if (!reducedMotion()) count.current?.animate([{ opacity: 0 }, { opacity: 1 }], 600);
    if (news.added === undefined) return;
    setPanel({ added: news.added });
    // Announces an added product only once.
    cartNews.set({ quantity: news.quantity });
  }, [news]);
  return (
    <>
      <a
        className="btn btn-outline-secondary shop-cart-link"
        title={t('My Cart')}
        href={url('/shop/cart')}
        rel="nofollow"
        data-slot="cart-link"
        data-in-place={isCartPage ? undefined : WIDE}
        aria-haspopup={isCartPage ? undefined : 'dialog'}
        onClick={(event) => {
          if (isCartPage || !isPlainClick(event) || !matchMedia(WIDE).matches) return;
          event.preventDefault();
          setPanel({});
        }}
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
      {panel && (
        <Suspense>
          <MiniCart key={quantity} added={panel.added} onClose={() => setPanel(null)} />
        </Suspense>
      )}
    </>
  );
}
