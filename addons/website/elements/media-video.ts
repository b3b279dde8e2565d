import { isEdited } from '../snippets/browser/editing.ts';

const players: readonly (readonly [pattern: RegExp, player: (id: string) => string])[] = [
  [
    /^https:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{6,20})/,
    (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
  ],
  [
    /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{5,15})/,
    (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
  ],
  [
    /^https:\/\/(?:(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/|dai\.ly\/)([a-zA-Z0-9]{5,15})/,
    (id) => `https://www.dailymotion.com/embed/video/${id}?autoplay=1`,
  ],
];

/** The address of a video's player, or null for what is none of YouTube's, Vimeo's or Dailymotion's. */
export function playerAddress(video: string): string | null {
  for (const [pattern, player] of players) {
    const id = pattern.exec(video)?.[1];
    if (id !== undefined) return player(id);
  }
  return null;
}

/** A link to a video (`a.s_media`, with its picture in it): a click plays it in the link's place, and only then anything is loaded from there. */
export default function mediaVideo(link: HTMLElement): undefined | (() => void) {
  const address = playerAddress(link.getAttribute('href') ?? '');
  if (address === null || isEdited(link)) return undefined;
  const play = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || isEdited(link)) return;
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
  };
  link.addEventListener('click', play);
  return () => link.removeEventListener('click', play);
}
