import {
  type Change,
  calls,
  type Drawer,
  type ElementRef,
  keyOfPart,
  type OpenElement,
  type SaveConflict,
  type SaveResult,
  type TranslatedPart,
} from './calls.ts';
import { textOfHtml } from './compare.ts';
import { changedPart } from './dom/blocks.ts';
import { cleanCopy } from './dom/serialize.ts';
import { type Draft, Drafts } from './drafts.ts';
import { BlockContents } from './fields/block-contents.ts';
import { type EditedField, findPieces, keyOf, type ReportChange } from './fields/field.ts';
import { PlainField } from './fields/plain-field.ts';
import { RichField } from './fields/rich-field.ts';
import { TranslatedField, type TranslatedTerm } from './fields/translated-field.ts';
import { ValueField } from './fields/value-field.ts';
import { EditHistory } from './history.ts';
import type { RegionEditor } from './rich/region-editor.ts';

/** State of a session for the editor's UI; replaced with a new object on every change. */
export interface SessionView {
  readonly phase: 'editing' | 'saving' | 'ended';
  readonly changed: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Active text. */
  readonly region: RegionEditor | null;
  readonly block: { readonly field: RichField; readonly element: HTMLElement } | null;
  /** Selected image outside a text. */
  readonly picture: { readonly field: RichField; readonly element: HTMLImageElement } | null;
  /** Number, date or choice in the popover, or the image of a record. */
  readonly value: { readonly field: ValueField; readonly element: HTMLElement } | null;
  /** Text being translated. */
  readonly term: { readonly field: TranslatedField; readonly at: number } | null;
  /** Incremented on every event in the active text. */
  readonly tick: number;
}

export interface SessionEvents {
  /** Called with images pasted or dropped into a text. */
  onPictures(files: readonly File[]): void;
}

/** Language of the site with the link to the page in it. */
export interface PageLanguage {
  readonly code: string;
  readonly name: string;
  readonly href: string;
}

/** Delays in milliseconds after a change until the draft is stored, and until changes are counted while typing. */
const draftDelay = 600;
const countDelay = 200;

/** Editing session of one page: its pieces, their changes and the history. */
export class EditSession {
  readonly lang: string;
  readonly languages: readonly PageLanguage[];
  readonly drafts: Drafts;
  readonly fields: ReadonlyMap<string, EditedField>;
  readonly drawer: Promise<Drawer>;
  readonly contents: BlockContents = new BlockContents();
  readonly #history = new EditHistory();
  readonly #listeners = new Set<() => void>();
  /** Values and revisions on the server. */
  readonly #base = new Map<string, { value: unknown; revision: string }>();
  #view: SessionView;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #countTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Opens all pieces of the page that the user can edit.
   * @throws RpcError
   */
  static async open(
    lang: string,
    page: Document,
    events: SessionEvents,
    languages: readonly PageLanguage[] = [],
  ): Promise<EditSession> {
    const pieces = findPieces(page);
    const { elements } = await calls.open(
      lang,
      [...pieces.values()].map(({ ref }) => ref),
    );
    const elementsByKey = new Map([...pieces].map(([key, { elements: places }]) => [key, places]));
    return new EditSession(lang, elements, elementsByKey, events, languages);
  }

  private constructor(
    lang: string,
    opened: readonly OpenElement[],
    places: ReadonlyMap<string, readonly HTMLElement[]>,
    events: SessionEvents,
    languages: readonly PageLanguage[],
  ) {
    this.lang = lang;
    this.languages = languages;
    this.drafts = new Drafts(location.pathname, lang);
    this.drawer = calls.drawer();
    // The error is reported when the drawer is opened.
    this.drawer.catch(() => {});
    this.#view = {
      phase: 'editing',
      changed: 0,
      canUndo: false,
      canRedo: false,
      region: null,
      block: null,
      picture: null,
      value: null,
      term: null,
      tick: 0,
    };
    const fields = new Map<string, EditedField>();
    for (const piece of opened) {
      const key = keyOf(piece);
      const elements = places.get(key);
      if (!elements || elements.length === 0) continue;
      const report: ReportChange = ({ before, after, typing }) => this.#changed(key, before, after, typing);
      fields.set(key, this.#fieldFor(piece, elements, report, events));
      this.#base.set(key, { value: piece.value, revision: piece.revision });
    }
    this.fields = fields;
  }

