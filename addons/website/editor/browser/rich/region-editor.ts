import { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import type { Region } from '../dom/regions.ts';
import { lendAttributes, returnAttributes } from '../dom/serialize.ts';
import { takingPictures } from './paste.ts';
import { extensionsFor } from './schema.ts';

export interface RegionAbout {
  readonly profile: 'page' | 'comment';
  /** What screen readers call the text. */
  readonly label: string;
  /** After each change of text or selection. */
  onUpdate(changed: boolean): void;
  /** Pictures that were pasted or dropped in. */
  onPictures(files: readonly File[]): void;
}

/** Where the cursor goes. */
export type CursorPlace = { readonly x: number; readonly y: number } | 'start' | 'end';

/** The rich-text editor on one region of the page, while it is in use. The region's element itself is what is typed in. */
export class RegionEditor {
  readonly region: Region;
  readonly editor: Editor;
  readonly #original: string;
  readonly #first: string;

  constructor(region: Region, about: RegionAbout) {
    const { element, kind } = region;
    this.region = region;
    this.#original = element.innerHTML;
    const content = element.innerHTML;
    lendAttributes(element, {
      ...(element.localName === 'summary' ? {} : { role: 'textbox', 'aria-multiline': 'true' }),
      'aria-label': about.label,
      'data-ed-active': '',
    });
    this.editor = new Editor({
      element: { mount: element },
      content,
      extensions: extensionsFor({ kind, profile: about.profile }),
      injectCSS: false,
      editorProps: {
        ...takingPictures(about.onPictures),
        handleDOMEvents: { mousedown: (_view, event) => this.#selectParagraph(event) },
        handleKeyDown: (_view, event) => this.#typeSpace(event) || this.#takeParagraph(event),
      },
    });
    // What opens or is pressed is one stop, whatever is typed in it.
    if (element.parentElement?.closest('summary, button')) element.removeAttribute('tabindex');
    // What the editor makes of the text by itself is no change of the person's.
    this.#first = this.editor.getHTML();
    this.editor.on('update', () => about.onUpdate(true));
    this.editor.on('selectionUpdate', () => about.onUpdate(false));
    this.editor.on('transaction', ({ transaction }) => transaction.docChanged || about.onUpdate(false));
  }

  /** Whether the text is another one than when it was taken up. */
  get changed(): boolean {
    return this.editor.getHTML() !== this.#first;
  }

  /** The text as HTML: to the letter what it was while nothing was changed. */
  get html(): string {
    return this.changed ? this.editor.getHTML() : this.#original;
  }

  /**
   * Puts the cursor where the pointer is, or at the end or start. Done when it returns: the editor's own `focus` waits for a frame, and would undo what a
   * second click has selected meanwhile.
   */
  focusAt(place: CursorPlace): void {
    const { view } = this.editor;
    const point = typeof place === 'string' ? null : place;
    const under = point ? document.elementFromPoint(point.x, point.y) : null;
    const found = point ? view.posAtCoords({ left: point.x, top: point.y }) : null;
    if (under instanceof HTMLImageElement && view.dom.contains(under))
      this.editor.commands.setNodeSelection(view.posAtDOM(under, 0));
    else if (found) this.editor.commands.setTextSelection(found.pos);
    else {
      const { doc, tr } = view.state;
      view.dispatch(tr.setSelection(place === 'start' ? Selection.atStart(doc) : Selection.atEnd(doc)));
    }
    view.focus();
  }

  /** Ends the editor and leaves its text in the page. */
  close(): void {
    const { html, region } = this;
    this.editor.destroy();
    region.element.innerHTML = html;
    for (const name of ['contenteditable', 'translate', 'tabindex']) region.element.removeAttribute(name);
    region.element.classList.remove('ProseMirror', 'ProseMirror-focused', 'tiptap');
    returnAttributes(region.element);
  }

  /** The third click takes the paragraph, or the button; the browser would take the beginning of the next paragraph with it. */
  #selectParagraph(event: MouseEvent): boolean {
    const { view, state } = this.editor;
    const at = event.detail === 3 ? view.posAtCoords({ left: event.clientX, top: event.clientY }) : null;
    const place = at && state.doc.resolve(at.pos);
    if (!place?.parent.inlineContent) return false;
    event.preventDefault();
    return isButton(place.nodeBefore ?? place.nodeAfter)
      ? this.editor.chain().setTextSelection(place.pos).extendMarkRange('link').run()
      : this.editor.commands.setTextSelection({ from: place.start(), to: place.end() });
  }

  /** “Select all” takes the paragraph first, and the whole text when it is pressed again. */
  #takeParagraph({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
    if (key !== 'a' || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
    const { $from, $to } = this.editor.state.selection;
    const [from, to] = [$from.start(), $from.end()];
    if (!$from.sameParent($to) || !$from.parent.inlineContent || (from === $from.pos && to === $to.pos)) return false;
    return this.editor.commands.setTextSelection({ from, to });
  }

  /** In a summary the space bar would open and close it instead of writing a space; at the end of a button it would leave that. */
  #typeSpace(event: KeyboardEvent): boolean {
    const { state, dispatch } = this.editor.view;
    const isHeld = this.region.element.localName === 'summary' || isButton(state.selection.$from.nodeBefore);
    if (event.key !== ' ' || !isHeld) return false;
    event.preventDefault();
    dispatch(state.tr.insertText(' ').setMeta('preventAutolink', true));
    return true;
  }
}

/** Words of a link that looks like a button. */
function isButton(words: Node | null): boolean {
  return words?.marks.some(({ attrs }) => /\bbtn\b/.test(attrs.class)) ?? false;
}
