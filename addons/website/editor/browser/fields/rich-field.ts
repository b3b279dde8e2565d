import { t } from 'pergola/browser';
import type { OpenElement } from '../calls.ts';
import { nameOfText } from '../dom/block-name.ts';
import { blockAt, draggedBlocks, topBlocks } from '../dom/blocks.ts';
import { findRegions, type Region, RUN } from '../dom/regions.ts';
import { overrideAttributes, restoreAttributes, serialize } from '../dom/serialize.ts';
import { picturesIn } from '../rich/paste.ts';
import { type CursorPlace, RegionEditor } from '../rich/region-editor.ts';
import type { BlockContents } from './block-contents.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** Events of a rich-text field. */
export interface RichEvents {
  report: ReportChange;
  /** The active text region, or the cursor in it, changed. */
  onActive(field: RichField, region: RegionEditor | null): void;
  /** A block was selected, or null for none. */
  onBlock(field: RichField, block: HTMLElement | null): void;
  /** An image outside a text was selected. */
  onPicture(field: RichField, picture: HTMLImageElement | null): void;
  onPictures(files: readonly File[]): void;
}

/**
 * HTML field edited in place: texts with the rich-text editor, one at a time, and the structure around them as blocks. The page is rebuilt
 * from the stored HTML, so changes made by scripts are never saved.
 */
export class RichField implements EditedField {
  readonly key: string;
  readonly piece: OpenElement;
  readonly elements: readonly HTMLElement[];
  readonly root: HTMLElement;
  readonly #events: RichEvents;
  readonly #contents: BlockContents;
  readonly #ended = new AbortController();
  #regions = new Map<HTMLElement, Region>();
  #active: RegionEditor | null = null;
  /** Value when the active text was activated. */
  #before: unknown = null;
  #saved = '';

  constructor(piece: OpenElement, elements: readonly HTMLElement[], contents: BlockContents, events: RichEvents) {
    const [root] = elements;
    if (!root) throw new Error('A rich text needs an element.');
    this.piece = piece;
    this.key = keyOf(piece);
    this.elements = elements;
    this.root = root;
    this.#contents = contents;
    this.#events = events;
    contents.learn(root);
    this.show(piece.value);
    this.#listen();
  }

  get active(): RegionEditor | null {
    return this.#active;
  }

  /** Whether sections and blocks can be inserted; comments contain text only. */
  get hasBlocks(): boolean {
    return this.piece.profile === 'page';
  }

  value(): string | null {
    const { active } = this;
    const html = active ? this.#withActive(active) : serialize(this.root);
    // An unchanged field returns exactly the value that was loaded.
    if (html === this.#saved) return (this.piece.value as string | null) ?? null;
    return html === '' || html === '<p></p>' ? null : html;
  }

  /** Shows another value, and returns the block around the element that `find` returns. */
  show(value: unknown, find: (root: HTMLElement) => Element | null = () => null): HTMLElement | null {
    this.#drop();
    this.root.innerHTML = String(value ?? '');
    const match = find(this.root);
    this.#contents.fill(this.root);
    this.#setUp();
    if (value === this.piece.value) this.#saved = serialize(this.root);
    return blockAt(this.root, match);
  }

  /** Runs `change` on the structure as one step of the history. */
  restructure(change: () => void): void {
    this.deactivate();
    const previous = this.value();
    this.#removeHandles();
    change();
    this.#setUp();
    this.#events.report({ before: previous, after: this.value(), typing: false });
  }

  /** Records a change that dragging already made; `previous` is the value before it. */
  restructured(previous: unknown): void {
    this.#setUp();
    this.#events.report({ before: previous, after: this.value(), typing: false });
  }

  /** Ends typing and records the change in the history. */
  deactivate(): void {
    if (!this.#active) return;
    const previous = this.#before;
    this.#drop();
    this.#setUp();
    this.#events.report({ before: previous, after: this.value(), typing: false });
    this.#events.onActive(this, null);
  }

  /** Activates the text at an element, with the cursor at `place`. */
  activate(element: HTMLElement, place: CursorPlace = 'end'): void {
    if (!this.#regions.has(element) || this.#active?.region.element === element) return;
    const inside = element.firstChild;
    this.deactivate();
    // The wrapper of a text next to structure was recreated around the same text.
    const region =
      this.#regions.get(element) ?? [...this.#regions.values()].find((candidate) => candidate.element.contains(inside));
    if (!region) return;
    const previous = this.value();
    this.#before = previous;
    for (const handle of region.element.querySelectorAll('[data-ed-handle]')) handle.remove();
    const active = new RegionEditor(region, {
      profile: this.piece.profile === 'comment' ? 'comment' : 'page',
      label: nameOfText(this.root, region.element, this.piece.label),
      onUpdate: () => this.#events.onActive(this, active),
      onPictures: (files) => this.#events.onPictures(files),
    });
    this.#active = active;
    active.focusAt(place);
    this.#events.onActive(this, active);
    this.#events.onBlock(this, blockAt(this.root, region.element));
  }

  /** Activates the first text of a block, if it has one. */
  activateIn(block: HTMLElement, place: CursorPlace = 'end'): void {
    const region = [...this.#regions.keys()].find((element) => block === element || block.contains(element));
    if (region) this.activate(region, place);
  }

  /** Labels all texts, and updates the labels when block names become known. */
  nameTexts(): void {
    for (const element of this.#regions.keys())
      overrideAttributes(element, { 'aria-label': nameOfText(this.root, element, this.piece.label) });
  }

  close(): void {
    this.#ended.abort();
    this.#drop();
    for (const element of this.root.querySelectorAll(`[${RUN}]`)) element.replaceWith(...element.childNodes);
    this.#removeHandles();
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-kept]')]) restoreAttributes(element);
    for (const element of this.root.querySelectorAll('[data-ed-region]')) element.removeAttribute('data-ed-region');
  }

  #drop(): void {
    this.#active?.close();
    this.#active = null;
  }

  /** Field HTML including the active text. */
  #withActive({ region, html }: RegionEditor): string {
    const { element } = region;
    const copy = this.root.cloneNode(true) as HTMLElement;
    const place = element === this.root ? copy : copy.querySelector<HTMLElement>('[data-ed-active]');
    if (place) place.innerHTML = html;
    return serialize(copy);
  }

  /** Finds texts and blocks again after the structure changed. */
  #setUp(): void {
    this.#removeHandles();
    this.#forgetRegions();
    for (const wrapper of this.root.querySelectorAll(`[${RUN}]`)) wrapper.replaceWith(...wrapper.childNodes);
    this.root.normalize();
    this.#regions = new Map(findRegions(this.root).map((region) => [region.element, region]));
    const isEmpty = topBlocks(this.root).length === 0;
    if (isEmpty && this.hasBlocks && this.root.textContent.trim() === '')
      overrideAttributes(this.root, {
        'data-ed-hint': t('Drag a block here, choose one from the list, or start typing.'),
      });
    if (isEmpty && this.#regions.size === 0) this.#regions.set(this.root, { element: this.root, kind: 'flow' });
    for (const element of this.#regions.keys()) {
      overrideAttributes(element, {
        tabindex: '0',
        // Summaries keep their role.
        ...(element.localName === 'summary' ? {} : { role: 'textbox', 'aria-multiline': 'true' }),
      });
      element.setAttribute('data-ed-region', '');
    }
    this.nameTexts();
    if (this.hasBlocks) for (const block of draggedBlocks(this.root)) this.#addHandle(block);
  }

  /** A text can become structure: an empty page is one text until its first block is inserted. */
  #forgetRegions(): void {
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-region]')]) {
      if (element === this.#active?.region.element) continue;
      element.removeAttribute('data-ed-region');
      restoreAttributes(element);
    }
    overrideAttributes(this.root, { 'data-editing': 'html', 'data-ed-label': this.piece.label });
  }

