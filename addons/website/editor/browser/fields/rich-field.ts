import { t } from 'pergola/browser';
import type { OpenElement } from '../calls.ts';
import { nameOfText } from '../dom/block-name.ts';
import { blockAt, draggedBlocks, topBlocks } from '../dom/blocks.ts';
import { findRegions, type Region, RUN } from '../dom/regions.ts';
import { lendAttributes, returnAttributes, serialize } from '../dom/serialize.ts';
import { picturesIn } from '../rich/paste.ts';
import { type CursorPlace, RegionEditor } from '../rich/region-editor.ts';
import type { BlockContents } from './block-contents.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** What a rich text tells of itself while it is edited. */
export interface RichEvents {
  report: ReportChange;
  /** The text that is typed in, or the cursor in it, changed. */
  onActive(field: RichField, region: RegionEditor | null): void;
  /** A block was chosen; null: none. */
  onBlock(field: RichField, block: HTMLElement | null): void;
  /** A picture was chosen that is no part of a text. */
  onPicture(field: RichField, picture: HTMLImageElement | null): void;
  onPictures(files: readonly File[]): void;
}

/**
 * HTML of a record, edited in place: texts by the rich-text editor, one at a time, and the structure around them (blocks) as a whole. What the
 * page showed is rebuilt from what is saved, so that nothing a script did to it is ever saved.
 */
export class RichField implements EditedField {
  readonly key: string;
  readonly about: OpenElement;
  readonly elements: readonly HTMLElement[];
  readonly root: HTMLElement;
  readonly #events: RichEvents;
  readonly #contents: BlockContents;
  readonly #ended = new AbortController();
  #regions = new Map<HTMLElement, Region>();
  #active: RegionEditor | null = null;
  /** The value when the text that is typed in was taken up. */
  #before: unknown = null;
  #saved = '';

  constructor(about: OpenElement, elements: readonly HTMLElement[], contents: BlockContents, events: RichEvents) {
    const [root] = elements;
    if (!root) throw new Error('A rich text needs an element.');
    this.about = about;
    this.key = keyOf(about);
    this.elements = elements;
    this.root = root;
    this.#contents = contents;
    this.#events = events;
    contents.learn(root);
    this.show(about.value);
    this.#listen();
  }

  get active(): RegionEditor | null {
    return this.#active;
  }

  /** Whether sections and blocks may be put into it; comments are running text. */
  get hasBlocks(): boolean {
    return this.about.profile === 'page';
  }

