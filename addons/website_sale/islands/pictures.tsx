import zoom from 'bootstrap-icons/icons/zoom-in.svg';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/website/kit';
import { t } from '#core/browser';
import { variantPicture } from './parts/product-state.ts';
import { Zoom } from './parts/zoom.tsx';
import type schema from './pictures.props.ts';
import type { Picture } from './pictures.props.ts';

/** The pictures of a product: small ones change the large one, which opens larger still; there arrow keys go on. */
export default function Pictures({ name, pictures }: z.infer<typeof schema>) {
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<Omit<Picture, 'thumb'>>(pictures[0] as Picture);
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLImageElement>(null);
  const show = (place: number): void => {
    const next = (place + pictures.length) % pictures.length;
    setAt(next);
    setShown(pictures[next] as Picture);
  };
  // Another variant may look different.
  const own = variantPicture.use();
  useEffect(() => {
    if (own) setShown((before) => ({ ...before, ...own }));
  }, [own]);
  return (
    <>
      <button
        className="shop-picture-main"
        type="button"
        data-zoom=""
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {/* Within <picture> React leaves loading it early to the page. */}
        <picture>
          <img
            ref={main}
            className="product_detail_img"
            src={shown.src}
            srcSet={shown.srcset}
            sizes="(min-width: 1200px) 544px, (min-width: 768px) 45vw, calc(100vw - 24px)"
            alt={shown.alt}
            width="640"
            height="640"
            fetchPriority="high"
          />
        </picture>
        <span className="shop-zoom-sign">
          <Icon of={zoom} />
          <span className="visually-hidden">{t('Show larger')}</span>
        </span>
      </button>
      {pictures.length > 1 && (
        <ul className="shop-thumbs">
          {pictures.map(({ thumb, alt }, place) => (
            <li key={thumb}>
              <button
                className="shop-thumb"
                type="button"
                data-thumb=""
                aria-current={place === at ? 'true' : undefined}
                onClick={() => show(place)}
              >
                <img src={thumb} alt={alt} width="96" height="96" loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <Zoom
          name={name}
          picture={shown}
          beside={main}
          onClose={() => setOpen(false)}
          onStep={(by) => pictures.length > 1 && show(at + by)}
        />
      )}
    </>
  );
}
