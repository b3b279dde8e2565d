import { t } from 'pergola/browser';
import type { OpenElement, OpenTerm, OpenTranslation, TermEdit, TranslatedPart } from '../calls.ts';
import { textOfHtml } from '../compare.ts';
import { blockPath } from '../dom/blocks.ts';
import { overrideAttributes, restoreAttributes } from '../dom/serialize.ts';
import { type CursorPlace, RegionEditor } from '../rich/region-editor.ts';
import type { BlockContents } from './block-contents.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** Translation state of a text. `free` texts, such as addresses and numbers, need no translation. */
export type TermState = 'done' | 'missing' | 'outdated' | 'free';

/** State of a text from its translation and, if outdated, the source that translation was made from. */
export function stateOf(text: string | null, outdatedSource: string | null, isOptional: boolean): TermState {
  if (outdatedSource !== null) return 'outdated';
  if (text !== null) return 'done';
  return isOptional ? 'free' : 'missing';
}

export interface TranslatedTerm extends Pick<OpenTerm, 'kind' | 'name' | 'source'> {
  readonly at: number;
  readonly text: string | null;
  readonly state: TermState;
  /** Source of an outdated translation. */
  readonly was: string | null;
  /** Element that contains the text. */
  readonly element: HTMLElement | null;
  /** Named block that contains the text, not the column in it. */
  readonly block: HTMLElement | null;
}

export interface TranslationEvents {
  report: ReportChange;
  onActive(region: RegionEditor | null): void;
  /** A text was selected. */
  onTerm(field: TranslatedField, at: number): void;
}

/** Translated HTML field with the structure of another language: only its texts can be changed, each separately. */
export class TranslatedField implements EditedField {
  readonly key: string;
  readonly piece: OpenElement;
  readonly elements: readonly HTMLElement[];
  readonly root: HTMLElement;
  /** Translatable parts of the page that are edited elsewhere. */
  parts: readonly TranslatedPart[];
  readonly #translation: OpenTranslation;
  readonly #events: TranslationEvents;
  readonly #ended = new AbortController();
  #edits = new Map<number, TermEdit>();
  #active: RegionEditor | null = null;

  constructor(
    piece: OpenElement & { readonly translation: OpenTranslation },
    elements: readonly HTMLElement[],
    contents: BlockContents,
    events: TranslationEvents,
  ) {
    const [root] = elements;
    if (!root) throw new Error('A translation needs an element.');
    this.piece = piece;
    this.key = keyOf(piece);
    this.elements = elements;
    this.root = root;
    this.#translation = piece.translation;
    this.parts = piece.translation.parts;
    this.#events = events;
    contents.learn(root);
    root.innerHTML = piece.translation.html;
    contents.fill(root);
    overrideAttributes(root, { 'data-editing': 'html', 'data-ed-label': piece.label });
    for (const span of root.querySelectorAll<HTMLElement>('[data-ed-term]')) {
      const source = textOfHtml(piece.translation.terms[Number(span.dataset.edTerm)]?.source ?? '');
      overrideAttributes(span, {
        'data-ed-region': '',
        'aria-label': t('Translation of “{text}”', { text: source.slice(0, 80) }),
        title: source,
        // Summaries and buttons receive the focus themselves and pass it on.
        ...(span.closest('summary, button') ? {} : { tabindex: '0', role: 'textbox' }),
      });
    }
    this.#mark();
    const { signal } = this.#ended;
    root.addEventListener('mousedown', (event) => this.#press(event), { signal });
    root.addEventListener('focusin', ({ target }) => this.#focus(target as HTMLElement), { signal });
    // Disables links and summaries while translating.
    root.addEventListener('click', (event) => event.preventDefault(), { signal, capture: true });
  }

  /** Language that provides the structure. */
  get source(): string {
    return this.#translation.source;
  }

  /** Current texts in page order. */
  get terms(): readonly TranslatedTerm[] {
    const edits = this.#editsNow();
    return this.#translation.terms.map(({ kind, name, source, term, optional }, index) => {
      const edit = edits.get(index);
      const text = edit ? edit.text : typeof term === 'string' || term === null ? term : term[0];
      const outdatedSource = edit || typeof term === 'string' || term === null ? null : term[1];
      const state = stateOf(text, outdatedSource, optional);
      const element = this.#elementOf(index);
      const [block = null] = element ? blockPath(this.root, element) : [];
      return { at: index, kind, name, source, text, was: outdatedSource, state, element, block };
    });
  }

  value(): readonly TermEdit[] {
    return [...this.#editsNow().values()].sort((a, b) => a.at - b.at);
  }

  show(value: unknown): void {
    this.#drop();
    const edits = Array.isArray(value) ? (value as TermEdit[]) : [];
    this.#edits = new Map(
      edits.flatMap((edit): [number, TermEdit][] => {
        const { terms } = this.#translation;
        const index =
          terms[edit.at]?.source === edit.source ? edit.at : terms.findIndex(({ source }) => source === edit.source);
        return index < 0 ? [] : [[index, { ...edit, at: index }]];
      }),
    );
    for (const { kind, source, text, element } of this.terms)
      if (kind === 'text' && element) element.innerHTML = text ?? source;
    this.#mark();
  }

