import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { readRecords, writeRecords } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import type { FieldInfo } from '../types.ts';
import { useRecordFormContext } from './form-context.tsx';

/**
 * Edits a field's text in every language of the site, and saves it separately from the form. Languages without a translation show the
 * default language's text.
 */
export function TranslationsDialog({ field, title, onClose }: { field: FieldInfo; title: string; onClose(): void }) {
  const { info, id } = useRecordFormContext();
  const { languages } = useStart();
  const client = useQueryClient();
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const texts = useQuery({
    queryKey: [...keys.records(info.name), 'translations', id, field.name],
    queryFn: async () => {
      const texts: Record<string, string> = {};
      for (const { code } of languages) {
        const [row] = await readRecords(info.name, [Number(id)], [field.name], { lang: code });
        texts[code] = typeof row?.[field.name] === 'string' ? String(row[field.name]) : '';
      }
      return texts;
    },
    gcTime: 0,
  });
  const save = useMutation({
    mutationFn: async () => {
      for (const [lang, text] of Object.entries(edits))
        if (text !== texts.data?.[lang])
          await writeRecords(info.name, [Number(id)], { [field.name]: text || false }, { lang });
    },
    onSuccess: async () => {
      notify(t('Saved.'));
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      onClose();
    },
  });
  const isLong = field.kind !== 'char';
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={isLong}
      slot="translations"
      onSubmit={() => save.mutate()}
      disabled={!texts.data}
      busy={save.isPending}
    >
      {texts.data &&
        languages.map(({ code, name }) => {
          const input = {
            id: `translation-${code}`,
            label: name,
            lang: code.replace('_', '-'),
            value: edits[code] ?? texts.data[code] ?? '',
            maxLength: field.size ?? undefined,
            onChange: (text: string) => setEdits({ ...edits, [code]: text }),
          };
          return isLong ? <TextArea key={code} {...input} rows={5} /> : <TextField key={code} {...input} />;
        })}
      {field.kind === 'html' && <p className="form-text">{t('The text includes its HTML.')}</p>}
    </Dialog>
  );
}
