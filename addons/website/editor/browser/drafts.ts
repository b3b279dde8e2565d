import type { ElementRef } from './calls.ts';

/** A piece as it was when its editor went away without saving. */
export interface DraftPiece extends ElementRef {
  readonly revision: string;
  readonly value: unknown;
}

export interface Draft {
  /** ISO time. */
  readonly at: string;
  readonly pieces: readonly DraftPiece[];
}

/** Unsaved changes of a page, kept in this browser until they are saved or thrown away. Nothing here ever throws: a full or closed store keeps nothing. */
export class Drafts {
  readonly #key: string;
  readonly #store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

  constructor(page: string, lang: string, store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage) {
    this.#key = `website.draft ${lang} ${page}`;
    this.#store = store;
  }

  read(): Draft | null {
    try {
      const draft = JSON.parse(this.#store.getItem(this.#key) ?? 'null') as Draft | null;
      return draft && Array.isArray(draft.pieces) && draft.pieces.length > 0 ? draft : null;
    } catch {
      return null;
    }
  }

  /** Keeps these changes in the place of those before; none of them: forgets. */
  keep(pieces: readonly DraftPiece[], at: Date = new Date()): void {
    try {
      if (pieces.length === 0) this.#store.removeItem(this.#key);
      else this.#store.setItem(this.#key, JSON.stringify({ at: at.toISOString(), pieces } satisfies Draft));
    } catch {
      // No room, or no store: the page still warns before it is left.
    }
  }
}
