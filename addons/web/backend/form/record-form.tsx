import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notify, t } from '#core/browser';
import { toWire, widgetFor } from '../fields/registry.tsx';
import { callKw, createRecord, readRecords, writeRecords } from '../lib/calls.ts';
import { matches } from '../lib/domain.ts';
import { keys, useModel } from '../lib/queries.ts';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import type { FormItemInfo, ModelInfo } from '../types.ts';

/** What a form is of, and what happens once it is saved. */
export interface RecordFormProps {
  readonly model: string;
  readonly id: number | 'new';
  /** Values that a new record begins with, over the model's own. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  onSaved?(id: number): void;
}

/** A record's form, made from the model's view. */
export function RecordForm({ model, id, defaults = {}, onSaved }: RecordFormProps) {
  const info = useModel(model);
  const report = useTrouble();
  const items = itemsOf(info);
  const names = [...new Set([...items.map(({ field }) => field), 'display_name', 'write_date'])];
  const { data: record } = useSuspenseQuery({
    queryKey: [...keys.records(model), 'form', id],
    queryFn: async (): Promise<Readonly<Record<string, unknown>>> =>
      id === 'new'
        ? { ...(await callKw<Record<string, unknown>>(model, 'default_get', [names])), ...defaults }
        : ((await readRecords(model, [id], names))[0] ?? {}),
  });
  const [changes, setChanges] = useState<Readonly<Record<string, unknown>>>({});
  const values = { ...record, ...changes };
  const save = useMutation({
    mutationFn: async () => {
      const wire = Object.fromEntries(
        Object.entries(id === 'new' ? { ...defaults, ...changes } : changes).flatMap(([name, value]) => {
          const field = info.fields[name];
          return field ? [[name, toWire(value, field)]] : [];
        }),
      );
      if (id === 'new') return createRecord(model, wire);
      await writeRecords(model, [id], wire);
      return id;
    },
    onSuccess: (saved) => {
      notify(t('Saved.'));
      setChanges({});
      onSaved?.(saved);
    },
    onError: report,
  });
  return (
    <form
      className="p-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Crumbs here={id === 'new' ? t('New: {name}', { name: info.label }) : String(record.display_name ?? id)} />
      <p>
        <button type="submit" className="btn btn-primary" disabled={save.isPending}>
          {t('Save')}
        </button>
      </p>
      {items
        .filter(({ when }) => !when || matches(when, values))
        .map((item) => {
          const field = info.fields[item.field];
          if (!field) return null;
          const { Show, Edit } = widgetFor(field, item.widget);
          const about = { value: values[field.name], field, record: values, model };
          const input = `field-${field.name}`;
          return (
            <div key={field.name} className="mb-3">
              <label className="form-label" htmlFor={input}>
                {item.label ?? field.label}
              </label>
              {Edit && !field.readonly && (id === 'new' ? info.may.create : info.may.write) ? (
                <Edit {...about} id={input} onChange={(value) => setChanges({ ...changes, [field.name]: value })} />
              ) : (
                <div id={input}>
                  <Show {...about} />
                </div>
              )}
            </div>
          );
        })}
    </form>
  );
}

function itemsOf({ form }: ModelInfo): readonly FormItemInfo[] {
  const items = [...form.sections, ...form.tabs.flatMap(({ sections }) => sections)].flatMap(
    (section) => section.items,
  );
  const title = form.title && !items.some(({ field }) => field === form.title) ? [form.title] : [];
  return [
    ...title.map((field) => ({
      field,
      label: null,
      widget: null,
      when: null,
      readonlyWhen: null,
      columns: null,
      wide: false,
    })),
    ...items.filter(({ field }, index) => items.findIndex((one) => one.field === field) === index),
  ];
}