  get view(): SessionView {
    return this.#view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getView = (): SessionView => this.#view;

  /** Rich-text fields in page order. */
  get richFields(): RichField[] {
    return [...this.fields.values()].filter((field) => field instanceof RichField);
  }

  /** Translated fields in page order. */
  get translations(): TranslatedField[] {
    return [...this.fields.values()].filter((field) => field instanceof TranslatedField);
  }

  /** Translatable parts outside the page's texts, without duplicates: title, shared blocks, forms. */
  get parts(): TranslatedPart[] {
    const all = this.translations.flatMap(({ parts }) => parts);
    return [...new Map(all.map((part) => [keyOfPart(part), part])).values()];
  }

  /** Texts without a translation. */
  get missing(): { readonly field: TranslatedField; readonly term: TranslatedTerm }[] {
    return this.translations.flatMap((field) =>
      field.terms.flatMap((term) => (term.state === 'missing' ? [{ field, term }] : [])),
    );
  }

  /** Translation of words elsewhere on the page; null if they aren't a text of it or aren't translated. */
  translationOf(words: string): string | null {
    const terms = this.translations.flatMap((field) => field.terms);
    const match = terms.find(
      ({ kind, source, state }) => kind === 'text' && state === 'done' && textOfHtml(source) === words.trim(),
    );
    return match?.text ? textOfHtml(match.text) : null;
  }

  /** Number of translated texts and of all translatable texts, including the parts. */
  progress(): { readonly done: number; readonly all: number } {
    const states = this.translations.flatMap(({ terms }) => terms.map(({ state }) => state));
    const translated = states.filter((state) => state === 'done').length;
    const all = states.filter((state) => state !== 'free').length;
    return this.parts.reduce(
      (sum, part) => ({
        done: sum.done + part.all - part.missing - part.outdated,
        all: sum.all + part.all,
      }),
      { done: translated, all },
    );
  }

  /** Reloads the translation progress of the parts, which can change in another window. */
  async reloadParts(): Promise<void> {
    if (this.parts.length === 0) return;
    const { elements } = await calls.open(
      this.lang,
      this.translations.map(({ piece: { model, id, field } }) => ({ model, id, field })),
    );
    for (const piece of elements) {
      const field = this.fields.get(keyOf(piece));
      if (field instanceof TranslatedField) field.parts = piece.translation?.parts ?? [];
    }
    this.#update({});
  }

  /** Next untranslated or outdated text, starting over after the last. */
  nextOpenTerm(): { readonly field: TranslatedField; readonly term: TranslatedTerm } | null {
    const all = this.translations.flatMap((field) => field.terms.map((term) => ({ field, term })));
    const { term: current } = this.#view;
    const currentIndex = all.findIndex(({ field, term }) => field === current?.field && term.at === current.at);
    const remaining = [...all.slice(currentIndex + 1), ...all.slice(0, currentIndex + 1)];
    return remaining.find(({ term: { state } }) => state === 'missing' || state === 'outdated') ?? null;
  }

  languageOf(code: string | undefined): PageLanguage | undefined {
    return this.languages.find((language) => language.code === code);
  }

  /** Changes compared with the server's values. */
  changes(): Change[] {
    return [...this.fields.values()].flatMap((field) => {
      const base = this.#base.get(field.key);
      const value = field.value();
      if (!base || same(value, base.value)) return [];
      const { model, id, field: name } = field.piece;
      return [{ model, id, field: name, revision: base.revision, value }];
    });
  }

  undo(): void {
    const editor = this.#view.region?.editor;
    if (editor?.can().undo()) {
      editor.commands.undo();
      return;
    }
    // Undone typing can still be redone after undoing earlier steps, so it becomes a step of the history here.
    if (editor?.can().redo()) {
      while (editor.can().redo()) editor.commands.redo();
      this.endTyping();
      this.#step(this.#history.undo(), 'before');
    }
    this.endTyping();
    this.#step(this.#history.undo(), 'before');
  }

  redo(): void {
    const editor = this.#view.region?.editor;
    if (editor?.can().redo()) {
      editor.commands.redo();
      return;
    }
    // Later typing becomes the last step, after which nothing can be redone.
    this.endTyping();
    this.#step(this.#history.redo(), 'after');
  }

  selectBlock(field: RichField, element: HTMLElement | null): void {
    this.#update({ block: element ? { field, element } : null });
  }

  openValue(field: ValueField | null, element: HTMLElement | null = null): void {
    this.#update({ value: field && element ? { field, element } : null });
  }

  /**
   * Saves all changes. If the server rejects them, the result has the reasons and the changes stay.
   * @throws RpcError
   */
  async save(changeKey: string): Promise<SaveResult> {
    this.endTyping();
    const changes = this.changes();
    if (changes.length === 0) return { saved: true, elements: [] };
    this.drafts.keep(changes);
    this.#update({ phase: 'saving' });
    try {
      const result = await calls.save(this.lang, changes, changeKey);
      if (result.saved) this.#settled(result.elements, changes);
      return result;
    } finally {
      this.#update({ phase: 'editing' });
    }
  }

  /** Resolves a conflict by keeping their version or overwriting it with the user's. */
  resolve(conflict: SaveConflict, keep: 'mine' | 'theirs'): void {
    const { theirs: otherValue, revision, term } = conflict;
    const key = keyOf(conflict);
    const translated = this.fields.get(key);
    if (term && translated instanceof TranslatedField) {
      translated.settle(term.at, typeof otherValue === 'string' ? otherValue : null, keep);
      this.#refresh();
      return;
    }
    this.#base.set(key, { value: otherValue, revision });
    if (keep === 'theirs') {
      const field = this.fields.get(key);
      const before = field?.value();
      field?.show(otherValue);
      this.#history.add({ key, before, after: otherValue });
    }
    this.#refresh();
  }

  /** Applies a draft to the current page. Pieces changed since then keep the draft's revision and therefore cause a conflict on save. */
  takeDraft(draft: Draft): void {
    for (const piece of draft.pieces) {
      const key = keyOf(piece);
      const field = this.fields.get(key);
      const base = this.#base.get(key);
      if (!field || !base || Array.isArray(base.value) !== Array.isArray(piece.value)) continue;
      const before = field.value();
      this.#base.set(key, { ...base, revision: piece.revision });
      field.show(piece.value);
      this.#history.add({ key, before, after: piece.value });
    }
    this.#refresh();
  }

  endTyping(): void {
    for (const field of [...this.richFields, ...this.translations]) field.deactivate();
  }

  /** Ends editing and keeps the page as displayed. */
  end(): void {
    clearTimeout(this.#draftTimer);
    clearTimeout(this.#countTimer);
    for (const field of this.fields.values()) field.close();
    this.#update({ phase: 'ended', region: null, block: null, picture: null, value: null, term: null });
  }

  #fieldFor(
    piece: OpenElement,
    elements: readonly HTMLElement[],
    report: ReportChange,
    events: SessionEvents,
  ): EditedField {
    const { translation } = piece;
    if (translation) {
      return new TranslatedField({ ...piece, translation }, elements, this.contents, {
        report,
        onActive: (region) => this.#typing(region),
        onTerm: (field, index) => this.#update({ term: { field, at: index } }),
      });
    }
    if (piece.type === 'html') {
      return new RichField(piece, elements, this.contents, {
        report,
        onActive: (_field, region) => this.#typing(region),
        onBlock: (field, element) => this.selectBlock(field, element),
        onPicture: (field, element) => this.#update({ picture: element ? { field, element } : null }),
        onPictures: (files) => events.onPictures(files),
      });
    }
    if (piece.type === 'char' || piece.type === 'text') return new PlainField(piece, elements, report);
    return new ValueField(piece, elements, report, (field, element) => this.openValue(field, element));
  }

  #typing(region: RegionEditor | null): void {
    this.#update({ region, tick: this.#view.tick + 1 });
    clearTimeout(this.#countTimer);
    this.#countTimer = setTimeout(() => this.#refresh(), countDelay);
  }

  #changed(key: string, before: unknown, after: unknown, typing: boolean): void {
    if (!same(before, after)) this.#history.add({ key, before, after }, { typing });
    this.#refresh();
  }

  #step(step: { key: string; before: unknown; after: unknown } | null, side: 'before' | 'after'): void {
    if (!step) return;
    const field = this.fields.get(step.key);
    if (field instanceof RichField) this.#showStep(field, step[side], step[side === 'before' ? 'after' : 'before']);
    else field?.show(step[side]);
    this.#refresh();
  }

