import { notify, t } from 'pergola/browser';
import { Token } from 'pergola/islands';
import { type ClipboardEvent, type ComponentProps, type RefObject, useEffect } from 'react';
import { looksLikeMarkdown } from '../../services/text-kind.ts';
import type { useDraft } from './use-draft.ts';

interface Props extends ComponentProps<'form'> {
  readonly draft: ReturnType<typeof useDraft>;
  /** Whether the writer has the karma for links and pictures. */
  readonly mayUseTools: boolean;
}

/**
 * A form to write a question or answer: what is typed is kept as a draft, Markdown that is pasted becomes what it means, and links and pictures are for
 * those with the karma for them.
 */
export function WriteForm({ draft, mayUseTools, children, ...form }: Props) {
  useRefusedTools(draft.form, !mayUseTools);
  return (
    <form
      {...form}
      ref={draft.form}
      method="post"
      data-forum-write={draft.name}
      data-editor-allowed={mayUseTools ? 'yes' : 'no'}
      onInput={draft.typed}
      onSubmit={draft.sent}
      onPasteCapture={pasteMarkdown}
    >
      <Token />
      {children}
    </form>
  );
}

/** Says what happened to the draft. */
export function DraftNote({ draft }: Pick<Props, 'draft'>) {
  return (
    <p className="form-text" data-draft-note role="status">
      {draft.note}
    </p>
  );
}

/** Refuses what the rich-text editor asks about (`richtext:tool`, which React has no name for). */
function useRefusedTools(form: RefObject<HTMLFormElement | null>, isRefused: boolean): void {
  useEffect(() => {
    const element = form.current;
    if (!element || !isRefused) return;
    const refuse = (event: Event): void => {
      event.preventDefault();
      notify(t('Sorry you need more than 30 Karma.'), 'alert');
    };
    element.addEventListener('richtext:tool', refuse);
    return () => element.removeEventListener('richtext:tool', refuse);
  }, [form, isRefused]);
}

const handled = new WeakSet<Event>();

/** Plain text that reads like Markdown is pasted into the rich text as what it means. */
function pasteMarkdown({ target, clipboardData: data, nativeEvent: event }: ClipboardEvent): void {
  const editor = target instanceof Element ? target.closest('[contenteditable]') : null;
  if (!editor || !data || handled.has(event)) return;
  const text = data.getData('text/plain');
  // VS Code adds its colours as HTML.
  const hasHtml = data.types.includes('text/html') && !/"mode":\s*"markdown"/.test(data.getData('vscode-editor-data'));
  if (hasHtml || data.files.length > 0 || !looksLikeMarkdown(text)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const linkify = editor.closest<HTMLElement>('form')?.dataset.editorAllowed === 'yes';
  void pasteAsHtml(editor, text, linkify);
}

async function pasteAsHtml(editor: Element, text: string, linkify: boolean): Promise<void> {
  const { htmlFromMarkdown } = await import('../../services/markdown.ts');
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', htmlFromMarkdown(text, { linkify }));
  clipboardData.setData('text/plain', text);
  const again = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
  handled.add(again);
  editor.dispatchEvent(again);
}
