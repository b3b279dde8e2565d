import { isOwn } from '@pergola/web/browser';
import { TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import type { Uploaded } from '../media.ts';
import { UploadForm } from './upload.tsx';

export interface PictureDialogProps {
  /** Uploads the file, by default to the website's media library. */
  upload?(file: File): Promise<Uploaded>;
  onChoose(picture: Uploaded): void;
  onClose(): void;
}

/** Image for visitors' texts: an upload, or an image of this site by URL. */
export function PictureDialog({ upload, onChoose, onClose }: PictureDialogProps) {
  const [address, setAddress] = useState('');
  const [error, setError] = useState<string | null>(null);
  const insert = (): void => {
    const url = address.trim();
    if (url === '') setError(t('You must enter a Image URL to insert'));
    else if (!isOwn(url))
      setError(t('Images from other sites aren’t shown. Save the image to your device, then upload it.'));
    else onChoose({ id: 0, website_url: url, name: '' });
  };
  return (
    <Dialog title={t('Insert image')} light onClose={onClose} onSubmit={insert} submit={t('Insert')}>
      <UploadForm kind="picture" send={upload} onDone={onChoose} />
      <TextField
        label={t('Or the URL of an image on this site')}
        error={error}
        value={address}
        onChange={(value) => {
          setAddress(value);
          setError(null);
        }}
      />
    </Dialog>
  );
}
