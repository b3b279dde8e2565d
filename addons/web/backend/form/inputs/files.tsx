import { useMutation, useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import type { ShownFile } from '../../chatter/calls.ts';
import { FileLinks } from '../../chatter/files.tsx';
import { uploadFiles } from '../../chatter/upload-files.ts';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { inputProps } from '../../fields/text.tsx';
import { readRecords } from '../../lib/calls.ts';
import { FileButton } from '../../lib/file-button.tsx';
import { keys } from '../../lib/queries.ts';
import { idsOf } from '../values.ts';

const MODEL = 'ir.attachment';

function useFiles(ids: readonly number[]): readonly ShownFile[] {
  const { data = [] } = useQuery({
    queryKey: [...keys.records(MODEL), 'files of', ids],
    queryFn: () => readRecords(MODEL, ids, ['name', 'mimetype', 'file_size']),
    enabled: ids.length > 0,
  });
  return data
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, mimetype, file_size: size }) => ({
      id,
      name: String(name),
      mimetype: typeof mimetype === 'string' ? mimetype : null,
      size: Number(size),
    }));
}

/** Download links of several files. */
export function FilesShow({ value }: ShowProps) {
  return <FileLinks files={useFiles(idsOf(value))} />;
}

/** Uploads files to a field that holds several, and removes them. */
export function FilesEdit(props: EditProps) {
  const { value, field, label, onChange, disabled } = props;
  const ids = idsOf(value);
  const files = useFiles(ids);
  const add = useMutation({
    mutationFn: async (uploads: readonly File[]) => onChange([...ids, ...(await uploadFiles(uploads, null))]),
  });
  const { id, 'aria-describedby': describedBy } = inputProps(props);
  return (
    <div>
      <FileButton
        id={id}
        disabled={disabled || add.isPending}
        aria-label={`${label ?? field.label}: ${t('Add files')}`}
        aria-describedby={describedBy}
        onChosen={(uploads) => add.mutate(uploads)}
      >
        {t('Add files')}
      </FileButton>
      <FileLinks files={files} onRemove={(file) => onChange(ids.filter((fileId) => fileId !== file.id))} />
    </div>
  );
}
