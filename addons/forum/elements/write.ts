import { ready, t } from '#core/browser';
import { refuse } from '../browser/says.ts';
import { htmlFromTyped, looksLikeHtml, looksLikeMarkdown } from '../services/markdown.ts';

/** Milliseconds after the last letter before a draft is kept. */
const PAUSE = 600;
/** Drafts older than this are forgotten, in milliseconds. */
const KEPT = 30 * 86_400_000;
const fields = ['question_name', 'content', 'question_tags'] as const;

interface Draft {
  readonly at: number;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A form to write a question or answer (`[data-forum-write]`, the name of its draft): what is typed is kept in this browser until it is sent, Markdown
 * that is pasted becomes what it means, and links and pictures are for those with the karma for them.
 */
export default function write(form: HTMLElement): (() => void) | undefined {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const key = `forum.draft.${form.dataset.forumWrite ?? ''}`;
  restore(form, key);
  let timer = 0;
  const typed = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => keep(form, key), PAUSE);
  };
  const tool = (event: Event): void => {
    if (form.dataset.editorAllowed !== 'no') return;
    event.preventDefault();
    void refuse(() => t('Sorry you need more than 30 Karma.'));
  };
  const sent = (): void => {
    clearTimeout(timer);
    forget(key);
  };
  form.addEventListener('input', typed);
  form.addEventListener('richtext:tool', tool);
  form.addEventListener('paste', pasteMarkdown, { capture: true });
  form.addEventListener('submit', sent);
  return () => {
    clearTimeout(timer);
    form.removeEventListener('input', typed);
    form.removeEventListener('richtext:tool', tool);
    form.removeEventListener('paste', pasteMarkdown, { capture: true });
    form.removeEventListener('submit', sent);
  };
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

function fieldOf(form: HTMLFormElement, name: string): Typed | null {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null;
}

function keep(form: HTMLFormElement, key: string): void {
  const values = Object.fromEntries(fields.map((name) => [name, fieldOf(form, name)?.value ?? '']));
  const isEmpty = Object.values(values).every((value) => value.trim() === '');
  try {
    if (isEmpty) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ at: Date.now(), values } satisfies Draft));
    void note(form, isEmpty ? '' : t('Draft kept in this browser.'));
  } catch {
    // A browser that keeps nothing is no reason to disturb who writes.
  }
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** Fills empty fields from the draft. A form that comes back with what was sent keeps that. */
function restore(form: HTMLFormElement, key: string): void {
  const draft = readDraft(key);
  if (!draft) return;
  const isNew = fields.every((name) => !(fieldOf(form, name)?.value ?? '').trim());
  if (!isNew) return;
  for (const name of fields) {
    const field = fieldOf(form, name);
    if (!field || !draft.values[name]) continue;
    field.value = draft.values[name] ?? '';
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  void ready.then(() => note(form, t('Your draft is back.')));
}

function readDraft(key: string): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return draft && Date.now() - draft.at < KEPT && typeof draft.values === 'object' ? draft : null;
  } catch {
    return null;
  }
}

async function note(form: HTMLFormElement, text: string): Promise<void> {
  await ready;
  const place = form.querySelector('[data-draft-note]');
  if (place) place.textContent = text;
}

const handled = new WeakSet<Event>();

/** Plain text that reads like Markdown is pasted into the rich text as what it means. */
function pasteMarkdown(event: ClipboardEvent): void {
  const target = event.target instanceof Element ? event.target.closest('[contenteditable]') : null;
  const data = event.clipboardData;
  if (!target || !data || handled.has(event)) return;
  const text = data.getData('text/plain');
  if (data.types.includes('text/html') || data.files.length > 0 || looksLikeHtml(text) || !looksLikeMarkdown(text))
    return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const converted = new DataTransfer();
  converted.setData('text/html', htmlFromTyped(text));
  converted.setData('text/plain', text);
  const again = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: converted });
  handled.add(again);
  target.dispatchEvent(again);
}