  /** Sets the translation of a text; null removes it. */
  translate(index: number, text: string | null): void {
    this.#translate([[index, text]]);
  }

  /** Accepts a text as it is: the source if it isn't translated, or an outdated translation. */
  accept(index: number): boolean {
    const { source, text, state } = this.terms[index] ?? {};
    const accepted = state === 'missing' ? source : state === 'outdated' ? text : undefined;
    if (accepted === undefined) return false;
    this.translate(index, accepted);
    return true;
  }

  /** Accepts the source of several untranslated texts in one step. */
  acceptAll(ats: readonly number[]): void {
    this.#translate(ats.map((index) => [index, this.#translation.terms[index]?.source ?? null]));
  }

  #translate(texts: readonly (readonly [at: number, text: string | null])[]): void {
    this.deactivate();
    const before = this.value();
    const edits = new Map(this.#edits);
    for (const [index, text] of texts) this.#edit(edits, index, text);
    this.show([...edits.values()]);
    this.#events.report({ before, after: this.value(), typing: false });
  }

  /** Resolves a conflict with another editor's translation by keeping it or overwriting it with the user's. */
  settle(index: number, otherText: string | null, keep: 'mine' | 'theirs'): void {
    const edit = this.#edits.get(index);
    if (!edit) return;
    if (keep === 'mine') this.#edits.set(index, { ...edit, before: otherText });
    else this.#edits.set(index, { ...edit, before: otherText, text: otherText });
    this.show(this.value());
  }

  /** Activates a text of the page. */
  activate(index: number | null, place: CursorPlace = 'end'): void {
    const element = index === null ? null : this.#elementOf(index);
    if (index === null || !element || this.#active?.region.element === element) return;
    this.deactivate();
    this.#events.onTerm(this, index);
    if (this.#translation.terms[index]?.kind !== 'text') return;
    const active = new RegionEditor(
      { element, kind: 'line' },
      {
        profile: 'page',
        label: element.getAttribute('aria-label') ?? '',
        onUpdate: () => this.#events.onActive(active),
        onPictures: () => {},
      },
    );
    this.#active = active;
    active.focusAt(place);
    this.#events.onActive(active);
  }

  get active(): RegionEditor | null {
    return this.#active;
  }

  deactivate(): void {
    const { active } = this;
    if (!active) return;
    const [before, after, isChanged] = [[...this.#edits.values()], this.value(), active.changed];
    this.show(after);
    if (isChanged) this.#events.report({ before, after, typing: false });
    this.#events.onActive(null);
  }

  close(): void {
    this.#ended.abort();
    this.#drop();
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-kept]')]) restoreAttributes(element);
  }

  #drop(): void {
    this.#active?.close();
    this.#active = null;
  }

  #focus(target: HTMLElement): void {
    const span = target.matches('summary, button') ? target.querySelector<HTMLElement>('[data-ed-term]') : target;
    if (span && span !== this.#active?.region.element) this.activate(this.#numberOf(span));
  }

  #press(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const span = target.closest<HTMLElement>('[data-ed-term]');
    // A click in a line's box, outside its words, selects the line.
    const [firstTerm, second] = [...target.children].filter((child) => child.matches('[data-ed-term]'));
    const index = this.#numberOf(span ?? target) ?? (second ? null : this.#numberOf(firstTerm));
    if (event.button !== 0 || (span && this.#active?.region.element === span)) return;
    this.deactivate();
    if (index === null) return;
    event.preventDefault();
    this.activate(index, { x: event.clientX, y: event.clientY });
  }

  /** Edits including the active text. */
  #editsNow(): Map<number, TermEdit> {
    const edits = new Map(this.#edits);
    const { active } = this;
    const index = active?.changed ? this.#numberOf(active.region.element) : null;
    if (active && index !== null) this.#edit(edits, index, active.html.trim() || null);
    return edits;
  }

  #edit(edits: Map<number, TermEdit>, index: number, text: string | null): void {
    const { source, term = null } = this.#translation.terms[index] ?? {};
    if (source === undefined) return;
    if (text === term) edits.delete(index);
    else edits.set(index, { at: index, source, before: edits.get(index)?.before ?? term, text });
  }

  /** Index of the text in an element, or of its first words. */
  #numberOf(element: Element | undefined): number | null {
    const { edTerm, edWords } = element instanceof HTMLElement ? element.dataset : {};
    const number = edTerm ?? edWords?.split(' ')[0];
    return number === undefined ? null : Number(number);
  }

  #elementOf(index: number): HTMLElement | null {
    return this.root.querySelector(`[data-ed-term="${index}"], [data-ed-words~="${index}"]`);
  }

  #mark(): void {
    for (const { at: index, state, element } of this.terms)
      if (element && this.#numberOf(element) === index) element.dataset.edState = state;
  }
}
