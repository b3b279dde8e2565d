import { Icon, Picture } from '@pergola/website/kit';
import { Modal } from '@pergola/website/kit-dialog';
import left from 'bootstrap-icons/icons/chevron-left.svg';
import right from 'bootstrap-icons/icons/chevron-right.svg';
import { t } from 'pergola/browser';
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface Props {
  readonly name: string;
  readonly picture: { readonly large: string; readonly alt: string };
  /** Picture element on the page. */
  readonly pagePicture: RefObject<HTMLImageElement | null>;
  /** Number of pictures to step through. */
  readonly count: number;
  readonly onClose: () => void;
  readonly onStep: (direction: -1 | 1) => void;
}

/** Full-screen view of a picture: fitted to the screen, or at full resolution around the pressed point. */
export default function Zoom({ name, picture, pagePicture, count, onClose, onStep }: Props) {
  const frame = useRef<HTMLElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [isFullSize, setFullSize] = useState(false);
  // Hides the picture until it is in position: on slow connections it would jump long after the press. The picture on the page is visible
  // meanwhile.
  const [isReady, setReady] = useState(false);
  const { isHeld, wasMoved, handlers } = useDrag(frame);
  useEffect(() => {
    const large = image.current;
    // Opens at full resolution if fitting the whole picture would not make it larger than on the page (on phones).
    const openFullSize = (): void => {
      if (!large || !pagePicture.current || large.clientWidth > pagePicture.current.clientWidth * 1.2) return;
      flushSync(() => setFullSize(true));
      const { scrollWidth = 0, clientWidth = 0, scrollHeight = 0, clientHeight = 0 } = frame.current ?? {};
      frame.current?.scrollTo((scrollWidth - clientWidth) / 2, (scrollHeight - clientHeight) / 2);
    };
    const show = (): void => setReady(true);
    large?.decode().then(openFullSize).then(show, show);
  }, [pagePicture]);

  const toggle = ({ clientX, clientY }: MouseEvent): void => {
    const [large, view] = [image.current, frame.current];
    if (!large || !view || wasMoved()) return;
    const box = large.getBoundingClientRect();
    const [across, down] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    if (across < 0 || across > 1 || down < 0 || down > 1) return;
    flushSync(() => setFullSize(!isFullSize));
    if (isFullSize) return;
    view.scrollTo(large.clientWidth * across - view.clientWidth / 2, large.clientHeight * down - view.clientHeight / 2);
  };
  return (
    <Modal
      className={`shop-zoom${isFullSize ? ' is-close' : ''}`}
      aria-label={name}
      data-zoom-dialog=""
      light
      onClose={onClose}
      onKeyDown={({ key }) => {
        if (count > 1 && key === 'ArrowRight') onStep(1);
        if (count > 1 && key === 'ArrowLeft') onStep(-1);
      }}
    >
      <button type="button" className="btn-close" aria-label={t('Close')} onClick={onClose} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys scroll it */}
      <section
        ref={frame}
        className={`shop-zoom-frame${isHeld ? ' is-held' : ''}${isReady ? '' : ' is-waiting'}`}
        style={isReady ? {} : { backgroundImage: `url(${JSON.stringify(pagePicture.current?.currentSrc ?? '')})` }}
        aria-label={picture.alt}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with keys
        tabIndex={0}
        onClick={toggle}
        {...handlers}
      >
        <Picture loading="eager" ref={image} src={picture.large} alt={picture.alt} />
      </section>
      {count > 1 && (
        <>
          <Step direction={-1} onStep={onStep} />
          <Step direction={1} onStep={onStep} />
        </>
      )}
    </Modal>
  );
}

function Step({ direction, onStep }: { readonly direction: -1 | 1; readonly onStep: Props['onStep'] }) {
  return (
    <button
      type="button"
      className={`shop-zoom-step shop-zoom-step-${direction < 0 ? 'back' : 'on'}`}
      aria-label={direction < 0 ? t('Previous image') : t('Next image')}
      onClick={() => onStep(direction)}
    >
      <Icon of={direction < 0 ? left : right} />
    </button>
  );
}

/** Lets a mouse drag the picture; touch screens scroll and pinch natively. */
function useDrag(frame: RefObject<HTMLElement | null>) {
  const [isHeld, hold] = useState(false);
  const moved = useRef(false);
  const handlers = {
    onPointerDown(event: PointerEvent): void {
      moved.current = false;
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      event.preventDefault();
      frame.current?.setPointerCapture(event.pointerId);
      hold(true);
    },
    onPointerMove({ movementX, movementY }: PointerEvent): void {
      if (!isHeld) return;
      if (Math.abs(movementX) + Math.abs(movementY) > 1) moved.current = true;
      frame.current?.scrollBy(-movementX, -movementY);
    },
    onPointerUp: (): void => hold(false),
  };
  return { isHeld, wasMoved: () => moved.current, handlers };
}
