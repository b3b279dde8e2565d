import './gallery.css';
import { ready, reducedMotion, t } from '#core/browser';
import { button, h } from '../snippets/browser/dom.ts';
import { isEdited } from '../snippets/browser/editing.ts';

/** Milliseconds a picture takes to come in, pixels of a swipe that count, and pixels left free around a picture. */
export const ANIMATION = 250;
export const SWIPE = 50;
export const GUTTER = 10;
export const TYPES = ['png', 'jpg', 'jpeg', 'gif'] as const;

const byName = new RegExp(`\\.(?:${TYPES.join('|')})$`, 'i');
const byRoute = /^\/(?:web|website)\/(?:image|binary\/image|content)(?:\/|$)/;

/** Whether an address is that of a picture the lightbox shows: by its ending, or one of this site's addresses for pictures. */
export function isPicture(address: string, base: string): boolean {
  const url = URL.parse(address, base);
  return (
    url !== null && (byName.test(url.pathname) || (url.origin === new URL(base).origin && byRoute.test(url.pathname)))
  );
}

interface Picture {
  readonly opener: HTMLElement;
  readonly src: string;
  readonly alt: string;
  readonly caption: string;
}

/**
 * Pictures (`.s_gallery`, links to pictures or pictures alone) that open large, one after the other. Without it links lead to the pictures.
 */
export default function gallery(element: HTMLElement): undefined | (() => void) {
  if (isEdited(element)) return undefined;
  const opened = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || isEdited(element)) return;
    const pictures = picturesOf(element);
    const index = pictures.findIndex(({ opener }) => event.target instanceof Node && opener.contains(event.target));
    if (index < 0) return;
    event.preventDefault();
    void ready.then(() => openLightbox(pictures, index));
  };
  element.addEventListener('click', opened);
  return () => element.removeEventListener('click', opened);
}

function picturesOf(element: HTMLElement): Picture[] {
  return Array.from(element.querySelectorAll<HTMLElement>('a[href], img')).flatMap((opener) => {
    const link = opener instanceof HTMLAnchorElement;
    if (!link && opener.closest('a')) return [];
    const image = link ? opener.querySelector('img') : (opener as HTMLImageElement);
    const src = link ? opener.href : (image?.currentSrc ?? '');
    if (!image || !isPicture(src, document.baseURI)) return [];
    const caption = opener.closest('figure')?.querySelector('figcaption')?.textContent?.trim() ?? '';
    return [{ opener, src, alt: image.alt, caption: caption || image.alt }];
  });
}

function openLightbox(pictures: readonly Picture[], first: number): void {
  const image = h('img', { alt: '', draggable: 'false' });
  const caption = h('figcaption', { 'aria-live': 'polite' });
  const figure = h('figure', {}, image, caption);
  const several = pictures.length > 1;
  const dialog = h(
    'dialog',
    { class: 'lightbox', 'aria-label': t('Picture') },
    figure,
    several
      ? button('lightbox-button lightbox-previous', t('Previous picture'), () => show(index - 1), h('span'))
      : null,
    several ? button('lightbox-button lightbox-next', t('Next picture'), () => show(index + 1), h('span')) : null,
    button('lightbox-button lightbox-close', t('Close'), () => dialog.close(), h('span')),
  );
  dialog.style.setProperty('--lightbox-gutter', `${GUTTER}px`);
  dialog.style.setProperty('--lightbox-time', `${reducedMotion() ? 0 : ANIMATION}ms`);
  let index = first;

  function show(wanted: number): void {
    index = (wanted + pictures.length) % pictures.length;
    const picture = pictures[index];
    if (!picture) return;
    image.classList.remove('is-shown');
    image.src = picture.src;
    image.alt = picture.alt;
    const place = several ? ` ${t('({number} of {count})', { number: index + 1, count: pictures.length })}` : '';
    caption.textContent = `${picture.caption}${place}`;
    const next = pictures[(index + 1) % pictures.length];
    if (next && several) new Image().src = next.src;
  }
  image.addEventListener('load', () => image.classList.add('is-shown'));
  dialog.addEventListener('keydown', ({ key }) => {
    if (several && key === 'ArrowLeft') show(index - 1);
    if (several && key === 'ArrowRight') show(index + 1);
  });
  const hasSwiped = swipes(dialog, (direction) => several && show(index + direction));
  // Whatever is neither the picture nor a button is the document behind: a click there closes. A swipe with a mouse ends with a click, too.
  dialog.addEventListener('click', ({ target }) => {
    if ((target === dialog || target === figure) && !hasSwiped()) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    pictures[index]?.opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  show(first);
}

/**
 * Calls with 1 for a swipe to the left, which asks for the next one, and with -1 for one to the right. Answers whether the last press was a
 * swipe.
 */
function swipes(element: HTMLElement, swiped: (direction: 1 | -1) => void): () => boolean {
  let from: number | null = null;
  let moved = 0;
  element.addEventListener('pointerdown', ({ clientX, isPrimary }) => {
    from = isPrimary ? clientX : null;
    moved = 0;
  });
  element.addEventListener('pointerup', ({ clientX }) => {
    moved = from === null ? 0 : clientX - from;
    from = null;
    if (Math.abs(moved) > SWIPE) swiped(moved < 0 ? 1 : -1);
  });
  return () => Math.abs(moved) > SWIPE;
}
