import { TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { attachAddress, findFiles, findFilms, type MediaKind, type Uploaded } from '../media.ts';
import { troubleOf } from '../trouble.ts';
import { FileList } from './file-list.tsx';
import { PictureGrid } from './picture-grid.tsx';
import { ShippedPictures } from './shipped-pictures.tsx';
import { moveToolFocus } from './tool-button.tsx';
import { UploadForm } from './upload.tsx';

/** Selected image, or file to link to. */
export type Chosen = { readonly kind: 'picture' | 'file' } & Uploaded;

export interface MediaDialogProps {
  /** Type of media to select; `manage` only browses and deletes. */
  readonly media: MediaKind | 'manage';
  /** Whether the record stores the image itself, which excludes images attached by URL. */
  readonly isStored?: boolean;
  onChoose?(chosen: Chosen): void;
  onClose(): void;
}

type Tab = 'pictures' | 'shipped' | 'files' | 'address';

/** Media library of the website: select, upload, delete. */
export function MediaDialog({ media, isStored = false, onChoose, onClose }: MediaDialogProps) {
  const isFile = media === 'file' || media === 'film';
  const [tab, setTab] = useState<Tab>(isFile ? 'files' : 'pictures');
  const [fresh, setFresh] = useState(0);
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string | null>(null);
  const tabs: [Tab, string][] = [
    ...(isFile ? [] : [['pictures', t('Images')] as [Tab, string]]),
    ...(media === 'picture' && !isStored
      ? ([
          ['shipped', t('Illustrations')],
          ['address', t('Address')],
        ] as [Tab, string][])
      : []),
    ...(media === 'picture' ? [] : [['files', t('Files')] as [Tab, string]]),
  ];
  const uploaded = (kind: 'picture' | 'file') => (upload: Uploaded) => {
    setFresh((count) => count + 1);
    if (media === kind || (isFile && kind === 'file')) onChoose?.({ ...upload, kind });
  };
  const take = async (selection: Promise<Uploaded>): Promise<void> => {
    try {
      onChoose?.({ ...(await selection), kind: 'picture' });
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  const title = {
    manage: t('Images and files'),
    picture: t('Choose an image'),
    film: t('Choose a video'),
    file: t('Choose a file'),
  }[media];
  return (
    <Dialog
      title={title}
      wide
      light
      onClose={onClose}
      error={tab === 'address' ? null : error}
      onSubmit={tab === 'address' ? () => void take(attachAddress(address)) : undefined}
      submit={t('Insert')}
    >
      {tabs.length > 1 ? (
        <div className="ed-tabs" role="tablist" aria-label={title} onKeyDown={moveToolFocus}>
          {tabs.map(([name, label]) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab === name}
              tabIndex={tab === name ? 0 : -1}
              onClick={() => setTab(name)}
            >
              {label}
            </button>
          ))}
        </div>
      ) : null}
      <div role="tabpanel" aria-label={tabs.find(([name]) => name === tab)?.[1]}>
        {tab === 'pictures' ? (
          <>
            <UploadForm kind="picture" onDone={uploaded('picture')} />
            <PictureGrid
              fresh={fresh}
              onChoose={
                media === 'picture'
                  ? (picture) =>
                      onChoose?.({
                        ...picture,
                        width: picture.width || null,
                        height: picture.height || null,
                        kind: 'picture',
                      })
                  : undefined
              }
            />
          </>
        ) : null}
        {tab === 'files' ? (
          <>
            <UploadForm kind={media === 'film' ? 'film' : 'file'} onDone={uploaded('file')} />
            <FileList
              fresh={fresh}
              find={media === 'film' ? findFilms : findFiles}
              onChoose={
                isFile
                  ? (file) =>
                      onChoose?.({
                        id: file.id,
                        name: file.datas_fname || file.name,
                        website_url: file.website_file_url,
                        kind: 'file',
                      })
                  : undefined
              }
            />
          </>
        ) : null}
        {tab === 'shipped' ? <ShippedPictures onChoose={(selection) => void take(selection)} /> : null}
        {tab === 'address' ? (
          <TextField
            label={t('URL of an image on this site')}
            help={t('Images from other sites aren’t shown. Save the image to your device, then upload it.')}
            error={error}
            value={address}
            onChange={(value) => {
              setAddress(value);
              setError(null);
            }}
          />
        ) : null}
      </div>
    </Dialog>
  );
}
