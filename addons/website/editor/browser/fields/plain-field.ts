import type { OpenElement } from '../calls.ts';
import { overrideAttributes, restoreAttributes } from '../dom/serialize.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** Whitespace and line breaks, except non-breaking spaces, as before French punctuation. */
const anyBlanks = /[^\S\u00a0\u202f]+/g;

/** Plain text, edited in place. */
export class PlainField implements EditedField {
  readonly key: string;
  readonly piece: OpenElement;
  readonly elements: readonly HTMLElement[];
  #last: string;
  readonly #ended = new AbortController();

  constructor(piece: OpenElement, elements: readonly HTMLElement[], report: ReportChange) {
    this.piece = piece;
    this.key = keyOf(piece);
    this.elements = elements;
    this.#last = String(piece.value ?? '');
    for (const element of elements) this.#edit(element, report);
    this.show(piece.value);
  }

  value(): string | null {
    return this.#last === '' ? null : this.#last;
  }

  show(value: unknown): void {
    this.#last = String(value ?? '');
    for (const element of this.elements) this.#write(element);
  }

  close(): void {
    this.#ended.abort();
    for (const element of this.elements) restoreAttributes(element);
  }

  #edit(element: HTMLElement, report: ReportChange): void {
    const isLong = this.piece.type === 'text';
    overrideAttributes(element, {
      'data-editing': isLong ? 'text' : 'char',
      contenteditable: 'plaintext-only',
      role: 'textbox',
      'aria-multiline': String(isLong),
      'aria-label': this.piece.label,
      'aria-required': String(this.piece.required),
      spellcheck: 'true',
    });
    const { signal } = this.#ended;
    element.addEventListener('input', () => this.#typed(element, report), { signal });
    element.addEventListener('beforeinput', (event) => !isLong && preventLineBreak(event), { signal });
    element.addEventListener('focusout', () => this.#write(element), { signal });
  }

  #typed(element: HTMLElement, report: ReportChange): void {
    const previous = this.value();
    const rawText = element.innerText ?? element.textContent ?? '';
    const text = this.piece.type === 'text' ? rawText.replace(/\n$/, '') : rawText.replace(anyBlanks, ' ').trim();
    this.#last = text;
    for (const sibling of this.elements) if (sibling !== element) this.#write(sibling);
    element.toggleAttribute('data-ed-empty', text === '');
    report({ before: previous, after: this.value(), typing: true });
  }

  #write(element: HTMLElement): void {
    if (element.textContent !== this.#last) element.textContent = this.#last;
    element.toggleAttribute('data-ed-empty', this.#last === '');
  }
}

/** Keeps the text on one line: ignores Enter; line breaks in pasted text become spaces when the value is read. */
function preventLineBreak(event: InputEvent): void {
  if (event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak') event.preventDefault();
}