  /** Selects the element that a step changed and scrolls it into view. */
  #showStep(field: RichField, value: unknown, previous: unknown): void {
    const then = document.createElement('template');
    then.innerHTML = `<div>${previous ?? ''}</div>`;
    const { block } = this.#view;
    const selection = block && cleanCopy(block.element);
    selection?.normalize();
    const element = field.show(value, (root) => changedPart(root, then.content.firstElementChild ?? root, selection));
    this.#update({ block: element && { field, element }, picture: null });
    element?.scrollIntoView({ block: 'nearest' });
  }

  #settled(elements: readonly (ElementRef & { readonly revision: string })[], sent: readonly Change[]): void {
    for (const element of elements) {
      const key = keyOf(element);
      const change = sent.find((candidate) => keyOf(candidate) === key);
      this.#base.set(key, { value: change?.value, revision: element.revision });
    }
    this.#history.clear();
    this.drafts.keep([]);
    this.#refresh();
  }

  #refresh(): void {
    this.#update({ changed: this.changes().length });
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => this.drafts.keep(this.changes()), draftDelay);
  }

  #update(change: Partial<SessionView>): void {
    const editor = ('region' in change ? change.region : this.#view.region)?.editor;
    this.#view = {
      ...this.#view,
      ...change,
      canUndo: this.#history.canUndo || (editor?.can().undo() ?? false),
      canRedo: this.#history.canRedo || (editor?.can().redo() ?? false),
    };
    for (const listener of this.#listeners) listener();
  }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
