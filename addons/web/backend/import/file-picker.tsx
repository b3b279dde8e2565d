import { notify, t } from 'pergola/browser';
import { useRef, useState } from 'react';
import { Icon } from '../lib/icon.tsx';

/** Same limit as on the server. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Accepts a file by selection or drop. */
export function FilePicker({
  isPending,
  onFile,
}: {
  isPending: boolean;
  onFile(file: { name: string; content: string }): void;
}) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const acceptFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      notify(t('This file is too large. The limit is {size} MB.', { size: MAX_BYTES / 1024 / 1024 }), 'alert');
      return;
    }
    onFile({ name: file.name, content: await toBase64(file) });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a drop target; the button below does the same
    <div
      className={`backend-drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void acceptFile(event.dataTransfer.files[0]);
      }}
    >
      <Icon name="file-earmark-arrow-up" className="fs-1" />
      <p className="mb-0">
        {t(
          'Drop a spreadsheet (.xlsx, .xls, .ods) or text file (.csv) here. One of its rows must have the column headings.',
        )}
      </p>
      <button type="button" className="btn btn-primary" disabled={isPending} onClick={() => input.current?.click()}>
        {t('Choose a file')}
      </button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('File to import')}
        accept=".csv,.txt,.tsv,.xlsx,.xlsm,.xls,.ods,text/csv"
        onChange={(event) => {
          void acceptFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </div>
  );
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
