import { t } from 'pergola/browser';
import { useState } from 'react';
import { CancelButton } from './cancel-button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

interface Props {
  readonly title: string;
  /** Label of the field. */
  readonly label: string;
  /** With choices the field is a select, else a text input. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly value?: string;
  /** Help text below the field. */
  readonly help?: string;
  readonly placeholder?: string;
  /** Label of the confirming button. Default "Continue". */
  readonly confirm?: string;
  /** Whether the text may be empty. Default false. */
  readonly optional?: boolean;
  readonly maxLength?: number;
  onAnswer(value: string): void;
  /** Called on Escape, Cancel and a click outside, and by the close button. */
  onClose(): void;
}

/** Dialog that asks for a text or a choice. Enter in the field confirms. */
export function PromptDialog({ title, label, choices, help, optional = false, onAnswer, onClose, ...options }: Props) {
  const [value, setValue] = useState(options.value ?? choices?.[0]?.value ?? '');
  const [isMissing, setMissing] = useState(false);
  const confirm = (): void => {
    const answer = value.trim();
    setMissing(answer === '' && !optional);
    if (answer !== '' || optional) onAnswer(answer);
  };
  const foot = (
    <>
      <CancelButton onClick={onClose} />
      <button type="submit" className="btn btn-primary">
        {options.confirm ?? t('Continue')}
      </button>
    </>
  );
  return (
    <Dialog title={title} className="prompt" light foot={foot} onClose={onClose} onSubmit={confirm}>
      <Field
        label={label}
        help={help}
        error={isMissing ? t('Fill in this field.') : undefined}
        className={choices ? 'form-select' : 'form-control'}
      >
        {(control) =>
          choices ? (
            <select
              {...control}
              value={value}
              onChange={(event) => setValue(event.target.value)}
              // Selects don't submit their form on Enter.
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.form?.requestSubmit()}
            >
              {choices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {choice.label}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...control}
              type="text"
              autoComplete="off"
              placeholder={options.placeholder}
              maxLength={options.maxLength}
              value={value}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => setValue(event.target.value)}
            />
          )
        }
      </Field>
    </Dialog>
  );
}
