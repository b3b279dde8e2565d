import { Check, Icon, SelectField, TextArea, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import arrowDownIcon from 'bootstrap-icons/icons/arrow-down.svg';
import arrowUpIcon from 'bootstrap-icons/icons/arrow-up.svg';
import plusLgIcon from 'bootstrap-icons/icons/plus-lg.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { type EditedForm, type FieldTexts, type FormQuestion, formTexts, readForm, saveForm } from '../forms.ts';
import { troubleOf } from '../trouble.ts';
import { ToolButton } from './tool-button.tsx';
import { useCall } from './use-call.ts';

/** Id of the form: 0 for the first form, null for a new one. */
export interface FormDialogProps {
  readonly id: number | null;
  readonly lang: string;
  onSaved(id: number): void;
  onClose(): void;
}

const blank: EditedForm = { id: null, name: '', mail_to: '', target: 'none', thanks: '', button: '', questions: [] };

/** Dialog for a form of the site: its questions and the handling of submissions. */
export function FormDialog({ id, lang, onSaved, onClose }: FormDialogProps) {
  const { value: formData, error: trouble } = useCall(
    async () => ({ texts: await formTexts(), form: id === null ? null : await readForm(id, lang) }),
    `${id}`,
  );
  const [changed, setChanged] = useState<EditedForm | null>(null);
  const [error, setError] = useState<string | null>(null);
  const form = changed ?? formData?.form ?? blank;
  const set = (values: Partial<EditedForm>): void => setChanged({ ...form, ...values });
  const save = async (): Promise<void> => {
    const lack = missingInput(form);
    if (lack) return setError(lack);
    try {
      onSaved(await saveForm(form, formData?.form ?? null, lang));
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={form.id === null ? t('New form') : t('Form')}
      light
      error={error ?? trouble}
      onClose={onClose}
      onSubmit={() => void save()}
      disabled={formData === null}
    >
      {formData ? (
        <>
          <TextField label={t('Name')} value={form.name} maxLength={120} onChange={(name) => set({ name })} />
          <Questions
            texts={formData.texts.question}
            questions={form.questions}
            onChange={(questions) => set({ questions })}
          />
          <Texts of={formData.texts.form} form={form} names={['mail_to', 'button']} onChange={set} />
          <SelectField
            {...labelOf(formData.texts.form, 'target')}
            value={form.target}
            choices={choicesOf(formData.texts.form, 'target')}
            onChange={(target) => set({ target })}
          />
          <TextArea
            {...labelOf(formData.texts.form, 'thanks')}
            value={form.thanks}
            maxLength={1000}
            onChange={(thanks) => set({ thanks })}
          />
        </>
      ) : null}
    </Dialog>
  );
}

/** Missing input that prevents saving; the question can be collapsed. */
function missingInput({ name, questions }: EditedForm): string | null {
  if (name.trim() === '') return t('Enter a name for the form.');
  return questions.some((question) => question.name.trim() === '') ? t('Enter a text for each question.') : null;
}

function Texts({
  of: fieldTexts,
  form,
  names,
  onChange,
}: {
  readonly of: FieldTexts;
  readonly form: EditedForm;
  readonly names: readonly ('mail_to' | 'button')[];
  onChange(values: Partial<EditedForm>): void;
}) {
  return names.map((name) => (
    <TextField
      key={name}
      {...labelOf(fieldTexts, name)}
      value={form[name]}
      maxLength={120}
      onChange={(value) => onChange({ [name]: value })}
    />
  ));
}

interface QuestionsProps {
  readonly texts: FieldTexts;
  readonly questions: readonly FormQuestion[];
  onChange(questions: readonly FormQuestion[]): void;
}

function Questions({ texts, questions, onChange }: QuestionsProps) {
  const [open, setOpen] = useState<FormQuestion['id'] | null>(null);
  const [newCount, setNewCount] = useState(1);
  const add = (): void => {
    const id = `new-${newCount}`;
    setNewCount(newCount + 1);
    onChange([...questions, { id, name: '', type: 'text', required: false, choices: '', help: '', role: 'none' }]);
    setOpen(id);
  };
  const moveQuestion = (fromIndex: number, to: number): void => {
    const remaining = questions.filter((_, index) => index !== fromIndex);
    onChange([...remaining.slice(0, to), ...questions.slice(fromIndex, fromIndex + 1), ...remaining.slice(to)]);
  };
  return (
    <>
      <ul className="ed-menu">
        {questions.map((question, index) => (
          <li key={question.id}>
            <div className="ed-menu-line">
              <button
                type="button"
                className="ed-menu-name"
                aria-expanded={open === question.id}
                onClick={() => setOpen(open === question.id ? null : question.id)}
              >
                {question.name || t('New question')}
                {question.required ? ' *' : ''}{' '}
                <small>{choicesOf(texts, 'type').find(({ value }) => value === question.type)?.label}</small>
              </button>
              <ToolButton
                icon={arrowUpIcon}
                label={t('Move up')}
                disabled={index === 0}
                onPress={() => moveQuestion(index, index - 1)}
              />
              <ToolButton
                icon={arrowDownIcon}
                label={t('Move down')}
                disabled={index === questions.length - 1}
                onPress={() => moveQuestion(index, index + 1)}
              />
              <ToolButton
                icon={trash3Icon}
                label={t('Remove {name}', { name: question.name })}
                className="ed-danger"
                onPress={() => onChange(questions.filter((candidate) => candidate !== question))}
              />
            </div>
            {open === question.id ? (
              <QuestionForm
                texts={texts}
                question={question}
                onChange={(changed) =>
                  onChange(questions.map((current) => (current.id === changed.id ? changed : current)))
                }
              />
            ) : null}
          </li>
        ))}
      </ul>
      <p>
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={add}>
          <Icon of={plusLgIcon} /> {t('Add a question')}
        </button>
      </p>
    </>
  );
}

function QuestionForm({
  texts,
  question,
  onChange,
}: {
  readonly texts: FieldTexts;
  readonly question: FormQuestion;
  onChange(question: FormQuestion): void;
}) {
  const set = (values: Partial<FormQuestion>): void => onChange({ ...question, ...values });
  return (
    <div className="ed-menu-form">
      <TextField
        {...labelOf(texts, 'name')}
        value={question.name}
        maxLength={200}
        autoFocus
        onChange={(name) => set({ name })}
      />
      <SelectField
        {...labelOf(texts, 'type')}
        value={question.type}
        choices={choicesOf(texts, 'type')}
        onChange={(type) => set({ type })}
      />
      {/^(choice|several)$/.test(question.type) ? (
        <TextArea
          {...labelOf(texts, 'choices')}
          value={question.choices}
          rows={4}
          onChange={(choices) => set({ choices })}
        />
      ) : null}
      <TextField {...labelOf(texts, 'help')} value={question.help} maxLength={300} onChange={(help) => set({ help })} />
      <SelectField
        {...labelOf(texts, 'role')}
        value={question.role}
        choices={choicesOf(texts, 'role')}
        onChange={(role) => set({ role })}
      />
      <Check
        label={labelOf(texts, 'required').label}
        checked={question.required}
        onChange={(required) => set({ required })}
      />
    </div>
  );
}

function labelOf(texts: FieldTexts, name: string): { readonly label: string; readonly help?: string } {
  const { string: label = name, help } = texts[name] ?? {};
  return { label, ...(help ? { help } : {}) };
}

function choicesOf(texts: FieldTexts, name: string): { readonly value: string; readonly label: string }[] {
  return (texts[name]?.selection ?? []).map(([value, label]) => ({ value, label }));
}
