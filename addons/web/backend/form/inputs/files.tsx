import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { notify, t } from '#core/browser';
import { type ShownFile, uploadFile } from '../../chatter/calls.ts';
import { FileLinks } from '../../chatter/files.tsx';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { inputProps } from '../../fields/text.tsx';
import { readRecords } from '../../lib/calls.ts';
import { formatNumber } from '../../lib/format.ts';
import { Icon } from '../../lib/icon.tsx';
import { keys } from '../../lib/queries.ts';
import { useReported, useTrouble } from '../../lib/trouble.tsx';
import { idsOf } from '../values.ts';
import { base64Of, MOST_BYTES } from './read-file.ts';

const MODEL = 'ir.attachment';

function useFiles(ids: readonly number[]): readonly ShownFile[] {
  const { data = [], error } = useQuery({
    queryKey: [...keys.records(MODEL), 'files of', ids],
    queryFn: () => readRecords(MODEL, ids, ['name', 'mimetype', 'file_size']),
    enabled: ids.length > 0,
  });
  useReported(error);
  return data
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, mimetype, file_size: size }) => ({
      id,
      name: String(name),
      mimetype: typeof mimetype === 'string' ? mimetype : null,
      size: Number(size),
    }));
}

/** Several files, each a download. */
export function FilesShow({ value }: ShowProps) {
  return <FileLinks files={useFiles(idsOf(value))} />;
}

/** Adds files from one's own computer to a field of several, and takes them away. */
export function FilesEdit(props: EditProps) {
  const { value, field, label, onChange, disabled } = props;
  const ids = idsOf(value);
  const files = useFiles(ids);
  const input = useRef<HTMLInputElement>(null);
  const report = useTrouble();
  const add = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      const made: number[] = [];
      for (const file of chosen) {
        if (file.size > MOST_BYTES) {
          const size = formatNumber(MOST_BYTES / 1e6);
          notify(t('{name} is too large: at most {size} MB.', { name: file.name, size }), 'alert');
        } else made.push(await uploadFile(file.name, await base64Of(file), null));
      }
      onChange([...ids, ...made]);
    },
    onError: report,
  });
  const { id, 'aria-describedby': describedBy } = inputProps(props);
  return (
    <div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          add.mutate([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button
        type="button"
        id={id}
        className="btn btn-sm btn-outline-secondary"
        disabled={disabled || add.isPending}
        aria-label={`${label ?? field.label}: ${t('Add files')}`}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        <Icon name="paperclip" /> {t('Add files')}
      </button>
      <FileLinks files={files} onRemove={(file) => onChange(ids.filter((one) => one !== file.id))} />
    </div>
  );
}
