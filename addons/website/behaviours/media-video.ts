import { isEdited } from '../snippets/browser/editing.ts';
import { onPlainClick } from '../snippets/browser/plain-click.ts';
import { playerAddress } from '../snippets/players.ts';

/** A link to a video (`a.s_media`, with its picture in it): a click plays it in the link's place, and only then anything is loaded from there. */
export default function mediaVideo(link: HTMLElement): undefined | (() => void) {
  const address = playerAddress(link.getAttribute('href') ?? '');
  if (address === null || isEdited(link)) return undefined;
  return onPlainClick(link, (event) => {
    event.preventDefault();
    const frame = document.createElement('iframe');
    Object.assign(frame, {
      src: address,
      title: link.textContent?.trim() ?? '',
      allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
      allowFullscreen: true,
      // Players refuse to run on pages that do not say where they are.
      referrerPolicy: 'strict-origin-when-cross-origin',
    });
    const place = document.createElement('div');
    place.className = link.className;
    place.append(frame);
    link.replaceWith(place);
    frame.focus();
  });
}
