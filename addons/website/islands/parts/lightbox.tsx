import { Picture } from '@pergola/web/kit';
import { Modal } from '@pergola/web/kit-dialog';
import { reducedMotion, t } from 'pergola/browser';
import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** Milliseconds of the image animation, minimum swipe distance in pixels, and margin around an image in pixels. */
const ANIMATION = 250;
const SWIPE = 50;
const GUTTER = 10;

export interface LightboxPicture {
  readonly src: string;
  readonly alt: string;
  readonly caption: string;
}

interface Props {
  readonly pictures: readonly LightboxPicture[];
  readonly first: number;
  /** Called with the index of the last image shown. */
  onClose(index: number): void;
}

/** Full-window image viewer with buttons, arrow keys and swipes. */
export function Lightbox({ pictures, first, onClose }: Props) {
  const [index, setIndex] = useState(first);
  const [loaded, setLoaded] = useState('');
  const swipe = useRef({ from: Number.NaN, moved: 0 });
  const count = pictures.length;
  const several = count > 1;
  const picture = pictures[index];
  const next = pictures[(index + 1) % count]?.src;
  const go = (step: 1 | -1): void => {
    if (several) setIndex((index + step + count) % count);
  };
  useEffect(() => {
    if (next !== undefined) new Image().src = next;
  }, [next]);
  const lift = ({ clientX }: PointerEvent): void => {
    const { from } = swipe.current;
    const moved = Number.isNaN(from) ? 0 : clientX - from;
    swipe.current = { from: Number.NaN, moved };
    if (Math.abs(moved) > SWIPE) go(moved < 0 ? 1 : -1);
  };
  const close = (): void => onClose(index);
  const place = several ? ` ${t('({number} of {count})', { number: index + 1, count })}` : '';
  return (
    <Modal
      className="lightbox"
      aria-label={t('Image')}
      style={{
        ['--lightbox-gutter' as string]: `${GUTTER}px`,
        ['--lightbox-time' as string]: `${reducedMotion() ? 0 : ANIMATION}ms`,
      }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') go(-1);
        if (key === 'ArrowRight') go(1);
      }}
      onPointerDown={({ clientX, isPrimary }) => {
        swipe.current = { from: isPrimary ? clientX : Number.NaN, moved: 0 };
      }}
      onPointerUp={lift}
      // Closes on clicks outside the image and buttons. A mouse swipe ends with a click, too.
      onClick={({ target }) => {
        const isBehind = target instanceof Element && target.matches('dialog, figure');
        if (isBehind && Math.abs(swipe.current.moved) <= SWIPE) close();
      }}
      onClose={close}
    >
      <figure>
        <Picture
          loading="eager"
          className={loaded === picture?.src ? 'is-shown' : ''}
          src={picture?.src}
          alt={picture?.alt ?? ''}
          draggable={false}
          onLoad={() => setLoaded(picture?.src ?? '')}
        />
        <figcaption aria-live="polite">{`${picture?.caption}${place}`}</figcaption>
      </figure>
      {several && <Press name="previous" label={t('Previous image')} onPress={() => go(-1)} />}
      {several && <Press name="next" label={t('Next image')} onPress={() => go(1)} />}
      <Press name="close" label={t('Close')} onPress={close} />
    </Modal>
  );
}

function Press({ name, label, onPress }: { name: string; label: string; onPress: () => void }) {
  return (
    <button type="button" className={`lightbox-button lightbox-${name}`} aria-label={label} onClick={onPress}>
      <span />
    </button>
  );
}
