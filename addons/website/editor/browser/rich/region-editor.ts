import { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import type { Region } from '../dom/regions.ts';
import { overrideAttributes, restoreAttributes } from '../dom/serialize.ts';
import { takingPictures } from './paste.ts';
import { extensionsFor } from './schema.ts';

export interface RegionAbout {
  readonly profile: 'page' | 'comment';
  /** Accessible name of the text. */
  readonly label: string;
  /** Called after each change of text or selection. */
  onUpdate(changed: boolean): void;
  /** Called with pasted or dropped images. */
  onPictures(files: readonly File[]): void;
}

/** Cursor position. */
export type CursorPlace = { readonly x: number; readonly y: number } | 'start' | 'end';

/** Rich-text editor on one region of the page. The region's own element becomes editable. */
export class RegionEditor {
  readonly region: Region;
  readonly editor: Editor;
  readonly #original: string;
  readonly #first: string;

  constructor(region: Region, options: RegionAbout) {
    const { element, kind } = region;
    this.region = region;
    this.#original = element.innerHTML;
    const content = element.innerHTML;
    overrideAttributes(element, {
      ...(element.localName === 'summary' ? {} : { role: 'textbox', 'aria-multiline': 'true' }),
      'aria-label': options.label,
      'data-ed-active': '',
    });
    this.editor = new Editor({
      element: { mount: element },
      content,
      extensions: extensionsFor({ kind, profile: options.profile }),
      injectCSS: false,
      editorProps: {
        ...takingPictures(options.onPictures),
        handleDOMEvents: { mousedown: (_view, event) => this.#selectParagraph(event) },
        handleKeyDown: (_view, event) => this.#typeSpace(event) || this.#takeParagraph(event),
      },
    });
    // Summaries and buttons stay a single tab stop while their text is edited.
    if (element.parentElement?.closest('summary, button')) element.removeAttribute('tabindex');
    // The editor's own normalisation doesn't count as a change.
    this.#first = this.editor.getHTML();
    this.editor.on('update', () => options.onUpdate(true));
    this.editor.on('selectionUpdate', () => options.onUpdate(false));
    this.editor.on('transaction', ({ transaction }) => transaction.docChanged || options.onUpdate(false));
  }

  /** Whether the text changed since it was activated. */
  get changed(): boolean {
    return this.editor.getHTML() !== this.#first;
  }

  /** HTML of the text; exactly the original if unchanged. */
  get html(): string {
    return this.changed ? this.editor.getHTML() : this.#original;
  }

  /**
   * Puts the cursor at the pointer, the start or the end. Synchronous: the editor's own `focus` waits for a frame and would undo the
   * selection of a double click.
   */
  focusAt(place: CursorPlace): void {
    const { view } = this.editor;
    const point = typeof place === 'string' ? null : place;
    const under = point ? document.elementFromPoint(point.x, point.y) : null;
    const position = point ? view.posAtCoords({ left: point.x, top: point.y }) : null;
    if (under instanceof HTMLImageElement && view.dom.contains(under))
      this.editor.commands.setNodeSelection(view.posAtDOM(under, 0));
    else if (position) this.editor.commands.setTextSelection(position.pos);
    else {
      const { doc, tr } = view.state;
      view.dispatch(tr.setSelection(place === 'start' ? Selection.atStart(doc) : Selection.atEnd(doc)));
    }
    view.focus();
  }

  /** Closes the editor and leaves its text in the page. */
  close(): void {
    const { html, region } = this;
    this.editor.destroy();
    region.element.innerHTML = html;
    for (const name of ['contenteditable', 'translate', 'tabindex']) region.element.removeAttribute(name);
    region.element.classList.remove('ProseMirror', 'ProseMirror-focused', 'tiptap');
    restoreAttributes(region.element);
  }

  /** Selects the paragraph or button on the third click; the browser would include the start of the next paragraph. */
  #selectParagraph(event: MouseEvent): boolean {
    const { view, state } = this.editor;
    const position = event.detail === 3 ? view.posAtCoords({ left: event.clientX, top: event.clientY }) : null;
    const place = position && state.doc.resolve(position.pos);
    if (!place?.parent.inlineContent) return false;
    event.preventDefault();
    return isButton(place.nodeBefore ?? place.nodeAfter)
      ? this.editor.chain().setTextSelection(place.pos).extendMarkRange('link').run()
      : this.editor.commands.setTextSelection({ from: place.start(), to: place.end() });
  }

  /** “Select all” selects the paragraph first and the whole text when pressed again. */
  #takeParagraph({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
    if (key !== 'a' || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
    const { $from, $to } = this.editor.state.selection;
    const [from, to] = [$from.start(), $from.end()];
    if (!$from.sameParent($to) || !$from.parent.inlineContent || (from === $from.pos && to === $to.pos)) return false;
    return this.editor.commands.setTextSelection({ from, to });
  }

  /** Types a space: in a summary the space bar would toggle it, and at the end of a button it would leave the link. */
  #typeSpace(event: KeyboardEvent): boolean {
    const { state, dispatch } = this.editor.view;
    const isHeld = this.region.element.localName === 'summary' || isButton(state.selection.$from.nodeBefore);
    if (event.key !== ' ' || !isHeld) return false;
    event.preventDefault();
    dispatch(state.tr.insertText(' ').setMeta('preventAutolink', true));
    return true;
  }
}

/** Returns whether words belong to a link styled as a button. */
function isButton(words: Node | null): boolean {
  return words?.marks.some(({ attrs }) => /\bbtn\b/.test(attrs.class)) ?? false;
}
