import { ready, t } from '#core/browser';
import { keepDraft, readDraft } from '../browser/drafts.ts';
import { refuse } from '../browser/says.ts';
import { htmlFromTyped, looksLikeHtml, looksLikeMarkdown } from '../services/markdown.ts';

/** Milliseconds after the last letter before a draft is kept. */
const PAUSE = 600;
const fields = ['question_name', 'content', 'question_tags'] as const;

/**
 * A form to write a question or answer (`[data-forum-write]`, the name of its draft): what is typed is kept in this browser until it is sent, Markdown
 * that is pasted becomes what it means, and links and pictures are for those with the karma for them.
 */
export default function write(form: HTMLElement): (() => void) | undefined {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const name = form.dataset.forumWrite ?? '';
  const base = valuesOf(form);
  restore(form, name, base);
  let timer = 0;
  const typed = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => keep(form, name, base), PAUSE);
  };
  const tool = (event: Event): void => {
    if (form.dataset.editorAllowed !== 'no') return;
    event.preventDefault();
    void refuse(() => t('Sorry you need more than 30 Karma.'));
  };
  const sent = (): void => {
    clearTimeout(timer);
    // Kept until it is seen on the site: the way there may be cut, or the session over.
    keepDraft(name, { at: Date.now(), base, values: valuesOf(form), sent: true });
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

function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(fields.map((name) => [name, fieldOf(form, name)?.value ?? '']));
}

function same(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return fields.every((name) => (one[name] ?? '').trim() === (other[name] ?? '').trim());
}

function keep(form: HTMLFormElement, name: string, base: Readonly<Record<string, string>>): void {
  const values = valuesOf(form);
  const isPlain = same(values, base);
  if (keepDraft(name, isPlain ? null : { at: Date.now(), base, values }))
    void note(form, isPlain ? '' : t('Draft kept in this browser.'));
}

/** Brings a draft back where it was begun. A form that comes back with what was sent keeps that. */
function restore(form: HTMLFormElement, name: string, base: Readonly<Record<string, string>>): void {
  const draft = readDraft(name);
  if (!draft || !same(draft.base, base)) return;
  for (const field of fields) {
    const input = fieldOf(form, field);
    const value = draft.values[field];
    if (!input || value === undefined) continue;
    input.value = value;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
  void ready.then(() => note(form, t('Your draft is back.')));
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
