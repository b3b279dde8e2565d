import { pictureTypes } from '@pergola/web/browser';
import { Icon } from '@pergola/web/kit';
import cloudArrowUpIcon from 'bootstrap-icons/icons/cloud-arrow-up.svg';
import { t } from 'pergola/browser';
import { useId, useRef, useState } from 'react';
import { type MediaKind, type Uploaded, upload } from '../media.ts';

export interface UploadFormProps {
  readonly kind: MediaKind;
  /** Uploads to another place than the website's media library. */
  send?(file: File): Promise<Uploaded>;
  onDone(uploaded: Uploaded): void;
}

/** Uploads files from a button or by drag and drop. Errors appear in the help line and turn the button red. */
export function UploadForm({ kind, send, onDone }: UploadFormProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const [over, setOver] = useState(false);

  const take = async (files: readonly File[]): Promise<void> => {
    setError(null);
    setBusy(files.length);
    for (const file of files) {
      try {
        onDone(await (send?.(file) ?? upload(file, kind)));
      } catch (failure) {
        setError(failure instanceof Error ? failure.message : t('Failed to upload image'));
      }
      setBusy((remaining) => remaining - 1);
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: drag and drop is an alternative to the button
    <div
      className={`ed-upload${over ? ' ed-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      <input
        ref={input}
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={kind === 'picture' ? t('Images to upload') : t('Files to upload')}
        accept={accepted[kind]}
        onChange={(event) => {
          void take([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button
        type="button"
        className={`btn ${error ? 'btn-danger' : 'btn-primary'}`}
        aria-describedby={`${id}-help`}
        disabled={busy > 0}
        onClick={() => input.current?.click()}
      >
        <Icon of={cloudArrowUpIcon} /> {kind === 'picture' ? t('Upload images') : t('Upload files')}
      </button>
      <p
        id={`${id}-help`}
        className={`form-text help-block${error ? ' ed-error' : ''}`}
        role={error ? 'alert' : undefined}
      >
        {busy > 0
          ? t('Uploading…')
          : (error ??
            (kind === 'picture'
              ? t('PNG, JPEG, GIF, WebP, AVIF or HEIC, up to 20 MB. Or drop images here.')
              : kind === 'film'
                ? t('MP4 or WebM, up to 50 MB. Or drop videos here.')
                : t('Any file up to 50 MB. Or drop files here.')))}
      </p>
    </div>
  );
}

const accepted = {
  picture: pictureTypes,
  film: 'video/mp4,video/webm',
  file: undefined,
};
