import { useState } from 'react';
import { Dialog } from '#addons/web/kit';
import { t } from '#core/browser';
import { calls, type FormText } from '../calls.ts';
import { stateOf } from '../fields/translated-field.ts';
import { formTexts, translateForm } from '../forms.ts';
import { troubleOf } from '../trouble.ts';
import { ErrorLine, TextArea, TextInput } from './fields.tsx';
import type { FormDialogProps } from './form-dialog.tsx';
import { SaveButtons } from './save-buttons.tsx';
import { StateMark, TermButtons } from './translation-panel.tsx';
import { useCall } from './use-call.ts';

/** The texts of a form in another language, each beside what it translates; what is asked is the same in all languages. */
export function FormTranslation({
  id,
  lang,
  nameOf,
  onSaved,
  onClose,
}: FormDialogProps & {
  readonly id: number;
  /** What a language is called. */
  nameOf(lang: string): string;
}) {
  const { value: known, error: trouble } = useCall(
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
      title={known ? t('Translate “{name}”', { name: known.form.name }) : t('Form')}
      light
      wide
      onClose={onClose}
      onSubmit={() => known && void save(known.form.id)}
      foot={<SaveButtons onCancel={onClose} disabled={known === null} />}
    >
      <ErrorLine error={error ?? trouble} />
      {known?.form.texts.map((text, index) => (
        <Translated
          isFirst={index === 0}
          key={`${text.question} ${text.name}`}
          about={text}
          label={(text.question === null ? known.labels.form : known.labels.question)[text.name]?.string ?? text.name}
          language={nameOf(text.from)}
          edited={edits.get(text)}
          onChange={(own) => setEdits(new Map(edits).set(text, own))}
        />
      ))}
      {known?.form.texts.length === 0 ? <p>{t('Its texts are written in this language.')}</p> : null}
    </Dialog>
  );
}

function Translated({
  about: { source, term, optional, name },
  label,
  language,
  edited,
  isFirst,
  onChange,
}: {
  readonly about: FormText;
  readonly label: string;
  readonly language: string;
  readonly edited: string | null | undefined;
  readonly isFirst: boolean;
  onChange(text: string | null): void;
}) {
  const [own, former] = typeof term === 'object' && term !== null ? term : [term, null];
  const text = edited === undefined ? own : edited;
  const was = edited === undefined ? former : null;
  const state = stateOf(text, was, optional);
  const Input = name === 'choices' || name === 'thanks' ? TextArea : TextInput;
  return (
    <div className="ed-translated">
      <Input
        label={label}
        help={
          <>
            <StateMark state={state} /> <span className="ed-kind">{language}</span>
            <q>{source}</q>
            {was === null ? null : (
              <>
                <span className="ed-kind">{t('When it was translated, it said')}</span>
                <q>{was}</q>
              </>
            )}
          </>
        }
        value={text ?? ''}
        {...(isFirst ? { autoFocus: true } : {})}
        maxLength={{ name: 200, choices: 4000, help: 300, button: 60, thanks: 1000 }[name]}
        onChange={(typed) => onChange(typed === '' ? null : typed)}
      />
      <TermButtons source={source} text={text} state={state} onTranslate={onChange} />
    </div>
  );
}
