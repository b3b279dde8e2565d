import { Check, Icon, Picture } from '@pergola/web/kit';
import cropIcon from 'bootstrap-icons/icons/crop.svg';
import imageIcon from 'bootstrap-icons/icons/image.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { useState } from 'react';
import type { PictureHandle } from '../pictures.ts';
import { addressOf } from '../rich/link.ts';
import type { ChooseMedia } from './behind-options.tsx';
import { CommitInput } from './commit-input.tsx';
import { CropDialog } from './crop-dialog.tsx';
import { ChooseFile } from './link-address.tsx';

/** Options of an image: replacement, alternative text, link. */
export function PictureOptions({ picture, onMedia }: { picture: PictureHandle; onMedia: ChooseMedia }) {
  const { element } = picture;
  const [error, setError] = useState<string | null>(null);
  const [isCropping, setCropping] = useState(false);
  const isDecoration = element.getAttribute('role') === 'presentation';
  const describe = (alt: string): void =>
    picture.change((element) => {
      element.setAttribute('alt', alt);
      element.removeAttribute('role');
    });
  const decorate = (isOn: boolean): void =>
    picture.change((element) => {
      if (!isOn) return element.removeAttribute('role');
      element.setAttribute('role', 'presentation');
      element.setAttribute('alt', '');
    });
  const changeLink = (input: string): void => {
    const address = input.trim() === '' ? null : addressOf(input);
    const isWrong = address === null && input.trim() !== '';
    setError(isWrong ? t('You must enter a URL to Create a Link') : null);
    if (!isWrong) picture.setLink(address);
  };
  return (
    <>
      {isCropping ? (
        <CropDialog
          src={element.src}
          name={element.alt.slice(0, 60) || 'picture'}
          onClose={() => setCropping(false)}
          onDone={(part) => {
            setCropping(false);
            picture.replace({ ...part, kind: 'picture', name: element.alt });
          }}
        />
      ) : null}
      {/* Not `currentSrc`: it is the previous image until the new one has loaded. */}
      <Picture className="ed-preview" src={element.src} alt="" />
      <p className="ed-buttons">
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={() => onMedia('picture', (selection) => picture.replace(selection))}
        >
          <Icon of={imageIcon} /> {t('Replace')}
        </button>
        {isVector(element.src) ? null : (
          <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => setCropping(true)}>
            <Icon of={cropIcon} /> {t('Crop')}
          </button>
        )}
        <button type="button" className="btn btn-sm btn-outline-danger" onClick={() => picture.remove()}>
          <Icon of={trash3Icon} /> {t('Remove')}
        </button>
      </p>
      <CommitInput
        label={t('Description')}
        help={t('Read aloud to people who can’t see the image.')}
        error={element.alt === '' && !isDecoration ? t('Add alternative text, or mark the image as decorative.') : null}
        value={element.alt}
        onChange={describe}
      />
      <Check label={t('Decorative image')} checked={isDecoration} onChange={decorate} />
      <CommitInput
        label={t('Link')}
        help={t('Leave empty for no link.')}
        error={error}
        value={picture.link ?? ''}
        autoComplete="off"
        onChange={changeLink}
      />
      <ChooseFile onMedia={onMedia} onChoose={changeLink} />
    </>
  );
}

/** Vector images have no pixels to crop; “Crop to” selects their visible part. */
function isVector(src: string): boolean {
  return /\.svg($|\?)/i.test(src);
}
