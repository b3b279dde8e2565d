import { t } from 'pergola/browser';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { keepDraft, readDraft } from './drafts.ts';

/** Milliseconds after the last keystroke before a draft is stored. */
const PAUSE = 600;
const fields = ['question_name', 'content', 'question_tags'] as const;
type Values = Readonly<Record<string, string>>;

/**
 * Stores form input in the browser until the post is visible on the site, and restores it when the same form is opened again. A form that
 * was rejected keeps its submitted values.
 *
 * @param restored receives the restored values, for React state
 */
export function useDraft(name: string, restored: (values: Values) => void = () => {}) {
  const form = useRef<HTMLFormElement>(null);
  const base = useRef<Values>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [note, setNote] = useState('');
  const restore = useEffectEvent(() => {
    base.current = valuesOf(form.current, 'defaultValue');
    const draft = readDraft(name);
    // Input from before hydration is newer than the draft.
    if (!draft || !same(draft.base, base.current) || !same(valuesOf(form.current), base.current)) return;
    for (const field of ['question_name', 'content']) {
      const input = fieldOf(form.current, field);
      const value = draft.values[field];
      if (!input || value === undefined) continue;
      input.value = value;
      // Notifies the rich-text editor.
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
    restored(draft.values);
    setNote(t('Draft restored.'));
  });
  useEffect(() => {
    restore();
    return () => clearTimeout(timer.current);
  }, []);
  const keep = (): void => {
    const values = valuesOf(form.current);
    const isPlain = same(values, base.current);
    if (keepDraft(name, isPlain ? null : { at: Date.now(), base: base.current, values }))
      setNote(isPlain ? '' : t('Draft saved in this browser.'));
  };
  return {
    name,
    form,
    note,
    typed: (): void => {
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, PAUSE);
    },
    /** Keeps the draft until the post is visible, in case the connection drops or the session expires. */
    sent: (): void => {
      clearTimeout(timer.current);
      keepDraft(name, { at: Date.now(), base: base.current, values: valuesOf(form.current), sent: true });
    },
  };
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | HTMLTextAreaElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null;
}

function valuesOf(form: HTMLFormElement | null, property: 'value' | 'defaultValue' = 'value'): Values {
  return Object.fromEntries(fields.map((name) => [name, fieldOf(form, name)?.[property] ?? '']));
}

function same(a: Values, b: Values): boolean {
  return fields.every((name) => (a[name] ?? '').trim() === (b[name] ?? '').trim());
}
