import { useMutation } from '@tanstack/react-query';
import { confirmDialog, t } from 'pergola/browser';
import { unlinkRecords } from '../lib/calls.ts';
import { FileButton } from '../lib/file-button.tsx';
import { formatBytes } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import type { ShownFile, ThreadOf } from './calls.ts';
import { uploadFiles } from './upload-files.ts';

/** Download links of files. */
export function FileLinks({ files, onRemove }: { files: readonly ShownFile[]; onRemove?(file: ShownFile): void }) {
  if (files.length === 0) return null;
  return (
    <ul className="chatter-files">
      {files.map((file) => (
        <li key={file.id}>
          <a href={`/web/content/${file.id}/${encodeURIComponent(file.name)}`} download={file.name}>
            <Icon name={file.mimetype?.startsWith('image/') ? 'image' : 'file-earmark'} /> <span>{file.name}</span>{' '}
            <small className="text-body-secondary">{formatBytes(file.size)}</small>
          </a>
          {onRemove && (
            <button
              type="button"
              className="btn btn-sm btn-icon"
              aria-label={t('Delete {name}', { name: file.name })}
              title={t('Delete')}
              onClick={() => onRemove(file)}
            >
              <Icon name="trash" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Attachments of the record itself. */
export function RecordFiles({
  thread,
  files,
  mayWrite,
  onChanged,
}: {
  thread: ThreadOf;
  files: readonly ShownFile[];
  mayWrite: boolean;
  onChanged(): Promise<void>;
}) {
  const add = useMutation({
    mutationFn: (selected: readonly File[]) => uploadFiles(selected, thread),
    onSettled: onChanged,
  });
  const remove = useMutation({
    mutationFn: async (file: ShownFile) => {
      if (await confirmDialog(t('Delete the file {name}?', { name: file.name }), { yes: t('Delete') }))
        await unlinkRecords('ir.attachment', [file.id]);
    },
    onSettled: onChanged,
  });
  if (files.length === 0 && !mayWrite) return null;
  return (
    <section className="chatter-section" aria-label={t('Files')} data-slot="record-files">
      <div className="chatter-section-head">
        <h3 className="h6">{t('Files')}</h3>
        {mayWrite && (
          <FileButton disabled={add.isPending} onChosen={(selected) => add.mutate(selected)}>
            {t('Add files to this record')}
          </FileButton>
        )}
      </div>
      <FileLinks files={files} {...(mayWrite ? { onRemove: (file) => remove.mutate(file) } : {})} />
    </section>
  );
}
