import { t } from 'pergola/browser';
import type { OpenElement, OpenTerm, OpenTranslation, TermEdit, TranslatedPart } from '../calls.ts';
import { textOfHtml } from '../compare.ts';
import { blockPath } from '../dom/blocks.ts';
import { lendAttributes, returnAttributes } from '../dom/serialize.ts';
import { type CursorPlace, RegionEditor } from '../rich/region-editor.ts';
import type { BlockContents } from './block-contents.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** How a text stands in the language that is edited. `free` texts need no translation: addresses, numbers. */
export type TermState = 'done' | 'missing' | 'outdated' | 'free';

/** How a text stands by its translation and, of an outdated one, what that was made from. */
export function stateOf(text: string | null, was: string | null, isOptional: boolean): TermState {
  if (was !== null) return 'outdated';
  if (text !== null) return 'done';
  return isOptional ? 'free' : 'missing';
}

export interface TranslatedTerm extends Pick<OpenTerm, 'kind' | 'name' | 'source'> {
  readonly at: number;
  readonly text: string | null;
  readonly state: TermState;
  /** What an outdated translation was made from. */
  readonly was: string | null;
  /** The element that it stands in. */
  readonly element: HTMLElement | null;
  /** The block it belongs to: the whole one, which has a name, not the column in it. */
  readonly block: HTMLElement | null;
}

export interface TranslationEvents {
  report: ReportChange;
  onActive(region: RegionEditor | null): void;
  /** A text was chosen. */
  onTerm(field: TranslatedField, at: number): void;
}

/** Markup in another language than that of its structure: only its texts can be changed, each by itself. */
export class TranslatedField implements EditedField {
  readonly key: string;
  readonly about: OpenElement;
  readonly elements: readonly HTMLElement[];
  readonly root: HTMLElement;
  /** What on it is translated elsewhere. */
  parts: readonly TranslatedPart[];
  readonly #translation: OpenTranslation;
  readonly #events: TranslationEvents;
  readonly #ended = new AbortController();
  #edits = new Map<number, TermEdit>();
  #active: RegionEditor | null = null;

  constructor(
    about: OpenElement & { readonly translation: OpenTranslation },
    elements: readonly HTMLElement[],
    contents: BlockContents,
    events: TranslationEvents,
  ) {
    const [root] = elements;
    if (!root) throw new Error('A translation needs an element.');
    this.about = about;
    this.key = keyOf(about);
    this.elements = elements;
    this.root = root;
    this.#translation = about.translation;
    this.parts = about.translation.parts;
    this.#events = events;
    contents.learn(root);
    root.innerHTML = about.translation.html;
    contents.fill(root);
    lendAttributes(root, { 'data-editing': 'html', 'data-ed-label': about.label });
    for (const span of root.querySelectorAll<HTMLElement>('[data-ed-term]')) {
      const source = textOfHtml(about.translation.terms[Number(span.dataset.edTerm)]?.source ?? '');
      lendAttributes(span, {
        'data-ed-region': '',
        'aria-label': t('Translation of “{text}”', { text: source.slice(0, 80) }),
        title: source,
        // What opens takes the focus itself, and hands it on.
        ...(span.closest('summary, button') ? {} : { tabindex: '0', role: 'textbox' }),
      });
    }
    this.#mark();
    const { signal } = this.#ended;
    root.addEventListener('mousedown', (event) => this.#press(event), { signal });
    root.addEventListener('focusin', ({ target }) => this.#focus(target as HTMLElement), { signal });
    // Links lead nowhere and summaries open nothing meanwhile.
    root.addEventListener('click', (event) => event.preventDefault(), { signal, capture: true });
  }

  /** The language whose structure it has. */
  get source(): string {
    return this.#translation.source;
  }

  /** All texts as they are now, in the order of the page. */
  get terms(): readonly TranslatedTerm[] {
    const edits = this.#editsNow();
    return this.#translation.terms.map(({ kind, name, source, term, optional }, at) => {
      const edit = edits.get(at);
      const text = edit ? edit.text : typeof term === 'string' || term === null ? term : term[0];
      const was = edit || typeof term === 'string' || term === null ? null : term[1];
      const state = stateOf(text, was, optional);
      const element = this.#elementOf(at);
      const [block = null] = element ? blockPath(this.root, element) : [];
      return { at, kind, name, source, text, was, state, element, block };
    });
  }