  value(): string | null {
    const { active } = this;
    const html = active ? this.#withActive(active) : serialize(this.root);
    // Untouched, it is to the letter what was read.
    if (html === this.#saved) return (this.about.value as string | null) ?? null;
    return html === '' || html === '<p></p>' ? null : html;
  }

  /** Shows another value, and answers the block around what `find` finds in it. */
  show(value: unknown, find: (root: HTMLElement) => Element | null = () => null): HTMLElement | null {
    this.#drop();
    this.root.innerHTML = String(value ?? '');
    const found = find(this.root);
    this.#contents.fill(this.root);
    this.#setUp();
    if (value === this.about.value) this.#saved = serialize(this.root);
    return blockAt(this.root, found);
  }

  /** A change of the structure: `change` does it, then it is one step of the history. */
  restructure(change: () => void): void {
    this.deactivate();
    const before = this.value();
    this.#removeHandles();
    change();
    this.#setUp();
    this.#events.report({ before, after: this.value(), typing: false });
  }

  /** The same for a change that was made already, by dragging: `before` is the value until then. */
  restructured(before: unknown): void {
    this.#setUp();
    this.#events.report({ before, after: this.value(), typing: false });
  }

  /** Ends typing; what was typed becomes a step of the history. */
  deactivate(): void {
    if (!this.#active) return;
    const before = this.#before;
    this.#drop();
    this.#setUp();
    this.#events.report({ before, after: this.value(), typing: false });
    this.#events.onActive(this, null);
  }

  /** Takes up the text at an element, with the cursor at a place of it. */
  activate(element: HTMLElement, place: CursorPlace = 'end'): void {
    if (!this.#regions.has(element) || this.#active?.region.element === element) return;
    const inside = element.firstChild;
    this.deactivate();
    // What wraps a text beside structure was made anew, around the same text.
    const region =
      this.#regions.get(element) ?? [...this.#regions.values()].find((one) => one.element.contains(inside));
    if (!region) return;
    const before = this.value();
    this.#before = before;
    for (const handle of region.element.querySelectorAll('[data-ed-handle]')) handle.remove();
    const active = new RegionEditor(region, {
      profile: this.about.profile === 'comment' ? 'comment' : 'page',
      label: nameOfText(this.root, region.element, this.about.label),
      onUpdate: () => this.#events.onActive(this, active),
      onPictures: (files) => this.#events.onPictures(files),
    });
    this.#active = active;
    active.focusAt(place);
    this.#events.onActive(this, active);
    this.#events.onBlock(this, blockAt(this.root, region.element));
  }

  /** Takes up the first text in a block, if it has one. */
  activateIn(block: HTMLElement, place: CursorPlace = 'end'): void {
    const found = [...this.#regions.keys()].find((element) => block === element || block.contains(element));
    if (found) this.activate(found, place);
  }

  /** Says of each text what it is; once more when it is known what the blocks are called. */
  nameTexts(): void {
    for (const element of this.#regions.keys())
      lendAttributes(element, { 'aria-label': nameOfText(this.root, element, this.about.label) });
  }

  close(): void {
    this.#ended.abort();
    this.#drop();
    for (const element of this.root.querySelectorAll(`[${RUN}]`)) element.replaceWith(...element.childNodes);
    this.#removeHandles();
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-kept]')]) returnAttributes(element);
    for (const element of this.root.querySelectorAll('[data-ed-region]')) element.removeAttribute('data-ed-region');
  }

  #drop(): void {
    this.#active?.close();
    this.#active = null;
  }

  /** The HTML with what is typed just now. */
  #withActive({ region, html }: RegionEditor): string {
    const { element } = region;
    const copy = this.root.cloneNode(true) as HTMLElement;
    const place = element === this.root ? copy : copy.querySelector<HTMLElement>('[data-ed-active]');
    if (place) place.innerHTML = html;
    return serialize(copy);
  }

  /** Finds texts and blocks anew after the structure changed. */
  #setUp(): void {
    this.#removeHandles();
    this.#forgetRegions();
    for (const wrapper of this.root.querySelectorAll(`[${RUN}]`)) wrapper.replaceWith(...wrapper.childNodes);
    this.root.normalize();
    this.#regions = new Map(findRegions(this.root).map((region) => [region.element, region]));
    const isEmpty = topBlocks(this.root).length === 0;
    if (isEmpty && this.hasBlocks && this.root.textContent.trim() === '')
      lendAttributes(this.root, { 'data-ed-hint': t('Drag a block here, press one in the list, or write.') });
    if (isEmpty && this.#regions.size === 0) this.#regions.set(this.root, { element: this.root, kind: 'flow' });
    for (const element of this.#regions.keys()) {
      lendAttributes(element, {
        tabindex: '0',
        // What opens keeps its role.
        ...(element.localName === 'summary' ? {} : { role: 'textbox', 'aria-multiline': 'true' }),
      });
      element.setAttribute('data-ed-region', '');
    }
    this.nameTexts();
    if (this.hasBlocks) for (const block of draggedBlocks(this.root)) this.#addHandle(block);
  }

  /** What was a text until now may be structure: an empty page is one text until its first block is put in. */
  #forgetRegions(): void {
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-region]')]) {
      if (element === this.#active?.region.element) continue;
      element.removeAttribute('data-ed-region');
      returnAttributes(element);
    }
    lendAttributes(this.root, { 'data-editing': 'html', 'data-ed-label': this.about.label });
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
    // The press itself would put the cursor into what is exchanged just now.
    event.preventDefault();
    this.#pressed = true;
    this.activate(region, { x: event.clientX, y: event.clientY });
    this.#pressed = false;
  }

  /** A picture file that is dropped beside the text that is typed in: on a picture it takes its place, in another text it stands where it fell. */
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

  /** Links lead nowhere and summaries open nothing while they are edited; a handle that is not dragged chooses its block. */
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
