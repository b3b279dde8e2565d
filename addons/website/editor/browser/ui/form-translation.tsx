import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { calls, type FormText } from '../calls.ts';
import { formTexts, translateForm } from '../forms.ts';
import { troubleOf } from '../trouble.ts';
import type { FormDialogProps } from './form-dialog.tsx';
import { TranslatedText } from './translated-text.tsx';
import { useCall } from './use-call.ts';

/** Texts of a form in another language, each next to its source; the questions are the same in all languages. */
export function FormTranslation({
  id,
  lang,
  nameOf,
  onSaved,
  onClose,
}: FormDialogProps & {
  readonly id: number;
  /** Name of a language. */
  nameOf(lang: string): string;
}) {
  const { value: formData, error: trouble } = useCall(
    async () => ({ labels: await formTexts(), form: await calls.formTexts(lang, id) }),
    `${id}`,
  );
  const [edits, setEdits] = useState<ReadonlyMap<FormText, string | null>>(new Map());
  const [error, setError] = useState<string | null>(null);
  const save = async (form: number): Promise<void> => {
    try {
      const changed = [...edits].map(([{ question, name }, text]) => ({ question, name, text: text?.trim() || null }));
      if (changed.length > 0) await translateForm(form, changed, lang);
      onSaved(form);
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={formData ? t('Translate “{name}”', { name: formData.form.name }) : t('Form')}
      light
      wide
      error={error ?? trouble}
      onClose={onClose}
      onSubmit={() => formData && void save(formData.form.id)}
      disabled={formData === null}
    >
      {formData?.form.texts.map((text, index) => (
        <TranslatedText
          isFirst={index === 0}
          isLong={text.name === 'choices' || text.name === 'thanks'}
          maxLength={{ name: 200, choices: 4000, help: 300, button: 60, thanks: 1000 }[text.name]}
          key={`${text.question} ${text.name}`}
          text={text}
          label={
            (text.question === null ? formData.labels.form : formData.labels.question)[text.name]?.string ?? text.name
          }
          language={nameOf(text.from)}
          edited={edits.get(text)}
          onChange={(translation) => setEdits(new Map(edits).set(text, translation))}
        />
      ))}
      {formData?.form.texts.length === 0 ? <p>{t('This is the form’s original language.')}</p> : null}
    </Dialog>
  );
}
