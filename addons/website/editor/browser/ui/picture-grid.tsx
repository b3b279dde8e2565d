import { useState } from 'react';
import { t } from '#core/browser';
import { findPictures, type Picture, picturesPerRow, removeMedia, searchDelay } from '../media.ts';
import { troubleOf } from '../trouble.ts';
import { TextInput } from './fields.tsx';
import { Icon } from './icon.tsx';
import { Pager } from './pager.tsx';
import { StillUsed, type Users } from './still-used.tsx';
import { useCall, useSettled } from './use-call.ts';

/** Pictures of the website, six in a row and two rows a page, found by name. */
export function PictureGrid({ fresh, onChoose }: { fresh: number; onChoose?(picture: Picture): void }) {
  const [needle, setNeedle] = useState('');
  const [at, setAt] = useState({ needle: '', page: 0 });
  const [used, setUsed] = useState<{ id: number; users: Users } | null>(null);
  const settled = useSettled(needle.trim(), searchDelay);
  // Another search begins on its first page.
  const page = at.needle === settled ? at.page : 0;
  const setPage = (next: number): void => setAt({ needle: settled, page: next });
  const found = useCall(() => findPictures(settled, page), `${settled} ${page} ${fresh}`);
  const pictures = found.value?.pictures ?? [];

  const remove = async (picture: Picture): Promise<void> => {
    setUsed(null);
    try {
      const users = (await removeMedia(picture.id, 'picture'))[picture.id];
      if (users) setUsed({ id: picture.id, users });
      else found.again();
    } catch (error) {
      setUsed({ id: picture.id, users: [{ id: 0, name: troubleOf(error).message, website_url: '' }] });
    }
  };

  return (
    <>
      <TextInput
        label={t('Search')}
        type="search"
        value={needle}
        placeholder={t('Name of a picture')}
        onChange={setNeedle}
      />
      {found.error ? <p className="ed-error">{found.error}</p> : null}
      <ul
        className="ed-pictures"
        style={{ ['--ed-columns' as string]: picturesPerRow }}
        aria-busy={found.value === null}
      >
        {pictures.map((picture) => (
          <li key={picture.id} className={used?.id === picture.id ? 'ed-refused' : ''}>
            <Thumbnail picture={picture} onChoose={onChoose} />
            <button
              type="button"
              className="ed-remove"
              aria-label={t('Delete {name}', { name: picture.name })}
              onClick={() => void remove(picture)}
            >
              <Icon name="trash3" />
            </button>
          </li>
        ))}
      </ul>
      {found.value && pictures.length === 0 ? (
        <p className="ed-none">
          {settled === '' ? t('There are no pictures yet. Upload the first one.') : t('No picture is called that.')}
        </p>
      ) : null}
      {used ? <StillUsed users={used.users} onClose={() => setUsed(null)} /> : null}
      <Pager page={page} more={found.value?.more ?? false} onPage={setPage} />
    </>
  );
}

function Thumbnail({ picture, onChoose }: { picture: Picture; onChoose?(picture: Picture): void }) {
  const isOurs = picture.website_url.startsWith('/website/image/ir.attachment/');
  const image = <img src={isOurs ? `${picture.website_url}/320x320` : picture.website_url} alt="" loading="lazy" />;
  const name = <span className="ed-caption">{picture.name}</span>;
  if (!onChoose) {
    return (
      <a href={picture.website_url} target="_blank" rel="noopener" className="ed-thumbnail">
        {image}
        {name}
      </a>
    );
  }
  return (
    <button type="button" className="ed-thumbnail" onClick={() => onChoose(picture)}>
      {image}
      {name}
    </button>
  );
}
