import { Editor, Mark } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';
import { notify, t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import type { EditProps } from '../../fields/registry.tsx';
import { placeIn, plainPaste } from '../../lib/paste.ts';
import { plainPhrase } from '../../lib/phrase.ts';
import { isPicture } from '../../lib/pictures.ts';
import { HtmlTools } from './html-tools.tsx';

/**
 * Rich text editor with a toolbar. Content that the editor can't represent, such as page blocks, is edited as HTML so that nothing gets
 * lost.
 */
export default function HtmlEdit(props: EditProps) {
  const initialHtml = typeof props.value === 'string' ? props.value : '';
  const [asSource, setAsSource] = useState(() => initialHtml !== '' && !roundTrips(initialHtml));
  const [mayLeave] = useState(() => initialHtml === '' || roundTrips(initialHtml));
  return (
    <div className={`form-rich${props.invalid ? ' is-invalid' : ''}`}>
      {asSource ? <Source {...props} note={!mayLeave} /> : <Rich {...props} />}
      {mayLeave && (
        <button type="button" className="btn btn-sm btn-link px-0" onClick={() => setAsSource(!asSource)}>
          {asSource ? t('Back to the editor') : t('Edit HTML')}
        </button>
      )}
    </div>
  );
}

const extensions = [
  StarterKit.configure({ heading: { levels: [2, 3, 4] }, link: { openOnClick: false, autolink: false } }),
  Image,
  Mark.create(plainPhrase),
];

/** Maps pasted headings to the levels that the editor supports. */
function withKnownHeadings(html: string): string {
  return html.replace(/<(\/?)h1(?=[\s>])/g, '<$1h2').replace(/<(\/?)h[56](?=[\s>])/g, '<$1h4');
}

function notifyLeftOut(n: number): void {
  notify(t('Images skipped because this field can’t contain any: {n}.', { n }));
}

function Rich({ value, label, field, id, describedBy, invalid, disabled, onChange, onBlur }: EditProps) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [, tick] = useState(0);
  const callbacks = useRef({ onChange, onBlur });
  callbacks.current = { onChange, onBlur };
  const currentHtml = useRef(typeof value === 'string' ? value : '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; later values are typed or set below
  useEffect(() => {
    if (!place.current) return;
    const newEditor = new Editor({
      element: place.current,
      content: currentHtml.current,
      extensions,
      injectCSS: false,
      editable: !disabled,
      editorProps: {
        transformPastedHTML: (html, view) => withKnownHeadings(plainPaste(html, placeIn(view), notifyLeftOut)),
        handlePaste: (_view, { clipboardData: data }) => {
          const pictures = data?.getData('text/plain').trim() ? [] : [...(data?.files ?? [])].filter(isPicture);
          if (pictures.length > 0) notifyLeftOut(pictures.length);
          return pictures.length > 0;
        },
        attributes: {
          id,
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label ?? field.label,
          ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        },
      },
    });
    newEditor.on('update', () => {
      currentHtml.current = newEditor.isEmpty ? '' : newEditor.getHTML();
      callbacks.current.onChange(currentHtml.current || false);
    });
    newEditor.on('blur', () => callbacks.current.onBlur?.());
    newEditor.on('transaction', () => tick((count) => count + 1));
    setEditor(newEditor);
    return () => newEditor.destroy();
  }, []);
  useEffect(() => {
    editor?.view.dom.setAttribute('aria-invalid', String(invalid === true));
  }, [editor, invalid]);
  useEffect(() => {
    // The value changed outside the editor, by discarding or by loading another user's change.
    const text = typeof value === 'string' ? value : '';
    if (!editor || text === currentHtml.current) return;
    currentHtml.current = text;
    editor.commands.setContent(text, { emitUpdate: false });
  }, [editor, value]);
  return (
    <>
      <HtmlTools editor={editor} label={label ?? field.label} />
      <div className="form-rich-place" ref={place} />
    </>
  );
}

function Source({
  value,
  id,
  label,
  field,
  describedBy,
  invalid,
  disabled,
  onChange,
  onBlur,
  note,
}: EditProps & { note: boolean }) {
  return (
    <>
      {note && (
        <p className="form-text mt-0">
          {t('Parts of this text can only be edited on the page itself. It’s shown as HTML here so nothing gets lost.')}
        </p>
      )}
      <textarea
        id={id}
        className="form-control font-monospace"
        rows={12}
        spellCheck={false}
        aria-label={label ?? field.label}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        disabled={disabled}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value || false)}
        onBlur={onBlur}
      />
    </>
  );
}

/** Whether the editor preserves HTML, apart from spaces between elements. */
function roundTrips(html: string): boolean {
  const editor = new Editor({ content: html, extensions, injectCSS: false });
  const back = editor.getHTML();
  editor.destroy();
  return normal(back) === normal(html);
}

function normal(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const link of body.querySelectorAll('a')) for (const name of ['rel', 'target']) link.removeAttribute(name);
  for (const item of body.querySelectorAll('li > p:only-child')) item.replaceWith(...item.childNodes);
  return body.innerHTML.replace(/>\s+</g, '><').replace(/\s+/g, ' ').trim();
}
