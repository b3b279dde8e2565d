import { useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#core/browser';
import { widgetFor } from '../fields/registry.tsx';
import { Dialog } from '../lib/dialog.tsx';
import { formatMoment } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import type { FieldInfo } from '../types.ts';
import type { RecordFormState } from './use-record-form.tsx';
import { idsOf, isLines } from './values.ts';
import { formWidgets } from './widgets.tsx';

/** Somebody else was faster: both values, and which one shall be kept. Nothing is lost whatever is chosen last. */
export function ConflictDialog({ state }: { state: RecordFormState }) {
  const { conflicts, info, form, live } = state;
  const { user } = useStart();
  const [choices, setChoices] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  if (!conflicts) return null;
  const values = form.getValues();
  const isDecided = conflicts.fields.every(({ field }) => choices[field]);
  const who = conflicts.by ?? t('Somebody else');
  return createPortal(
    <Dialog
      title={t('Somebody else has changed this meanwhile')}
      onClose={state.leaveConflicts}
      wide
      slot="conflict"
      foot={
        <>
          <button type="button" className="btn btn-outline-secondary" onClick={state.leaveConflicts}>
            {t('Back to the form')}
          </button>
          <button
            type="button"
            className="btn btn-primary"
            disabled={!isDecided || state.isSaving}
            onClick={() => void state.settle(choices)}
          >
            {t('Save what I chose')}
          </button>
        </>
      }
    >
      <p>
        {conflicts.at
          ? t('{name} saved this record on {when}. Choose what shall be kept; nothing was saved yet.', {
              name: who,
              when: formatMoment(conflicts.at, user.timezone),
            })
          : t('{name} saved this record. Choose what shall be kept; nothing was saved yet.', { name: who })}
      </p>
      {conflicts.fields.map(({ field, label, theirs }) => {
        const about = info.fields[field];
        if (!about) return null;
        const choose = (choice: 'mine' | 'theirs') => setChoices({ ...choices, [field]: choice });
        return (
          <fieldset key={field} className="form-conflict" data-field={field}>
            <legend>{label}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side} className={`form-conflict-side${choices[field] === side ? ' active' : ''}`}>
                <span className="form-conflict-head">
                  <input
                    type="radio"
                    className="form-check-input"
                    name={`conflict-${field}`}
                    checked={choices[field] === side}
                    onChange={() => choose(side)}
                  />{' '}
                  {side === 'mine' ? t('Yours') : t('Theirs')}
                </span>
                <span className="form-conflict-value">
                  <Value
                    field={about}
                    value={side === 'mine' ? values[field] : theirs}
                    record={live}
                    model={info.name}
                  />
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </Dialog>,
    document.body,
  );
}

function Value({
  field,
  value,
  record,
  model,
}: {
  field: FieldInfo;
  value: unknown;
  record: Readonly<Record<string, unknown>>;
  model: string;
}) {
  if (field.kind === 'one2many') {
    const count = isLines(value) ? value.lines.length : idsOf(value).length;
    return (
      <>
        {isLines(value)
          ? t('{n} lines, as you left them', { n: count })
          : t('{n} lines, as they are now', { n: count })}
      </>
    );
  }
  if (value === false || value === '' || value === null || value === undefined)
    return field.kind === 'boolean' ? t('No') : <em className="text-body-secondary">{t('Empty')}</em>;
  const { Show } = widgetFor(field, null, formWidgets);
  return <Show value={value} field={field} record={record} model={model} />;
}
