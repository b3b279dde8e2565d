import { notify, t } from 'pergola/browser';
import { Token } from 'pergola/islands';
import { type ClipboardEvent, type ComponentProps, type RefObject, useEffect } from 'react';
import { looksLikeMarkdown } from '../../services/text-kind.ts';
import type { useDraft } from './use-draft.ts';

interface Props extends ComponentProps<'form'> {
  readonly draft: ReturnType<typeof useDraft>;
  /** Whether the author has the karma for links and images. */
  readonly mayUseTools: boolean;
}

/** Form for writing a question or answer: stores a draft, converts pasted Markdown, and allows links and images with enough karma. */
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

/** Status message of the draft. */
export function DraftNote({ draft }: Pick<Props, 'draft'>) {
  return (
    <p className="form-text" data-draft-note role="status">
      {draft.note}
    </p>
  );
}

/** Rejects tools of the rich-text editor. React has no prop for its `richtext:tool` event. */
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

/** Converts pasted plain text that looks like Markdown into rich text. */
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
  const markdownPaste = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
  handled.add(markdownPaste);
  editor.dispatchEvent(markdownPaste);
}
