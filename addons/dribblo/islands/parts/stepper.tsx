import { Field, Picture } from '@pergola/website/kit';
import { parseNumber, t } from 'pergola/browser';
import { useEffect, useState } from 'react';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly image?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Maximum number of goals. */
const MAX_GOALS = 99;

/** Goal counter with large buttons, which need JavaScript. */
export function Stepper({ id, name, label, image, value, error, onChange }: Props) {
  const [isAwake, wake] = useState(false);
  useEffect(() => wake(true), []);
  const step = (delta: 1 | -1): void => {
    const goals = Number(parseNumber(value, { places: 0 }).value ?? (delta > 0 ? 0 : 1));
    onChange(String(Math.min(MAX_GOALS, Math.max(0, goals + delta))));
  };
  return (
    <Field
      id={id}
      wrap="club-stepper"
      labelClass=""
      label={
        <>
          {image && <Picture src={image} alt="" width="56" height="56" />}
          <span>{label}</span>
        </>
      }
      error={error}
    >
      {(control) => (
        <div className="club-stepper-row" data-slot="stepper">
          <button
            className="btn btn-outline-secondary js_less"
            type="button"
            hidden={!isAwake}
            aria-label={t('Remove a goal from {team}', { team: label })}
            onClick={() => step(-1)}
          >
            −
          </button>
          <input
            {...control}
            name={name}
            type="text"
            inputMode="numeric"
            maxLength={3}
            value={value}
            autoComplete="off"
            onChange={({ target }) => onChange(parseNumber(target.value, { places: 0 }).value ?? target.value)}
          />
          <button
            className="btn btn-outline-secondary js_more"
            type="button"
            hidden={!isAwake}
            aria-label={t('Add a goal for {team}', { team: label })}
            onClick={() => step(1)}
          >
            +
          </button>
        </div>
      )}
    </Field>
  );
}
