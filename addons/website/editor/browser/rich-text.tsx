import { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import { pictureAttributes, type Uploaded, upload } from './media.ts';
import { takingPictures } from './rich/paste.ts';
import { extensionsFor } from './rich/schema.ts';
import { LinkDialog } from './ui/link-dialog.tsx';
import { PictureDialog } from './ui/picture-dialog.tsx';
import { TextTools, type ToolSet } from './ui/text-tools.tsx';
import { moveToolFocus } from './ui/tool-button.tsx';

/** Tools that can require permission, such as a minimum karma. */
export type GuardedTool = 'link' | 'unlink' | 'image';

/** Props of the rich-text editor. */
export interface RichTextProps {
  /** Initial HTML. */
  readonly value: string;
  /** Accessible name. */
  readonly label: string;
  /** Name of the form field that submits the HTML. */
  readonly name?: string;
  /** `comment` (the default) has the tools for visitors. `page` adds alignment and keeps styles. */
  readonly tools?: ToolSet;
  readonly placeholder?: string;
  /** Minimum height in lines. */
  readonly rows?: number;
  readonly invalid?: boolean;
  /** Id of the element that describes the field: help or error message. */
  readonly describedBy?: string;
  readonly id?: string;
  onChange?(html: string): void;
  /** Called before a tool is used; return false to block it, after telling the user why. */
  mayUse?(tool: GuardedTool): boolean;
  /** Uploads an image. By default images go to the website's media library, which accepts them from employees and `pictureWriters`. */
  upload?(file: File): Promise<Uploaded>;
}

/** Rich-text field with its toolbar, for forms. Its HTML is what `sanitizeHtml(html, 'comment')` keeps; an empty text is ''. */
export default function RichText(props: RichTextProps) {
  const { value, label, name, tools = 'comment', placeholder, rows = 6, invalid = false, describedBy, id } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [editor, setEditor] = useState<Editor | null>(null);
  const [html, setHtml] = useState(value);
  const [, tick] = useState(0);
  const [openDialog, setOpenDialog] = useState<'link' | 'picture' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; later values come from typing
  useEffect(() => {
    if (!place.current) return;
    const newEditor = makeEditor(place.current, {
      content: value,
      tools,
      label,
      id,
      describedBy,
      onPictures: (files) => void insert(newEditor, files),
    });
    newEditor.registerPlugin(guardLinks((tool) => latest.current.mayUse?.(tool) !== false));
    newEditor.on('update', () => {
      const next = newEditor.isEmpty ? '' : newEditor.getHTML();
      setHtml(next);
      latest.current.onChange?.(next);
    });
    newEditor.on('transaction', () => tick((count) => count + 1));
    setEditor(newEditor);
    return () => newEditor.destroy();
  }, []);
  useEffect(() => {
    editor?.view.dom.setAttribute('aria-invalid', String(invalid));
  }, [editor, invalid]);

  const insert = async (into: Editor, files: readonly File[]): Promise<void> => {
    if (latest.current.mayUse?.('image') === false) return;
    for (const file of files) {
      const uploaded = await (latest.current.upload?.(file) ?? upload(file, 'picture')).catch(() => null);
      if (uploaded) insertInto(into, uploaded);
      else setOpenDialog('picture');
    }
  };
  const open = (window: 'link' | 'picture'): void => {
    const tool = window === 'picture' ? 'image' : editor?.isActive('link') ? 'unlink' : 'link';
    if (props.mayUse?.(tool) !== false) setOpenDialog(window);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the editor's own shortcut
    <div
      className={`rich-text${invalid ? ' is-invalid' : ''}`}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !openDialog) {
          event.preventDefault();
          open('link');
        }
      }}
    >
      <div
        className="rich-text-tools"
        role="toolbar"
        aria-label={t('Tools for {label}', { label })}
        onKeyDown={moveToolFocus}
      >
        <TextTools
          editor={editor}
          tools={tools}
          isLine={false}
          onLink={() => open('link')}
          onPicture={() => open('picture')}
        />
      </div>
      <div
        className="rich-text-place"
        style={{ minHeight: `${rows * 1.6 + 1.5}em` }}
        data-placeholder={html === '' ? placeholder : undefined}
      >
        <div ref={place} />
      </div>
      {name ? <textarea name={name} value={html} readOnly hidden /> : null}
      {openDialog === 'link' && editor ? (
        <LinkDialog editor={editor} isPage={tools === 'page'} onClose={() => setOpenDialog(null)} />
      ) : null}
      {openDialog === 'picture' && editor ? (
        <PictureDialog
          upload={props.upload}
          onClose={() => setOpenDialog(null)}
          onChoose={(picture) => {
            insertInto(editor, picture);
            setOpenDialog(null);
          }}
        />
      ) : null}
    </div>
  );
}

/** Marks a transaction that only reverts links, which is always allowed. */
const TAKEN_BACK = 'links taken back';

/**
 * Protects links from users who may not use them, with any tool, key or paste: none can be removed, and typed or pasted addresses stay
 * text.
 */
function guardLinks(mayUse: (tool: 'link' | 'unlink') => boolean): Plugin {
  // `mayUse` tells the user why, once per transaction is enough.
  let isRefused = false;
  const mayLink = (): boolean => {
    isRefused ||= !mayUse('link');
    return !isRefused;
  };
  return new Plugin({
    filterTransaction: (transaction, { doc }) =>
      !transaction.docChanged ||
      Boolean(transaction.getMeta(TAKEN_BACK)) ||
      linksIn(doc).isSubsetOf(linksIn(transaction.doc)) ||
      mayUse('unlink'),
    appendTransaction: (transactions, { doc: previousDoc }, { doc, tr, schema }) => {
      const link = schema.marks.link;
      if (!link || !transactions.some(({ docChanged }) => docChanged)) return null;
      const knownLinks = linksIn(previousDoc);
      if (linksIn(doc).isSubsetOf(knownLinks) || mayLink()) return null;
      doc.descendants((node, position) => {
        const added = node.marks.find(({ type, attrs }) => type === link && !knownLinks.has(attrs.href));
        if (added) tr.removeMark(position, position + node.nodeSize, added);
      });
      return tr.setMeta(TAKEN_BACK, true);
    },
  });
}

/** Link targets in a text. */
function linksIn(doc: Node): Set<unknown> {
  const addresses = new Set<unknown>();
  doc.descendants(({ marks }) => {
    for (const { type, attrs } of marks) if (type.name === 'link') addresses.add(attrs.href);
  });
  return addresses;
}

function insertInto(editor: Editor, picture: Uploaded): void {
  const { src, alt, width, height } = pictureAttributes(picture);
  editor
    .chain()
    .focus()
    .insertContent({ type: 'image', attrs: { src, alt, width: width ?? null, height: height ?? null } })
    .run();
}

interface EditorAbout {
  readonly content: string;
  readonly tools: ToolSet;
  readonly label: string;
  readonly id: string | undefined;
  readonly describedBy: string | undefined;
  onPictures(files: readonly File[]): void;
}

function makeEditor(element: HTMLElement, { content, tools, label, id, describedBy, onPictures }: EditorAbout): Editor {
  return new Editor({
    element,
    content,
    extensions: extensionsFor({ kind: 'flow', profile: tools }),
    injectCSS: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(id ? { id } : {}),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      },
      ...takingPictures(onPictures),
    },
  });
}
