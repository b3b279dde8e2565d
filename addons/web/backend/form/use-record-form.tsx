import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Resolver, useForm, useWatch } from 'react-hook-form';
import type { Conflicts } from '../lib/calls.ts';
import { keys, useModel } from '../lib/queries.ts';
import { useTrouble } from '../lib/trouble.tsx';
import type { ModelInfo } from '../types.ts';
import { byKeys, keysOf } from './preview.ts';
import { saveDraft } from './save.ts';
import { schemaOf } from './schema.ts';
import { usePreview } from './use-preview.ts';
import { readRecord, recordKey, useRecord } from './use-record.ts';
import { type FormValues, isLines, isSame, type Lines, typedSince } from './values.ts';
import { fieldsToRead, hiddenFields, itemsOf, liveFields } from './view.ts';

/** State of a record form and its actions. */
export interface RecordFormState {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly form: ReturnType<typeof useForm<Record<string, unknown>>>;
  /** Values as loaded. */
  readonly record: FormValues;
  readonly live: FormValues;
  readonly mayChange: boolean;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly conflicts: Conflicts | null;
  /** Error text of the form as a whole. */
  readonly message: string;
  /** Saves the form. Returns the record's id, or null if it wasn't saved. */
  save(): Promise<number | null>;
  /** Restores the loaded values. */
  discard(): void;
  /** Resolves a conflict: for each field, keeps the saved value or the user's. */
  settle(choices: Readonly<Record<string, 'mine' | 'theirs'>>): Promise<void>;
  /** Returns to the form without saving. */
  leaveConflicts(): void;
}

/** State of a record's form; suspends until the record has loaded. */
export function useRecordForm(
  model: string,
  id: number | 'new',
  { defaults = {}, onSaved }: { defaults?: FormValues; onSaved?(id: number): void } = {},
): RecordFormState {
  const info = useModel(model);
  const client = useQueryClient();
  const report = useTrouble();
  const record = useRecord(info, id, defaults);
  const form = useForm<Record<string, unknown>>({
    defaultValues: { ...record },
    resolver: useMemo(() => resolverOf(info), [info]),
    mode: 'onTouched',
    shouldFocusError: true,
  });
  /** Values sent to the server as last seen; updated when a conflict is resolved. */
  const loaded = useRef<FormValues>(record);
  /** Values shown without user input: the loaded ones, updated by computed fields. */
  const base = useRef<FormValues>(record);
  const [conflicts, setConflicts] = useState<Conflicts | null>(null);
  const [message, setMessage] = useState('');
  const [isSaving, setSaving] = useState(false);
  /** Save in progress. Further calls, for example by a button, wait for it. */
  const running = useRef<Promise<number | null> | null>(null);
  /** Values of the last save. */
  const sent = useRef<FormValues>(record);
  /** Record that the next save writes to: a new record has an id once it has been created. */
  const target = useRef(id);
  const { isDirty } = form.formState;
  // Shows the values that were reloaded after saving or after a button, unless there are unsaved changes.
  useEffect(() => {
    if (form.formState.isDirty) return;
    loaded.current = record;
    base.current = record;
    form.reset({ ...record });
  }, [record, form]);
  const mayChange = id === 'new' ? info.may.create : info.may.write;
  const preview = usePreview({ info, id, form, initial: defaults, base, isOn: mayChange });
  const names = useMemo(() => liveFields(info), [info]);
  const watched = useWatch({ control: form.control, name: names });
  const live = { ...record, ...Object.fromEntries(names.map((name, index) => [name, watched[index]])) };

  const send = async (): Promise<number | null> => {
    setMessage('');
    const values = form.getValues();
    const draft = { info, id: target.current, values, loaded: loaded.current, base: base.current, defaults };
    sent.current = values;
    const result = await saveDraft(draft);
    if (result.kind === 'stopped') return null;
    if (result.kind === 'conflict') {
      setConflicts(result.conflicts);
      return null;
    }
    if (result.kind === 'invalid') {
      const isShown = showFaults(form, info, result.fields, (name) => client.getQueryData<ModelInfo>(keys.model(name)));
      setMessage(isShown ? t('Some fields need your attention.') : result.message);
      return null;
    }
    setConflicts(null);
    target.current = result.id;
    if (id === 'new' && !isSame(form.getValues(), values)) {
      goOn(values, await readRecord(info, result.id));
      return send();
    }
    loaded.current = values;
    base.current = values;
    form.reset(values, { keepValues: true });
    notify(t('Saved.'));
    if (id !== 'new') {
      await client.invalidateQueries({ queryKey: keys.records(model) });
      const read = client.getQueryState<FormValues>(recordKey(model, id));
      if (read?.data && !read.isInvalidated) goOn(values, read.data);
    }
    onSaved?.(result.id);
    return result.id;
  };
  /** Shows the saved values and keeps input typed during the save. */
  const goOn = (values: FormValues, saved: FormValues): void => {
    const edits = typedSince(form.getValues(), values, saved);
    loaded.current = saved;
    base.current = saved;
    form.reset({ ...saved });
    sent.current = form.getValues();
    for (const [name, value] of Object.entries(edits)) form.setValue(name, value, { shouldDirty: true });
  };
  const saveOnce = async (): Promise<number | null> => {
    let saved: number | null = null;
    setSaving(true);
    await preview.settled();
    sent.current = form.getValues();
    await form
      .handleSubmit(
        async () => {
          saved = await send();
        },
        () => setMessage(t('Some fields need your attention.')),
      )()
      .catch(report)
      .finally(() => setSaving(false));
    return saved;
  };
  const save = async (): Promise<number | null> => {
    if (!running.current) {
      running.current = saveOnce().finally(() => {
        running.current = null;
      });
      return running.current;
    }
    const saved = await running.current;
    // Input typed during the save has to be saved as well.
    return isSame(form.getValues(), sent.current) ? saved : save();
  };
  return {
    info,
    id,
    form,
    record,
    live,
    mayChange,
    isDirty,
    isSaving,
    conflicts,
    message: message || (isDirty ? preview.message : ''),
    save,
    discard: () => {
      setMessage('');
      base.current = record;
      form.reset({ ...record });
      preview.again();
    },
    settle: async (choices) => {
      for (const { field, theirs: savedValue } of conflicts?.fields ?? []) {
        loaded.current = { ...loaded.current, [field]: savedValue };
        base.current = { ...base.current, [field]: savedValue };
        if (choices[field] === 'theirs') form.resetField(field, { defaultValue: savedValue });
      }
      setConflicts(null);
      await save();
    },
    leaveConflicts: () => setConflicts(null),
  };
}

