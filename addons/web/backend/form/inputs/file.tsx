import { notify, t } from 'pergola/browser';
import { useRef } from 'react';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { formatNumber } from '../../lib/format.ts';
import { Icon } from '../../lib/icon.tsx';
import { base64Of, isContent, MAX_BYTES } from './read-file.ts';

/** Download link of a stored file. */
export function FileShow({ value, field, record, model }: ShowProps) {
  if (!value) return null;
  if (isContent(value)) return <span>{t('New file')}</span>;
  const query = new URLSearchParams({ model, field: field.name, id: String(record.id) });
  return (
    <a href={`/web/binary/saveas?${query}`} download>
      <Icon name="download" /> {t('Download ({size})', { size: String(value) })}
    </a>
  );
}

/** Selects, replaces or removes a file. */
export function FileEdit(props: EditProps) {
  const { value, field, id, onChange, onBlur, disabled, describedBy, invalid } = props;
  const input = useRef<HTMLInputElement>(null);
  const accept = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const maxBytes = Math.min(field.maxBytes ?? MAX_BYTES, MAX_BYTES);
    if (file.size > maxBytes) {
      notify(
        t('This file is too large. The limit is {size} MB.', { size: formatNumber(Math.round(maxBytes / 1e5) / 10) }),
        'alert',
      );
      return;
    }
    onChange(await base64Of(file));
  };
  return (
    <div className="form-file">
      <FileShow {...props} />
      <input
        ref={input}
        id={id}
        type="file"
        className="form-control"
        disabled={disabled}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onBlur={onBlur}
        onChange={(event) => void accept(event.target.files?.[0])}
      />
      {Boolean(value) && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={disabled}
          onClick={() => {
            if (input.current) input.current.value = '';
            onChange(false);
          }}
        >
          <Icon name="trash" /> {t('Remove file')}
        </button>
      )}
    </div>
  );
}
