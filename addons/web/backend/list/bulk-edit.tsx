import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useMemo, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { toWire, widgetFor } from '../fields/registry.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { callKw } from '../lib/calls.ts';
import { formatNumber } from '../lib/format.ts';
import type { FieldInfo, ModelInfo } from '../types.ts';

/** Sets one field of many records to the same value. */
export function BulkEdit({
  info,
  count,
  chosenIds,
  isPending,
  onApply,
  onClose,
}: {
  info: ModelInfo;
  count: number;
  chosenIds(): Promise<readonly number[]>;
  isPending: boolean;
  onApply(values: Readonly<Record<string, unknown>>): void;
  onClose(): void;
}) {
  const fields = useMemo(() => Object.values(info.fields).filter(isChangeable), [info]);
  const [name, setName] = useState('');
  const [value, setValue] = useState<unknown>(false);
  const field = info.fields[name];
  const zoneField = field && field.timezoneField !== null && info.fields[field.timezoneField]?.name;
  const zones = useQuery({
    queryKey: ['bulk zones', info.name, zoneField, count],
    enabled: Boolean(zoneField),
    meta: { isQuiet: true },
    gcTime: 0,
    queryFn: async () => {
      const name = String(zoneField);
      const rows = await callKw<readonly Record<string, unknown>[]>(info.name, 'read', [await chosenIds(), [name]]);
      return [...new Set(rows.map((row) => row[name]))];
    },
  });
  // Times are entered in the records' time zone if they share one.
  const record = zoneField && zones.data?.length === 1 ? { [zoneField]: zones.data[0] } : {};
  const isWaiting = Boolean(zoneField) && zones.data === undefined;
  const Edit = field ? widgetFor(field).Edit : null;
  const isEmpty = value === false || value === '';
  const isLacking = isUnreadable(value) || (field?.required && field.kind !== 'boolean' && isEmpty);
  return (
    <Dialog
      title={t('Edit ({n})', { n: formatNumber(count) })}
      onClose={onClose}
      slot="bulk-edit"
      onSubmit={() => field && onApply({ [field.name]: toWire(value, field) })}
      submit={t('Apply')}
      disabled={!field || isWaiting || isLacking}
      busy={isPending}
    >
      <SelectField
        label={t('Field')}
        required
        value={name}
        onChange={(next) => {
          setName(next);
          setValue(false);
        }}
        choices={[
          { value: '', label: t('Choose…') },
          ...fields.map((candidate) => ({ value: candidate.name, label: candidate.label })),
        ]}
      />
      {field && Edit && !isWaiting && (
        <>
          <Field wrap="" label={t('New value for all records')}>
            {({ id }) => (
              <div>
                <Edit
                  key={field.name}
                  id={id}
                  value={value}
                  field={field}
                  record={record}
                  model={info.name}
                  onChange={setValue}
                />
              </div>
            )}
          </Field>
          {zoneField && (zones.data?.length ?? 0) > 1 && (
            <p className="form-text">
              {t('The selected records are in different time zones. They’ll all be set to the same moment.')}
            </p>
          )}
          {!field.required && <p className="form-text">{t('Leave empty to clear this field on all records.')}</p>}
        </>
      )}
    </Dialog>
  );
}

/** Whether bulk editing makes sense for a field. Unique values don't qualify, and the model refuses them anyway. */
function isChangeable(field: FieldInfo): boolean {
  return !field.readonly && field.store && widgetFor(field).Edit !== null;
}
