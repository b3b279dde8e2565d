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

/** A form at work: its values, and what can be done with them. */
export interface RecordFormState {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly form: ReturnType<typeof useForm<Record<string, unknown>>>;
  /** As they were read. */
  readonly record: FormValues;
  readonly live: FormValues;
  readonly mayChange: boolean;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly conflicts: Conflicts | null;
  /** What is wrong as a whole, in words. */
  readonly message: string;
  /** Sends what was typed; answers the id once it is saved, else null. */
  save(): Promise<number | null>;
  /** Back to what was read. */
  discard(): void;
  /** Goes on after a conflict: for each field with theirs, or with what was typed. */
  settle(choices: Readonly<Record<string, 'mine' | 'theirs'>>): Promise<void>;
  /** Back to what was typed, without saving. */
  leaveConflicts(): void;
}

/** The form of one record; suspends until it is there. */
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
  /** What the server is told that we saw; moves on when a conflict is settled. */
  const before = useRef<FormValues>(record);
  /** What stands there where nothing is typed: what was read, with what follows from what is typed elsewhere. */
  const base = useRef<FormValues>(record);
  const [conflicts, setConflicts] = useState<Conflicts | null>(null);
  const [message, setMessage] = useState('');
  const [isSaving, setSaving] = useState(false);
  /** The save under way: whoever asks meanwhile, a button for one, waits for it. */
  const running = useRef<Promise<number | null> | null>(null);
  /** What the last save was about. */
  const sent = useRef<FormValues>(record);
  /** Where the next one goes: a new record has an id once it is made. */
  const target = useRef(id);
  const { isDirty } = form.formState;
  // What was read anew after saving, or after a button, is what the form shows; what is being typed is not overwritten.
  useEffect(() => {
    if (form.formState.isDirty) return;
    before.current = record;
    base.current = record;
    form.reset({ ...record });
  }, [record, form]);
  const mayChange = id === 'new' ? info.may.create : info.may.write;
  const preview = usePreview({ info, id, form, given: defaults, base, isOn: mayChange });
  const names = useMemo(() => liveFields(info), [info]);
  const watched = useWatch({ control: form.control, name: names });
  const live = { ...record, ...Object.fromEntries(names.map((name, index) => [name, watched[index]])) };

  const send = async (): Promise<number | null> => {
    setMessage('');
    const values = form.getValues();
    const draft = { info, id: target.current, values, before: before.current, base: base.current, defaults };
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
    before.current = values;
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
  /** Shows what was saved; what was typed while it was sent stays. */
  const goOn = (values: FormValues, saved: FormValues): void => {
    const typed = typedSince(form.getValues(), values, saved);
    before.current = saved;
    base.current = saved;
    form.reset({ ...saved });
    sent.current = form.getValues();
    for (const [name, value] of Object.entries(typed)) form.setValue(name, value, { shouldDirty: true });
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
    // What was typed after it went out is what whoever asked meanwhile wants to be saved.
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
      for (const { field, theirs } of conflicts?.fields ?? []) {
        before.current = { ...before.current, [field]: theirs };
        base.current = { ...base.current, [field]: theirs };
        if (choices[field] === 'theirs') form.resetField(field, { defaultValue: theirs });
      }
      setConflicts(null);
      await save();
    },
    leaveConflicts: () => setConflicts(null),
  };
}

/** Nobody is asked for a field that is not shown with what was typed. */
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

/** What the server finds wrong beside its fields, and in the cells of lines. Answers whether all of it is to be seen there. */
function showFaults(
  form: RecordFormState['form'],
  info: ModelInfo,
  fields: Readonly<Record<string, string>>,
  modelOf: (name: string) => ModelInfo | undefined,
): boolean {
  const values = form.getValues();
  const shown = new Set(itemsOf(info).map(({ field }) => field));
  const faults = byKeys(fields, keysOf(values));
  let isFirst = true;
  for (const [name, types] of faults) {
    if (!Object.hasOwn(info.fields, name)) continue;
    const message = isLines(values[name])
      ? faultsBelow(types, values[name], modelOf(info.fields[name]?.relation ?? ''))
      : Object.values(types).join(' ');
    form.setError(name, { type: 'server', message, types }, { shouldFocus: isFirst });
    isFirst = false;
  }
  return [...faults.keys()].every((name) => shown.has(name) || name === info.form.title);
}

/** What is said under a table: what is wrong in its cells is said there. */
function faultsBelow(
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
