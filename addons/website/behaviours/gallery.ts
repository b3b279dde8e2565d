import './gallery.css';
import { isEdited } from '../snippets/browser/editing.ts';
import { onPlainClick } from '../snippets/browser/plain-click.ts';
import { isPicture } from '../snippets/is-picture.ts';

/** Image gallery (`.s_gallery`, plain images or links to images) that opens in a lightbox. Without JavaScript the links open the images. */
export default function gallery(element: HTMLElement): undefined | (() => void) {
  if (isEdited(element)) return undefined;
  return onPlainClick(element, async (event) => {
    const pictures = picturesOf(element);
    const first = pictures.findIndex(({ opener }) => event.target instanceof Node && opener.contains(event.target));
    if (first < 0) return;
    event.preventDefault();
    const { openLightbox } = await import('../islands/parts/open-lightbox.tsx');
    await openLightbox(pictures, first, (last) => pictures[last]?.opener.focus());
  });
}

function picturesOf(element: HTMLElement) {
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
