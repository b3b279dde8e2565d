import { plural, t } from 'pergola/browser';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Check } from '../../kit/field.tsx';
import { widgetFor } from '../fields/registry.tsx';
import type { Conflicts } from '../lib/calls.ts';
import { zonedMoment } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';
import type { RecordFormState } from './use-record-form.tsx';
import { idsOf, isLines } from './values.ts';
import { formWidgets } from './widgets.tsx';

/** Conflict dialog of a form, if there is a conflict. */
export function FormConflict({ state }: { state: RecordFormState }) {
  const { conflicts, info, form, live } = state;
  if (!conflicts) return null;
  return (
    <ConflictDialog
      info={info}
      conflicts={conflicts}
      ownValues={form.getValues()}
      record={live}
      isSaving={state.isSaving}
      onLeave={state.leaveConflicts}
      onSettle={(choices) => void state.settle(choices)}
    />
  );
}

/** Which value to keep, by field. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>;

/**
 * Shown if someone else saved the record first: compares both values and lets the user pick one per field. Nothing is overwritten before
 * that.
 */
export function ConflictDialog({
  info,
  conflicts,
  ownValues,
  record,
  isSaving,
  leaveLabel,
  onLeave,
  onSettle,
}: {
  info: ModelInfo;
  conflicts: Conflicts;
  /** The user's values, by field. */
  ownValues: Readonly<Record<string, unknown>>;
  /** Other values of the record that are needed to show these, such as the currency of an amount. */
  record: Readonly<Record<string, unknown>>;
  isSaving: boolean;
  /** Button label if there are no typed values to return to. */
  leaveLabel?: string;
  /** Returns to the form without saving. */
  onLeave(): void;
  onSettle(choices: Choices): void;
}) {
  const { user } = useStart();
  const [choices, setChoices] = useState<Choices>({});
  const isDecided = conflicts.fields.every(({ field }) => choices[field]);
  const author = conflicts.by ?? t('Someone else');
  return (
    <Dialog
      title={t('Someone else changed this record')}
      onClose={onLeave}
      wide
      slot="conflict"
      onSubmit={() => onSettle(choices)}
      submit={t('Save my choices')}
      cancel={leaveLabel ?? t('Keep editing')}
      disabled={!isDecided}
      busy={isSaving}
    >
      <p>
        {conflicts.at
          ? t('{name} saved this record on {when}. Choose what to keep. Nothing has been saved yet.', {
              name: author,
              when: zonedMoment(conflicts.at, user.timezone, user),
            })
          : t('{name} saved this record. Choose what to keep. Nothing has been saved yet.', { name: author })}
      </p>
      {conflicts.fields.map(({ field, label, theirs: savedValue }) => {
        const definition = info.fields[field];
        if (!definition) return null;
        const choose = (choice: 'mine' | 'theirs') => setChoices({ ...choices, [field]: choice });
        return (
          <fieldset key={field} className="form-conflict" data-field={field}>
            <legend>{label}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <Check
                key={side}
                type="radio"
                wrap={`form-conflict-side${choices[field] === side ? ' active' : ''}`}
                name={`conflict-${field}`}
                checked={choices[field] === side}
                onChange={() => choose(side)}
                label={
                  <>
                    <span className="form-conflict-head">
                      {side === 'mine' ? t('Your version') : t('Their version')}
                    </span>
                    <span className="form-conflict-value">
                      <Value
                        field={definition}
                        value={side === 'mine' ? ownValues[field] : savedValue}
                        record={record}
                        model={info.name}
                      />
                    </span>
                  </>
                }
              />
            ))}
          </fieldset>
        );
      })}
    </Dialog>
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
          ? plural('{n} line, your version', '{n} lines, your version', count)
          : plural('{n} line, current version', '{n} lines, current version', count)}
      </>
    );
  }
  if (value === false || value === '' || value === null || value === undefined)
    return field.kind === 'boolean' ? t('No') : <em className="text-body-secondary">{t('Empty')}</em>;
  const { Show } = widgetFor(field, null, formWidgets);
  return <Show value={value} field={field} record={record} model={model} />;
}
