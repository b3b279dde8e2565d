import { isEdited } from '../snippets/browser/editing.ts';
import { onPlainClick } from '../snippets/browser/plain-click.ts';
import { playerAddress } from '../snippets/players.ts';

/**
 * Link to a video (`a.s_media`, around its preview image). A click replaces the link with the player, titled after `data-opened` or the
 * link text; nothing is loaded from the video site before.
 */
export default function mediaVideo(link: HTMLAnchorElement): undefined | (() => void) {
  const address = playerAddress(link.getAttribute('href') ?? '');
  const isOwn = link.origin === location.origin && /\.(mp4|webm)$/i.test(link.pathname);
  if ((address === null && !isOwn) || isEdited(link)) return undefined;
  return onPlainClick(link, (event) => {
    event.preventDefault();
    const player = document.createElement(address === null ? 'video' : 'iframe');
    const title = link.dataset.opened ?? link.textContent?.trim() ?? '';
    const attributes =
      address === null ? { src: link.href, controls: true, autoplay: true } : { ...frame, src: address };
    const wrapper = Object.assign(document.createElement('div'), { className: link.className });
    wrapper.append(Object.assign(player, attributes, { title }));
    link.replaceWith(wrapper);
    player.focus();
  });
}

const frame = {
  allow: 'autoplay; fullscreen; picture-in-picture; encrypted-media',
  allowFullscreen: true,
  // Players refuse to load without a referrer.
  referrerPolicy: 'strict-origin-when-cross-origin',
};
