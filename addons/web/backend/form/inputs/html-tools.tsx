import type { Editor } from '@tiptap/core';
import { t } from 'pergola/browser';
import { type KeyboardEvent, useState } from 'react';
import { PromptDialog } from '../../../kit/prompt-dialog.tsx';
import { Icon } from '../../lib/icon.tsx';

/** Toolbar of the rich text editor: a single tab stop, with arrow keys inside. */
export function HtmlTools({ editor, label }: { editor: Editor | null; label: string }) {
  const [isLinking, setLinking] = useState(false);
  const run = (act: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>): void => {
    if (editor) act(editor.chain().focus()).run();
  };
  const tools = [
    { icon: 'type-bold', name: t('Bold'), on: 'bold', act: () => run((chain) => chain.toggleBold()) },
    { icon: 'type-italic', name: t('Italic'), on: 'italic', act: () => run((chain) => chain.toggleItalic()) },
    {
      icon: 'type-h2',
      name: t('Heading'),
      on: 'heading',
      act: () => run((chain) => chain.toggleHeading({ level: 2 })),
    },
    { icon: 'list-ul', name: t('List'), on: 'bulletList', act: () => run((chain) => chain.toggleBulletList()) },
    {
      icon: 'list-ol',
      name: t('Numbered list'),
      on: 'orderedList',
      act: () => run((chain) => chain.toggleOrderedList()),
    },
    { icon: 'quote', name: t('Quote'), on: 'blockquote', act: () => run((chain) => chain.toggleBlockquote()) },
    { icon: 'link-45deg', name: t('Link'), on: 'link', act: () => setLinking(true) },
    { icon: 'arrow-counterclockwise', name: t('Undo'), on: '', act: () => run((chain) => chain.undo()) },
    { icon: 'arrow-clockwise', name: t('Redo'), on: '', act: () => run((chain) => chain.redo()) },
  ];
  return (
    <div className="form-rich-tools" role="toolbar" aria-label={t('Tools for {label}', { label })} onKeyDown={walk}>
      {tools.map(({ icon, name, on, act }, index) => {
        const isOn = on !== '' && editor?.isActive(on) === true;
        return (
          <button
            key={icon}
            type="button"
            className={`btn btn-sm btn-icon${isOn ? ' active' : ''}`}
            title={name}
            aria-label={name}
            aria-pressed={on === '' || on === 'link' ? undefined : isOn}
            tabIndex={index === 0 ? 0 : -1}
            onClick={act}
          >
            <Icon name={icon} />
          </button>
        );
      })}
      {isLinking && editor && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(index + step + buttons.length) % buttons.length]?.focus();
}

function LinkDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const initialHref: unknown = editor.getAttributes('link').href;
  const isLink = typeof initialHref === 'string';
  const [fault, setFault] = useState('');
  const set = (href: string): void => {
    if (!/^(https?:\/\/|mailto:|tel:|\/|#)\S*$/i.test(href)) {
      setFault(t('You must enter a URL to Create a Link'));
      return;
    }
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && initialHref === undefined)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
    onClose();
  };
  const remove = (): void => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onClose();
  };
  return (
    <PromptDialog
      title={t('Link')}
      label={t('Address')}
      value={isLink ? initialHref : ''}
      error={fault}
      inputMode="url"
      optional
      confirm={t('OK')}
      foot={
        isLink && (
          <button type="button" className="btn btn-outline-secondary me-auto" onClick={remove}>
            {t('Remove link')}
          </button>
        )
      }
      onAnswer={set}
      onClose={onClose}
    />
  );
}
