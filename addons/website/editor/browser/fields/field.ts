import type { ElementRef, OpenElement } from '../calls.ts';

/** Editable piece of the page. */
export interface EditedField {
  readonly key: string;
  readonly piece: OpenElement;
  /** Elements that show the piece; the first one is edited, the others follow. */
  readonly elements: readonly HTMLElement[];
  /** Current value, for saving. */
  value(): unknown;
  /** Shows another value. */
  show(value: unknown): void;
  /** Ends editing and restores the page's markup. */
  close(): void;
}

/** Receives every change made by the user. */
export type ReportChange = (change: { before: unknown; after: unknown; typing: boolean }) => void;

export const keyOf = ({ model, id, field }: ElementRef): string => `${model} ${id} ${field}`;

/** Record field that an element shows, from its marks; null if it shows none. */
function refOf(element: HTMLElement): ElementRef | null {
  const { oeModel, oeId, oeField } = element.dataset;
  const id = Number(oeId);
  return oeModel && oeField && Number.isSafeInteger(id) && id > 0 ? { model: oeModel, id, field: oeField } : null;
}

/** Elements of each piece of the page. Skips pieces inside other pieces or inside server-rendered blocks. */
export function findPieces(page: ParentNode): Map<string, { ref: ElementRef; elements: HTMLElement[] }> {
  const pieces = new Map<string, { ref: ElementRef; elements: HTMLElement[] }>();
  for (const element of page.querySelectorAll<HTMLElement>('[data-oe-model][data-oe-id][data-oe-field]')) {
    const ref = refOf(element);
    if (!ref || element.parentElement?.closest('[data-oe-model], [data-block]')) continue;
    const key = keyOf(ref);
    const piece = pieces.get(key);
    if (piece) piece.elements.push(element);
    else pieces.set(key, { ref, elements: [element] });
  }
  return pieces;
}
