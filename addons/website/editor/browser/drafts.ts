import type { ElementRef } from './calls.ts';

/** Unsaved piece of a page, stored when the editor was left without saving. */
export interface DraftPiece extends ElementRef {
  readonly revision: string;
  readonly value: unknown;
}

export interface Draft {
  /** ISO time. */
  readonly at: string;
  readonly pieces: readonly DraftPiece[];
}

/**
 * Unsaved changes of a page, stored in this browser until they are saved or discarded. Never throws: if storage is full or blocked, nothing
 * is stored.
 */
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

  /** Replaces the stored changes; an empty list deletes them. */
  keep(pieces: readonly DraftPiece[], savedAt: Date = new Date()): void {
    try {
      if (pieces.length === 0) this.#store.removeItem(this.#key);
      else this.#store.setItem(this.#key, JSON.stringify({ at: savedAt.toISOString(), pieces } satisfies Draft));
    } catch {
      // Storage is full or blocked; the page still warns before unload.
    }
  }
}
