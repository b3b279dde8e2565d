import { Icon, Picture } from '@pergola/website/kit';
import zoom from 'bootstrap-icons/icons/zoom-in.svg';
import { reducedMotion, t } from 'pergola/browser';
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { chosenVariant } from './parts/product-state.ts';
import { useLast } from './parts/use-last.ts';
import type schema from './pictures.props.ts';

/** Loaded when the first picture is opened. */
const Zoom = lazy(() => import('./parts/zoom.tsx'));

/**
 * Gallery of a product: pictures are swiped, or selected by thumbnails or arrow keys, and open in a larger view. Without JavaScript, the
 * thumbnails link to the large pictures.
 */
export default function Pictures({ name, pictures, shown: initialPlaces, variants }: z.infer<typeof schema>) {
  const variant = chosenVariant.use();
  const places = useLast(variants[variant]) ?? initialPlaces;
  const slides = places.flatMap((place) => pictures[place] ?? []);
  const { track, current, go, onScroll } = useSlides(places);
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLImageElement>(null);
  const step = (offset: number, behavior?: ScrollBehavior): void =>
    go((current + offset + slides.length) % slides.length, behavior);
  const large = slides[current] ?? slides[0];
  return (
    <>
      <ul
        ref={track}
        className="shop-slides"
        aria-label={t('Images: {name}', { name })}
        onScroll={onScroll}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
          event.preventDefault();
          step(event.key === 'ArrowRight' ? 1 : -1);
        }}
      >
        {slides.map(({ src, srcset, alt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place whose picture changes shows the last one until the next is there
          <li key={index} id={`shop-picture-${index + 1}`}>
            <button
              className="shop-picture-main"
              type="button"
              data-zoom=""
              aria-haspopup="dialog"
              onClick={() => {
                go(index, 'instant');
                setOpen(true);
              }}
            >
              {/* Within <picture>, React doesn't preload the image and leaves that to the page. */}
              <picture>
                <Picture
                  ref={index === 0 ? main : undefined}
                  className={index === 0 ? 'product_detail_img' : undefined}
                  src={src}
                  srcSet={srcset}
                  sizes="(min-width: 1200px) 544px, (min-width: 768px) 45vw, calc(100vw - 32px)"
                  alt={alt}
                  width="640"
                  height="640"
                  fetchPriority={index === 0 ? 'high' : undefined}
                  loading={index === 0 ? undefined : 'lazy'}
                />
              </picture>
              <span className="shop-zoom-sign">
                <Icon of={zoom} />
                <span className="visually-hidden">{t('Enlarge image')}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {slides.length > 1 && (
        <ul className="shop-thumbs">
          {slides.map(({ thumb, alt }, index) => (
            <li key={thumb}>
              <a
                className="shop-thumb"
                href={`#shop-picture-${index + 1}`}
                data-thumb=""
                data-in-place
                aria-current={index === current ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  go(index);
                }}
              >
                <Picture src={thumb} alt={alt} width="96" height="96" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {isOpen && large && (
        <Suspense>
          <Zoom
            name={name}
            picture={large}
            pagePicture={main}
            count={slides.length}
            onClose={() => setOpen(false)}
            onStep={(direction) => step(direction, 'instant')}
          />
        </Suspense>
      )}
    </>
  );
}

/** Tracks the visible slide and scrolls to others; starts over when the slides change. */
function useSlides(slides: readonly number[]) {
  const track = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const first = useRef(slides);
  useLayoutEffect(() => {
    if (first.current === slides) return;
    first.current = slides;
    track.current?.scrollTo({ left: 0, behavior: 'instant' });
    setCurrent(0);
  }, [slides]);
  return {
    track,
    current,
    go(index: number, behavior: ScrollBehavior = reducedMotion() ? 'instant' : 'smooth'): void {
      setCurrent(index);
      track.current?.scrollTo({ left: index * track.current.clientWidth, behavior });
    },
    onScroll(): void {
      const { scrollLeft = 0, clientWidth = 0 } = track.current ?? {};
      const position = clientWidth > 0 ? scrollLeft / clientWidth : 0;
      // Keeps the index while scrolling between two slides.
      if (clientWidth > 0 && Math.abs(position - Math.round(position)) < 0.02) setCurrent(Math.round(position));
    },
  };
}
