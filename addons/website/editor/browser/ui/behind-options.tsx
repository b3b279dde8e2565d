import { Icon } from '@pergola/web/kit';
import filmIcon from 'bootstrap-icons/icons/film.svg';
import imageIcon from 'bootstrap-icons/icons/image.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { type MediaKind, pictureAttributes } from '../media.ts';
import type { Part } from '../options.ts';
import type { Chosen } from './media-dialog.tsx';

/** Opens the media dialog and passes the selection to `take`. */
export type ChooseMedia = (media: MediaKind, take: (selection: Chosen) => void) => void;

/** Background image or video of a section. */
export function BehindOptions({ part, onMedia }: { part: Part; onMedia: ChooseMedia }) {
  const current = part.element.querySelector<HTMLElement>(':scope > .o-behind');
  const choose = (selection: Chosen): void => {
    part.change((section) => {
      for (const background of section.querySelectorAll(':scope > .o-behind')) background.remove();
      section.prepend(selection.kind === 'picture' ? pictureOf(selection) : filmOf(selection));
      if (!/\bo-veil-/.test(section.className)) section.classList.add('o-veil-dark');
    });
  };
  const remove = (): void =>
    part.change((section) => {
      for (const background of section.querySelectorAll(':scope > .o-behind')) background.remove();
      section.classList.remove(...[...section.classList].filter((name) => name.startsWith('o-veil-')));
    });
  return (
    <p className="ed-buttons">
      <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => onMedia('picture', choose)}>
        <Icon of={imageIcon} /> {current ? t('Change image') : t('Background image')}
      </button>
      <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => onMedia('film', choose)}>
        <Icon of={filmIcon} /> {t('Background video')}
      </button>
      {current ? (
        <button type="button" className="btn btn-sm btn-outline-danger" onClick={remove}>
          <Icon of={trash3Icon} /> {t('Remove background')}
        </button>
      ) : null}
    </p>
  );
}

/** Backgrounds are decorative; the text in front carries the content. */
function pictureOf(selection: Chosen): HTMLElement {
  const picture = document.createElement('img');
  for (const [name, value] of Object.entries({ ...pictureAttributes(selection), alt: '', role: 'presentation' }))
    picture.setAttribute(name, value);
  picture.className = 'o-behind';
  picture.setAttribute('loading', 'lazy');
  return picture;
}

function filmOf({ website_url: address }: Chosen): HTMLElement {
  const film = document.createElement('video');
  for (const [name, value] of Object.entries({
    src: address,
    muted: '',
    loop: '',
    playsinline: '',
    preload: 'metadata',
  }))
    film.setAttribute(name, value);
  film.className = 'o-behind';
  return film;
}
