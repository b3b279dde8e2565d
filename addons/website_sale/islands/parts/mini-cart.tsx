import { Icon, Money, Picture } from '@pergola/website/kit';
import box from 'bootstrap-icons/icons/box-seam.svg';
import check from 'bootstrap-icons/icons/check-circle.svg';
import { type CallResult, t, url } from 'pergola/browser';
import { useCall } from 'pergola/islands';
import { useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { cartLines } from '../../routes/cart.ts';

type Contents = CallResult<typeof cartLines>;

/** Cart preview below the header; loads its lines when it opens. Escape or a click outside closes it. */
export default function MiniCart({
  added,
  onClose,
}: {
  readonly added: string | undefined;
  readonly onClose: () => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const [contents, setContents] = useState<Contents | null>(null);
  const { call } = useCall<typeof cartLines>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens
  useEffect(() => {
    call('/shop/cart/lines', {}, { done: setContents, failed: () => void onClose() });
  }, []);
  // Waits for all content: a growing panel would move buttons away from the pointer.
  useEffect(() => {
    if (contents === null) return;
    panel.current?.showPopover();
    panel.current?.focus();
  }, [contents]);
  return createPortal(
    <div
      ref={panel}
      className="shop-mini"
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      data-slot="mini-cart"
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <div className="shop-mini-head">
        <p className="h5" id={id}>
          {added === undefined ? (
            t('My Cart')
          ) : (
            <>
              <Icon of={check} /> {t('“{name}” is in your cart', { name: added })}
            </>
          )}
        </p>
        <button
          className="btn-close"
          type="button"
          aria-label={t('Close')}
          onClick={() => panel.current?.hidePopover()}
        />
      </div>
      {contents && <Lines of={contents} />}
      <div className="shop-mini-foot">
        <a className="btn btn-outline-primary" href={url('/shop/cart')} rel="nofollow">
          {t('View cart')}
        </a>
        {contents && contents.lines.length > 0 && (
          <a className="btn btn-primary" href={url('/shop/checkout')} rel="nofollow">
            {t('Check out')}
          </a>
        )}
      </div>
    </div>,
    document.body,
  );
}

function Lines({ of: { lines, total } }: { readonly of: Contents }) {
  if (lines.length === 0 || !total) return <p>{t('Your cart is empty!')}</p>;
  return (
    <>
      <ul className="shop-mini-lines">
        {lines.map(({ id, name, url: page, image, quantity, amount }) => (
          <li key={id}>
            {image ? (
              <Picture src={image} alt="" width={56} height={56} />
            ) : (
              <span className="text-center">
                <Icon of={box} />
              </span>
            )}
            <span>
              {page ? <a href={url(page)}>{name}</a> : name}
              <small className="d-block text-body-secondary">{t('Quantity: {n}', { n: quantity })}</small>
            </span>
            <span>
              <Money of={amount} />
            </span>
          </li>
        ))}
      </ul>
      <p className="shop-mini-total">
        <span>{t('Total')}</span>
        <strong>
          <Money of={total} />
        </strong>
      </p>
    </>
  );
}
