import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { callKw } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import type { ModelInfo } from '../types.ts';
import { byKeys, type Known, type Preview, type PreviewDraft, previewDraft, previewedLines } from './preview.ts';
import { type FormValues, isSame, type Line } from './values.ts';
import { companions } from './view.ts';

/** Typing pause before a preview is requested, in milliseconds. */
const PAUSE = 150;

interface PreviewOptions {
  readonly info: ModelInfo;
  readonly id: number | 'new';
  readonly form: UseFormReturn<Record<string, unknown>>;
  /** Initial values of a new record. */
  readonly initial: FormValues;
  /** Values that the form shows without user input. */
  readonly base: RefObject<FormValues>;
  readonly isOn: boolean;
}

/**
 * Updates computed fields while the user types: the server calculates them as if it saved the record, but stores nothing. Each change sends
 * one request, only the latest response is used, and user input is never overwritten.
 */
export function usePreview(options: PreviewOptions): {
  /** Reason why the record can't be saved yet. */
  readonly message: string;
  /** Resolves when the current input has been computed. */
  settled(): Promise<void>;
  /** Requests a new preview after unsaved input was discarded. */
  again(): void;
} {
  const { form, id, isOn } = options;
  const client = useQueryClient();
  const [message, setMessage] = useState('');
  const latest = useRef(options);
  latest.current = options;
  const asking = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let newest = 0;
    let lastRequest = '';
    let running: Promise<void> = Promise.resolve();
    const loaded: Known = {
      model: (name) => client.getQueryData<ModelInfo>(keys.model(name)),
      lines: (model, ids, fields) =>
        ids.length === 0 ? [] : client.getQueryData<readonly Line[]>(keys.lines(model, ids, fields)),
    };
    const ask = async (): Promise<void> => {
      const { info, id: record, form: fields, initial, base } = latest.current;
      const draft = previewDraft(info, { values: fields.getValues(), base: base.current, initial }, loaded);
      const request = JSON.stringify([record, draft.vals, draft.fields]);
      if (request === lastRequest) return;
      lastRequest = request;
      newest += 1;
      const requestNumber = newest;
      const args = [record === 'new' ? false : record, draft.vals, draft.fields];
      // Errors are ignored here; they are reported on save.
      const answer = await callKw<Preview>(info.name, 'preview', args).catch(() => null);
      if (!answer || requestNumber !== newest) return;
      show(latest.current, draft, answer, loaded);
      setMessage(fields.formState.isDirty && answer.message ? answer.message : '');
    };
    const now = (): Promise<void> => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      running = ask();
      return running;
    };
    return {
      now,
      soon: () => {
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(() => void now(), PAUSE);
      },
      settled: () => (timer === null ? running : now()),
      stop: () => {
        if (timer !== null) clearTimeout(timer);
        newest += 1;
      },
    };
  }, [client]);
  useEffect(() => {
    if (!isOn) return;
    if (id === 'new') void asking.now();
    const watching = form.watch((_values, { type, name }) => {
      if (type === 'change' && name) asking.soon();
    });
    return () => {
      watching.unsubscribe();
      asking.stop();
    };
  }, [asking, form, id, isOn]);
  return { message, settled: asking.settled, again: () => void asking.now() };
}

function show(
  { info, form, base }: PreviewOptions,
  { keys: lineKeys }: PreviewDraft,
  { values, problems }: Preview,
  loaded: Known,
): void {
  const companionNames = new Set(companions(info));
  for (const [name, value] of Object.entries(values || {})) {
    const field = info.fields[name];
    if (!field || name === 'id') continue;
    const now = form.getValues(name);
    if (field.kind === 'one2many') {
      const lines = previewedLines(now, value, { keys: lineKeys[name] ?? [], info, field: name }, loaded);
      if (lines) form.setValue(name, lines);
    } else if (isSame(now, base.current[name])) {
      base.current = { ...base.current, [name]: value };
      // A default holds only an id; the response adds its name.
      if (isSame(now, value) && typeof now === typeof value) continue;
      // Most currencies of amounts and time zones of moments have no input.
      if (companionNames.has(name)) form.register(name);
      form.resetField(name, { defaultValue: value });
    }
  }
  const faultsByField = byKeys(problems, lineKeys);
  for (const name of Object.keys(info.fields)) {
    const types = faultsByField.get(name);
    const isTyped = name in lineKeys || !isSame(form.getValues(name), base.current[name]);
    if (types && isTyped) form.setError(name, { type: 'preview', message: types[''] ?? '', types });
    else if (form.getFieldState(name).error?.type === 'preview') form.clearErrors(name);
  }
}
