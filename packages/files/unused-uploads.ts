import { type Id, InvalidInput } from '@pergola/core';
import type { FileRef } from './types.ts';

/** Who brings files: a user, or of those who have no account everybody of one network. */
export type Uploader = Id | string;

interface Upload {
  readonly whose: Uploader;
  readonly bytes: number;
  readonly at: number;
}

/** What the files of one user or network may take that no record names: two of the largest at once, and what somebody tries out. */
const MOST_BYTES = 150 * 1024 * 1024;

/**
 * Counts the files that people brought and no record names yet: what is refused after it was stored, or given up, stays on the disk for a day, and
 * nobody may fill the disk with it. Each process counts for itself, and a file counts until a record with it is saved or it is swept away.
 */
export class UnusedUploads {
  readonly #keptMs: number;
  /** By hash, and by a name of its own while it is being stored. */
  readonly #uploads = new Map<string, Upload>();
  #begun = 0;

  /** `keptMs`: after how long the sweep removes what nobody names. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * Stores a file of at most so many bytes for somebody; `store` answers whether it was there already.
   *
   * @throws InvalidInput, and nothing is stored, when they have brought too much that is not used.
   */
  async count(
    whose: Uploader,
    bytes: number,
    store: () => Promise<{ file: FileRef; isNew: boolean }>,
  ): Promise<FileRef> {
    if (this.#bytesOf(whose) + bytes > MOST_BYTES) throw tooMuch();
    this.#begun += 1;
    const place = `begun ${this.#begun}`;
    this.#uploads.set(place, { whose, bytes, at: Date.now() });
    try {
      const { file, isNew } = await store();
      if (isNew) this.#uploads.set(file.hash, { whose, bytes: file.size, at: Date.now() });
      return file;
    } finally {
      this.#uploads.delete(place);
    }
  }

  /** A record names the file now. */
  used(hash: string): void {
    this.#uploads.delete(hash);
  }

  #bytesOf(whose: Uploader): number {
    const oldest = Date.now() - this.#keptMs;
    let bytes = 0;
    for (const [name, upload] of this.#uploads) {
      if (upload.at < oldest) this.#uploads.delete(name);
      else if (upload.whose === whose) bytes += upload.bytes;
    }
    return bytes;
  }
}

function tooMuch(): InvalidInput {
  return new InvalidInput(
    'You have sent many files that are not used anywhere yet. Save what you have begun, or send more tomorrow.',
    { code: 'core.unused_uploads' },
  );
}
