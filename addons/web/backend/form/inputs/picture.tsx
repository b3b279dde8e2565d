import { formatNumber, notify, t } from 'pergola/browser';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Picture } from '../../../kit/picture.tsx';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { Icon } from '../../lib/icon.tsx';
import { isPicture, isShowable, pictureTypes } from '../../lib/pictures.ts';
import { useTrouble } from '../../lib/trouble.tsx';
import { base64Of, isContent, MAX_BYTES } from './read-file.ts';

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }));

function sourceOf({ value, field, record, model }: ShowProps): string | null {
  if (!value) return null;
  if (isContent(value)) return `data:image/*;base64,${value}`;
  const query = new URLSearchParams({ model, field: field.name, id: String(record.id), resize: '256,256' });
  const stamp = record.write_date;
  // A changed image gets another address.
  if (typeof stamp === 'string') query.set('unique', stamp.replace(/\D/g, ''));
  return `/web/binary/image?${query}`;
}

/** Image of a record. */
export function PictureShow(props: ShowProps) {
  const source = sourceOf(props);
  return source ? (
    <Picture className="form-picture" src={source} alt={props.field.label} width={128} height={128} />
  ) : null;
}

/** Selects and crops an image, by button or by drop. */
export function PictureEdit(props: EditProps) {
  const { field, id, value, onChange, disabled, describedBy } = props;
  const input = useRef<HTMLInputElement>(null);
  const [cropSource, setCropSource] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const help = useId();
  const report = useTrouble();
  const source = sourceOf(props);
  useEffect(() => () => (cropSource?.startsWith('blob:') ? URL.revokeObjectURL(cropSource) : undefined), [cropSource]);
  const acceptFile = (file: File | undefined): void => {
    if (!file || !isPicture(file)) return;
    // Cropping scales the image down to the stored size.
    if (isShowable(file)) setCropSource(URL.createObjectURL(file));
    else if (file.size > MAX_BYTES)
      notify(
        t('This file is too large. The limit is {size} MB.', { size: formatNumber(Math.round(MAX_BYTES / 1e5) / 10) }),
        'alert',
      );
    else base64Of(file).then(onChange, report);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a drop target; the button does the same
    <div
      className={`form-picture-edit${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        acceptFile(event.dataTransfer.files[0]);
      }}
    >
      <div className="form-picture-frame">
        {source ? (
          <Picture className="form-picture" src={source} alt={field.label} width={128} height={128} />
        ) : (
          <Icon name="image" className="form-picture-none" />
        )}
      </div>
      <input
        ref={input}
        id={id}
        type="file"
        accept={pictureTypes}
        className="visually-hidden"
        disabled={disabled}
        aria-describedby={describedBy ?? help}
        onChange={(event) => {
          acceptFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <div className="form-picture-tools">
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={disabled}
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" /> {source ? t('Replace') : t('Choose an image')}
        </button>
        {source && (
          <>
            <button
              type="button"
              className="btn btn-sm btn-outline-secondary"
              disabled={disabled}
              onClick={() => setCropSource(source.replace('resize=256%2C256', 'resize=500%2C500'))}
            >
              <Icon name="crop" /> {t('Crop')}
            </button>
            <button
              type="button"
              className="btn btn-sm btn-outline-secondary"
              disabled={disabled}
              onClick={() => onChange(false)}
            >
              <Icon name="trash" /> {t('Remove')}
            </button>
          </>
        )}
      </div>
      <span className="visually-hidden" id={help}>
        {value ? t('An image is set.') : t('No image yet.')}
      </span>
      {cropSource && (
        <Suspense>
          <CropDialog
            src={cropSource}
            onClose={() => setCropSource(null)}
            onCropped={(content) => {
              setCropSource(null);
              onChange(content);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