  #addHandle(block: HTMLElement): void {
    if (this.#regions.has(block) || block.matches('img, hr, video, audio, picture, table')) return;
    const handle = document.createElement('span');
    handle.setAttribute('data-ed-handle', '');
    handle.setAttribute('contenteditable', 'false');
    handle.setAttribute('aria-hidden', 'true');
    handle.title = t('Drag to move');
    block.append(handle);
  }

  #removeHandles(): void {
    for (const handle of this.root.querySelectorAll('[data-ed-handle]')) handle.remove();
  }

  #listen(): void {
    const { signal } = this.#ended;
    const { root } = this;
    root.addEventListener('mousedown', (event) => this.#press(event), { signal });
    root.addEventListener('click', (event) => this.#click(event), { signal, capture: true });
    root.addEventListener('drop', (event) => this.#take(event), { signal });
    root.addEventListener(
      'focusin',
      (event) => {
        const target = event.target as HTMLElement;
        if (this.#regions.has(target) && this.#active?.region.element !== target && !this.#pressed)
          this.activate(target);
      },
      { signal },
    );
  }

  #pressed = false;

  #press(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    if (event.button !== 0 || target.closest('[data-ed-handle]')) return;
    const region = target.closest<HTMLElement>('[data-ed-region]');
    this.#events.onBlock(this, blockAt(this.root, target));
    this.#events.onPicture(this, target instanceof HTMLImageElement && !region ? target : null);
    if (!region || !this.#regions.has(region)) {
      this.deactivate();
      return;
    }
    if (this.#active?.region.element === region) return;
    // The browser's default would put the cursor into an element that is being replaced.
    event.preventDefault();
    this.#pressed = true;
    this.activate(region, { x: event.clientX, y: event.clientY });
    this.#pressed = false;
  }

  /**
   * Handles images dropped outside the active text: on an image they replace it, in another text they are inserted at the drop position.
   */
  #take(event: DragEvent): void {
    const pictures = picturesIn(event.dataTransfer);
    if (event.defaultPrevented || pictures.length === 0) return;
    const target = event.target as HTMLElement;
    const region = target.closest<HTMLElement>('[data-ed-region]');
    const picture = target instanceof HTMLImageElement && !region ? target : null;
    if (!region && !picture) return;
    if (region) this.activate(region, { x: event.clientX, y: event.clientY });
    else this.deactivate();
    this.#events.onPicture(this, picture);
    this.#events.onPictures(pictures);
  }

  /** Disables links and summaries while editing; a click on a handle without dragging selects its block. */
  #click(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const handle = target.closest<HTMLElement>('[data-ed-handle]');
    if (handle) {
      this.#events.onBlock(this, handle.parentElement);
      this.deactivate();
    }
    if (target.closest('a, summary, label, button')) event.preventDefault();
  }
}