  value(): readonly TermEdit[] {
    return [...this.#editsNow().values()].sort((one, other) => one.at - other.at);
  }

  show(value: unknown): void {
    this.#drop();
    const edits = Array.isArray(value) ? (value as TermEdit[]) : [];
    this.#edits = new Map(
      edits.flatMap((edit): [number, TermEdit][] => {
        const { terms } = this.#translation;
        const at =
          terms[edit.at]?.source === edit.source ? edit.at : terms.findIndex(({ source }) => source === edit.source);
        return at < 0 ? [] : [[at, { ...edit, at }]];
      }),
    );
    for (const { kind, source, text, element } of this.terms)
      if (kind === 'text' && element) element.innerHTML = text ?? source;
    this.#mark();
  }

  /** Gives a text its translation, its own text again as it is, or null: none. */
  translate(at: number, text: string | null): void {
    this.#translate([[at, text]]);
  }

  /** Says of a text that it stays as it is: that of the source where it has no translation, a former translation else. */
  accept(at: number): boolean {
    const { source, text, state } = this.terms[at] ?? {};
    const own = state === 'missing' ? source : state === 'outdated' ? text : undefined;
    if (own === undefined) return false;
    this.translate(at, own);
    return true;
  }

  /** Says of several texts without a translation that they stay as they are, as one step. */
  acceptAll(ats: readonly number[]): void {
    this.#translate(ats.map((at) => [at, this.#translation.terms[at]?.source ?? null]));
  }

  #translate(texts: readonly (readonly [at: number, text: string | null])[]): void {
    this.deactivate();
    const before = this.value();
    const edits = new Map(this.#edits);
    for (const [at, text] of texts) this.#edit(edits, at, text);
    this.show([...edits.values()]);
    this.#events.report({ before, after: this.value(), typing: false });
  }

  /** After a conflict: goes on from what somebody else wrote, with theirs or with one's own over it. */
  settle(at: number, theirs: string | null, keep: 'mine' | 'theirs'): void {
    const edit = this.#edits.get(at);
    if (!edit) return;
    if (keep === 'mine') this.#edits.set(at, { ...edit, before: theirs });
    else this.#edits.set(at, { ...edit, before: theirs, text: theirs });
    this.show(this.value());
  }

  /** Takes up a text of the page. */
  activate(at: number | null, place: CursorPlace = 'end'): void {
    const element = at === null ? null : this.#elementOf(at);
    if (at === null || !element || this.#active?.region.element === element) return;
    this.deactivate();
    this.#events.onTerm(this, at);
    if (this.#translation.terms[at]?.kind !== 'text') return;
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
    for (const element of [this.root, ...this.root.querySelectorAll('[data-ed-kept]')]) returnAttributes(element);
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
    // Beside the words of a line, in its box, the line is meant.
    const [beside, second] = [...target.children].filter((child) => child.matches('[data-ed-term]'));
    const at = this.#numberOf(span ?? target) ?? (second ? null : this.#numberOf(beside));
    if (event.button !== 0 || (span && this.#active?.region.element === span)) return;
    this.deactivate();
    if (at === null) return;
    event.preventDefault();
    this.activate(at, { x: event.clientX, y: event.clientY });
  }

  /** The edits with what is typed just now. */
  #editsNow(): Map<number, TermEdit> {
    const edits = new Map(this.#edits);
    const { active } = this;
    const at = active?.changed ? this.#numberOf(active.region.element) : null;
    if (active && at !== null) this.#edit(edits, at, active.html.trim() || null);
    return edits;
  }

  #edit(edits: Map<number, TermEdit>, at: number, text: string | null): void {
    const { source, term = null } = this.#translation.terms[at] ?? {};
    if (source === undefined) return;
    if (text === term) edits.delete(at);
    else edits.set(at, { at, source, before: edits.get(at)?.before ?? term, text });
  }

  /** The text that stands in an element, or the first of its words. */
  #numberOf(element: Element | undefined): number | null {
    const { edTerm, edWords } = element instanceof HTMLElement ? element.dataset : {};
    const number = edTerm ?? edWords?.split(' ')[0];
    return number === undefined ? null : Number(number);
  }

  #elementOf(at: number): HTMLElement | null {
    return this.root.querySelector(`[data-ed-term="${at}"], [data-ed-words~="${at}"]`);
  }

  #mark(): void {
    for (const { at, state, element } of this.terms)
      if (element && this.#numberOf(element) === at) element.dataset.edState = state;
  }
}
