import { useMemo, useState } from 'react';
import { t } from '#core/browser';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { toWire, widgetFor } from '../fields/registry.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { formatNumber } from '../lib/format.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';

/** One value for a field of many records at once. */
export function BulkEdit({
  info,
  count,
  isPending,
  onApply,
  onClose,
}: {
  info: ModelInfo;
  count: number;
  isPending: boolean;
  onApply(values: Readonly<Record<string, unknown>>): void;
  onClose(): void;
}) {
  const fields = useMemo(() => Object.values(info.fields).filter(isChangeable), [info]);
  const [name, setName] = useState('');
  const [value, setValue] = useState<unknown>(false);
  const field = info.fields[name];
  const Edit = field ? widgetFor(field).Edit : null;
  const isEmpty = value === false || value === '';
  const isLacking = isUnreadable(value) || (field?.required && field.kind !== 'boolean' && isEmpty);
  return (
    <Dialog
      title={t('Change ({n})', { n: formatNumber(count) })}
      onClose={onClose}
      slot="bulk-edit"
      foot={
        <>
          <CancelButton onClick={onClose} />
          <button
            type="submit"
            form="backend-bulk-edit"
            className="btn btn-primary"
            disabled={!field || isPending || isLacking}
          >
            {t('Change')}
          </button>
        </>
      }
    >
      <form
        id="backend-bulk-edit"
        onSubmit={(event) => {
          event.preventDefault();
          if (field && !isLacking) onApply({ [field.name]: toWire(value, field) });
        }}
      >
        <label className="form-label" htmlFor="bulk-field">
          {t('Field')}
        </label>
        <select
          id="bulk-field"
          className="form-select mb-3"
          required
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setValue(false);
          }}
        >
          <option value="">{t('Choose …')}</option>
          {fields.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
        {field && Edit && (
          <>
            <label className="form-label" htmlFor="bulk-value">
              {t('New value for all of them')}
            </label>
            <div>
              <Edit
                key={field.name}
                id="bulk-value"
                value={value}
                field={field}
                record={{}}
                model={info.name}
                onChange={setValue}
              />
            </div>
            {!field.required && <p className="form-text">{t('Leave it empty to empty the field everywhere.')}</p>}
          </>
        )}
      </form>
    </Dialog>
  );
}

/** Whether one value for many makes sense: what is unique to a record does not, and the model refuses it anyway. */
function isChangeable(field: FieldInfo): boolean {
  return !field.readonly && field.store && widgetFor(field).Edit !== null;
}
