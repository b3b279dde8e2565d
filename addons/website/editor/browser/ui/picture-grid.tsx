import { Icon, Pager, Picture, TextField } from '@pergola/web/kit';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { findPictures, isOurPicture, picturesPerRow, type Picture as StoredPicture } from '../media.ts';
import { DeletedNote, StillUsed } from './still-used.tsx';
import { useMedia } from './use-media.ts';

/** Images of the website, searchable by name, two rows of six per page. */
export function PictureGrid({ fresh, onChoose }: { fresh: number; onChoose?(picture: StoredPicture): void }) {
  const { needle, searchedText, setNeedle, page, setPage, results, used, forgetUsed, deleted, remove } = useMedia(
    'picture',
    findPictures,
    fresh,
  );
  const pictures = results.value?.pictures ?? [];

  return (
    <>
      <TextField label={t('Search')} type="search" value={needle} placeholder={t('Image name')} onChange={setNeedle} />
      {results.error ? <p className="ed-error">{results.error}</p> : null}
      {results.value && pictures.length === 0 ? (
        <p className="ed-none">
          {searchedText === '' ? t('No images yet. Upload the first one.') : t('No images match your search.')}
        </p>
      ) : (
        <ul
          className="ed-pictures"
          style={{ ['--ed-columns' as string]: picturesPerRow }}
          aria-busy={results.value === null}
        >
          {pictures.map((picture) => (
            <li key={picture.id} className={used?.id === picture.id ? 'ed-refused' : ''}>
              <Thumbnail picture={picture} onChoose={onChoose} />
              <button
                type="button"
                className="ed-remove"
                aria-label={t('Delete {name}', { name: picture.name })}
                onClick={() => void remove({ id: picture.id, name: picture.name, address: picture.website_url })}
              >
                <Icon of={trash3Icon} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {deleted ? <DeletedNote name={deleted.name} onPutBack={deleted.putBack} /> : null}
      {used ? <StillUsed users={used.users} onClose={forgetUsed} /> : null}
      <Pager
        label={t('Pages')}
        page={page + 1}
        pages={page + (results.value?.more ? 2 : 1)}
        onPage={(next) => setPage(next - 1)}
      />
    </>
  );
}

function Thumbnail({ picture, onChoose }: { picture: StoredPicture; onChoose?(picture: StoredPicture): void }) {
  const isOurs = isOurPicture(picture.website_url);
  const image = <Picture src={isOurs ? `${picture.website_url}/320x320` : picture.website_url} alt="" />;
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
