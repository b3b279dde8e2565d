import { formatNumber, pageLanguage, t } from 'pergola/browser';
import type { OpenElement } from '../calls.ts';
import { overrideAttributes, restoreAttributes } from '../dom/serialize.ts';
import { pageMoment } from '../zone.ts';
import { type EditedField, keyOf, type ReportChange } from './field.ts';

/** Number, date, choice or image, edited in a popover next to it. */
export class ValueField implements EditedField {
  readonly key: string;
  readonly piece: OpenElement;
  readonly elements: readonly HTMLElement[];
  readonly #report: ReportChange;
  readonly #shown: readonly string[];
  readonly #ended = new AbortController();
  #value: unknown;

  constructor(
    piece: OpenElement,
    elements: readonly HTMLElement[],
    report: ReportChange,
    open: (field: ValueField, element: HTMLElement) => void,
  ) {
    this.piece = piece;
    this.key = keyOf(piece);
    this.elements = elements;
    this.#value = piece.value;
    this.#report = report;
    this.#shown = elements.map((element) => element.outerHTML);
    const { signal } = this.#ended;
    for (const element of elements) {
      overrideAttributes(element, {
        'data-editing': 'value',
        tabindex: '0',
        role: 'button',
        'aria-haspopup': 'dialog',
        'aria-label': t('Edit {label}', { label: piece.label }),
      });
      const press = (event: Event): void => {
        if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        open(this, element);
      };
      element.addEventListener('click', press, { signal });
      element.addEventListener('keydown', press, { signal });
    }
  }

  value(): unknown {
    return this.#value;
  }

  /** Sets the value chosen by the user. `address` is the URL of a chosen image. */
  set(after: unknown): void {
    const before = this.#value;
    this.show(after);
    this.#report({ before, after, typing: false });
  }

  show(value: unknown): void {
    this.#value = value;
    for (const [index, element] of this.elements.entries()) {
      if (this.piece.type === 'image') showPicture(element, value, this.#shown[index] ?? '');
      else element.textContent = textOf(value, this.piece);
      element.toggleAttribute('data-ed-empty', value === null || value === '');
    }
  }

  close(): void {
    this.#ended.abort();
    for (const element of this.elements) restoreAttributes(element);
  }
}

/** Image chosen in the editor: attachment and URL. */
interface ChosenPicture {
  readonly attachment: number;
  readonly address: string;
}

function showPicture(element: HTMLElement, value: unknown, before: string): void {
  const image = element instanceof HTMLImageElement ? element : element.querySelector('img');
  const selection = value as ChosenPicture | null;
  if (image && selection && typeof selection === 'object' && 'address' in selection) {
    image.removeAttribute('srcset');
    image.src = selection.address;
    return;
  }
  const holder = document.createElement('template');
  holder.innerHTML = before;
  const first = holder.content.querySelector('img');
  if (image && first) image.src = value === null ? '' : first.src;
}

/** Approximates the server's formatting until the page is saved. */
function textOf(value: unknown, { type, choices, timezone }: OpenElement): string {
  if (value === null || value === undefined || value === '') return '';
  const language = pageLanguage();
  if (type === 'selection') return choices?.[String(value)] ?? String(value);
  if (type === 'boolean') return value ? t('Yes') : t('No');
  if (type === 'date') return new Date(`${String(value)}T12:00:00`).toLocaleDateString(language, { dateStyle: 'long' });
  if (type === 'datetime') return pageMoment(new Date(String(value)), timezone);
  return formatNumber(Number(value), { maximumFractionDigits: 6 });
}