/** Validates the form. Fields hidden by the current values are not required. */
function resolverOf(info: ModelInfo): Resolver<Record<string, unknown>> {
  const names = [...new Set(itemsOf(info).map(({ field }) => field))];
  const read = fieldsToRead(info);
  return (values, context, options) => {
    const schema = schemaOf(
      info,
      names.filter((name) => read.includes(name)),
      hiddenFields(info, values),
      values,
    );
    return zodResolver(schema)(values, context, options) as ReturnType<Resolver<Record<string, unknown>>>;
  };
}

/** Shows the server's errors at fields and in cells of lines. Returns whether all of them are visible. */
function showFaults(
  form: RecordFormState['form'],
  info: ModelInfo,
  fields: Readonly<Record<string, string>>,
  modelOf: (name: string) => ModelInfo | undefined,
): boolean {
  const values = form.getValues();
  const visible = new Set(itemsOf(info).map(({ field }) => field));
  const faults = byKeys(fields, keysOf(values));
  let isFirst = true;
  for (const [name, types] of faults) {
    if (!Object.hasOwn(info.fields, name)) continue;
    const message = isLines(values[name])
      ? tableFaults(types, values[name], modelOf(info.fields[name]?.relation ?? ''))
      : Object.values(types).join(' ');
    form.setError(name, { type: 'server', message, types }, { shouldFocus: isFirst });
    isFirst = false;
  }
  return [...faults.keys()].every((name) => visible.has(name) || name === info.form.title);
}

/** Returns the errors to show below a table, without errors shown in its cells. */
function tableFaults(
  types: Readonly<Record<string, string>>,
  { columns }: Lines,
  lines: ModelInfo | undefined,
): string {
  const texts = Object.entries(types).flatMap(([path, text]) => {
    const column = path.split('.').at(-1) ?? '';
    if (path.includes('.') && columns.includes(column)) return [];
    const label = lines?.fields[column]?.label;
    return [label ? t('{field}: {text}', { field: label, text }) : text];
  });
  return texts.length > 0 ? texts.join(' ') : t('Some lines need your attention.');
}
