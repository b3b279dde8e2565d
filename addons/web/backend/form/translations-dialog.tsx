import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { readRecords, writeRecords } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import { useReported, useTrouble } from '../lib/trouble.tsx';
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
  const report = useTrouble();
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
  useReported(texts.error);
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
    onError: report,
  });
  const isLong = field.kind !== 'char';
  return createPortal(
    <Dialog
      title={title}
      onClose={onClose}
      wide={isLong}
      slot="translations"
      foot={
        <>
          <CancelButton onClick={onClose} />
          <button
            type="button"
            className="btn btn-primary"
            disabled={save.isPending || !texts.data}
            onClick={() => save.mutate()}
          >
            {t('Save')}
          </button>
        </>
      }
    >
      {texts.data &&
        languages.map(({ code, name }) => {
          const input = {
            id: `translation-${code}`,
            className: 'form-control',
            lang: code.replace('_', '-'),
            value: edits[code] ?? texts.data[code] ?? '',
            maxLength: field.size ?? undefined,
            onChange: (event: { target: { value: string } }) => setEdits({ ...edits, [code]: event.target.value }),
          };
          return (
            <div key={code} className="mb-3">
              <label className="form-label" htmlFor={input.id}>
                {name}
              </label>
              {isLong ? <textarea {...input} rows={5} /> : <input {...input} type="text" />}
            </div>
          );
        })}
      {field.kind === 'html' && <p className="form-text">{t('The text includes its HTML.')}</p>}
    </Dialog>,
    document.body,
  );
}
