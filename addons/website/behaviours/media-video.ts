import { isEdited } from '../snippets/browser/editing.ts';
import { onPlainClick } from '../snippets/browser/plain-click.ts';
import { playerAddress } from '../snippets/players.ts';

/** A link to a video (`a.s_media`, with its picture in it): a click plays it in the link's place, and only then anything is loaded from there. */
export default function mediaVideo(link: HTMLAnchorElement): undefined | (() => void) {
  const address = playerAddress(link.getAttribute('href') ?? '');
  const isOwn = link.origin === location.origin && /\.(mp4|webm)$/i.test(link.pathname);
  if ((address === null && !isOwn) || isEdited(link)) return undefined;
  return onPlainClick(link, (event) => {
    event.preventDefault();
    const title = link.textContent?.trim() ?? '';
    const player = address === null ? ownFilm(link.href, title) : frameOf(address, title);
    const place = document.createElement('div');
    place.className = link.className;
    place.append(player);
    link.replaceWith(place);
    player.focus();
  });
}

function ownFilm(src: string, title: string): HTMLVideoElement {
  const video = document.createElement('video');
  return Object.assign(video, { src, title, controls: true, autoplay: true });
}

function frameOf(src: string, title: string): HTMLIFrameElement {
  return Object.assign(document.createElement('iframe'), {
    src,
    title,
    allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
    allowFullscreen: true,
    // Players refuse to run on pages that do not say where they are.
    referrerPolicy: 'strict-origin-when-cross-origin',
  });
}
