import type { ElementRef, OpenElement } from '../calls.ts';

/** One piece of the page while it is edited. */
export interface EditedField {
  readonly key: string;
  readonly about: OpenElement;
  /** Where it stands; the first one is edited, the others follow. */
  readonly elements: readonly HTMLElement[];
  /** As it is now, for saving. */
  value(): unknown;
  /** Shows another value. */
  show(value: unknown): void;
  /** Ends editing it and leaves the page as it is. */
  close(): void;
}

/** Told of every change a person makes. */
export type ReportChange = (change: { before: unknown; after: unknown; typing: boolean }) => void;

export const keyOf = ({ model, id, field }: ElementRef): string => `${model} ${id} ${field}`;

/** The piece an element of the page is, by its marks; null for what is none. */
function refOf(element: HTMLElement): ElementRef | null {
  const { oeModel, oeId, oeField } = element.dataset;
  const id = Number(oeId);
  return oeModel && oeField && Number.isSafeInteger(id) && id > 0 ? { model: oeModel, id, field: oeField } : null;
}

/** The elements of each piece of the page. Pieces within other pieces, or within what a block shows, are left out. */
export function findPieces(page: ParentNode): Map<string, { ref: ElementRef; elements: HTMLElement[] }> {
  const pieces = new Map<string, { ref: ElementRef; elements: HTMLElement[] }>();
  for (const element of page.querySelectorAll<HTMLElement>('[data-oe-model][data-oe-id][data-oe-field]')) {
    const ref = refOf(element);
    if (!ref || element.parentElement?.closest('[data-oe-model], [data-block]')) continue;
    const key = keyOf(ref);
    const known = pieces.get(key);
    if (known) known.elements.push(element);
    else pieces.set(key, { ref, elements: [element] });
  }
  return pieces;
}
