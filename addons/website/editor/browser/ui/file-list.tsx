import { Icon, Pager, TextField } from '@pergola/web/kit';
import fileEarmarkIcon from 'bootstrap-icons/icons/file-earmark.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { pageLanguage, plural, t } from 'pergola/browser';
import type { findFiles, WebsiteFile } from '../media.ts';
import { userZone } from '../zone.ts';
import { DeletedNote, StillUsed } from './still-used.tsx';
import { useMedia } from './use-media.ts';

/** Downloadable files of the website, searchable by name, 30 per page. */
export function FileList({
  fresh,
  find,
  onChoose,
}: {
  fresh: number;
  find: typeof findFiles;
  onChoose?(file: WebsiteFile): void;
}) {
  const { needle, searchedText, setNeedle, page, setPage, results, used, forgetUsed, deleted, remove } = useMedia(
    'file',
    find,
    fresh,
  );
  const files = results.value?.files ?? [];

  return (
    <>
      <TextField label={t('Search')} type="search" value={needle} placeholder={t('File name')} onChange={setNeedle} />
      {results.error ? <p className="ed-error">{results.error}</p> : null}
      <ul className="ed-files" aria-busy={results.value === null}>
        {files.map((file) => (
          <li key={file.id} className={used?.id === file.id ? 'ed-refused' : ''}>
            <Icon of={fileEarmarkIcon} />
            {onChoose ? (
              <button type="button" className="ed-file" onClick={() => onChoose(file)}>
                {file.datas_fname || file.name}
              </button>
            ) : (
              <a className="ed-file" href={file.website_file_url}>
                {file.datas_fname || file.name}
              </a>
            )}
            <small>
              {sizeText(file.file_size)} · {dateText(file.write_date)} ·{' '}
              {file.website_file_count === 0
                ? t('not used')
                : plural('used once', 'used {n} times', file.website_file_count)}
            </small>
            <button
              type="button"
              className="ed-remove"
              aria-label={t('Delete {name}', { name: file.name })}
              onClick={() =>
                void remove({ id: file.id, name: file.datas_fname || file.name, address: file.website_file_url })
              }
            >
              <Icon of={trash3Icon} />
            </button>
          </li>
        ))}
      </ul>
      {results.value && files.length === 0 ? (
        <p className="ed-none">
          {searchedText === '' ? t('No files yet. Upload the first one.') : t('No files match your search.')}
        </p>
      ) : null}
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

function sizeText(bytes: number): string {
  const [size, unit] = bytes >= 1_000_000 ? [bytes / 1_000_000, 'megabyte'] : [Math.max(1, bytes / 1000), 'kilobyte'];
  return new Intl.NumberFormat(pageLanguage(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(size);
}

/** Formats a moment in wire format, `2026-11-21 10:00:00` in UTC. */
function dateText(moment: string): string {
  const style = { dateStyle: 'medium', timeZone: userZone() } as const;
  return new Date(`${moment.replace(' ', 'T')}Z`).toLocaleDateString(pageLanguage(), style);
}
