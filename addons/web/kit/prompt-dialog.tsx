import { t } from 'pergola/browser';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { type SelectChoice, SelectField, TextField } from './field.tsx';

interface Props {
  readonly title: string;
  /** Label of the field. */
  readonly label: string;
  /** With choices the field is a select, else a text input. */
  readonly choices?: readonly SelectChoice[];
  readonly value?: string;
  /** Help text below the field. */
  readonly help?: string;
  /** Why the last answer was refused. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** Label of the confirming button. Default "Continue". */
  readonly confirm?: string;
  /** Whether the text may be empty. Default false. */
  readonly optional?: boolean;
  readonly maxLength?: number;
  readonly type?: 'text' | 'password';
  readonly autoComplete?: string;
  readonly inputMode?: 'text' | 'url';
  /** Whether the answer is being sent. */
  readonly busy?: boolean;
  /** Buttons besides Cancel and the confirming one. */
  readonly foot?: ReactNode;
  onAnswer(value: string): void;
  /** Called on Escape, Cancel and a click outside, and by the close button. */
  onClose(): void;
}

/** Dialog that asks for a text or a choice. Enter in the field confirms. */
export function PromptDialog({
  title,
  label,
  choices,
  value: initialValue = choices?.[0]?.value ?? '',
  help,
  error,
  confirm = t('Continue'),
  optional = false,
  busy,
  foot,
  onAnswer,
  onClose,
  ...input
}: Props) {
  const [value, setValue] = useState(initialValue);
  const [isMissing, setMissing] = useState(false);
  const answer = (): void => {
    const text = input.type === 'password' ? value : value.trim();
    setMissing(text === '' && !optional);
    if (text !== '' || optional) onAnswer(text);
  };
  const field = {
    label,
    help,
    error: isMissing ? t('Fill in this field.') : error,
    value,
    onChange: setValue,
  };
  return (
    <Dialog title={title} light submit={confirm} busy={busy} foot={foot} onClose={onClose} onSubmit={answer}>
      {choices ? (
        <SelectField
          {...field}
          choices={choices}
          // Selects don't submit their form on Enter.
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.form?.requestSubmit()}
        />
      ) : (
        <TextField autoComplete="off" {...field} {...input} onFocus={(event) => event.currentTarget.select()} />
      )}
    </Dialog>
  );
}
