import type { OpenElement } from '../calls.ts';
import { lendAttributes, returnAttributes } from '../dom/serialize.ts';
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
    for (const element of this.elements) returnAttributes(element);
  }

  #edit(element: HTMLElement, report: ReportChange): void {
    const isLong = this.piece.type === 'text';
    lendAttributes(element, {
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
    element.addEventListener('beforeinput', (event) => !isLong && refuseBreak(event), { signal });
    element.addEventListener('focusout', () => this.#write(element), { signal });
  }

  #typed(element: HTMLElement, report: ReportChange): void {
    const before = this.value();
    const typed = element.innerText ?? element.textContent ?? '';
    const text = this.piece.type === 'text' ? typed.replace(/\n$/, '') : typed.replace(anyBlanks, ' ').trim();
    this.#last = text;
    for (const other of this.elements) if (other !== element) this.#write(other);
    element.toggleAttribute('data-ed-empty', text === '');
    report({ before, after: this.value(), typing: true });
  }

  #write(element: HTMLElement): void {
    if (element.textContent !== this.#last) element.textContent = this.#last;
    element.toggleAttribute('data-ed-empty', this.#last === '');
  }
}

/** Keeps the text on one line: ignores Enter; line breaks in pasted text become spaces when the value is read. */
function refuseBreak(event: InputEvent): void {
  if (event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak') event.preventDefault();
}
