import { type Id, InvalidInput } from '@pergola/core';
import type { FileRef } from './types.ts';

/** Owner of uploads: a user, or for visitors without an account their network. */
export type Uploader = Id | string;

interface Upload {
  readonly uploader: Uploader;
  readonly bytes: number;
  readonly at: number;
}

/** Limit per user or network for files without a record: two of the largest uploads at once, plus some attempts. */
const MAX_BYTES = 150 * 1024 * 1024;

/**
 * Counts uploaded files that no record references yet: files that were rejected after being stored, or abandoned, stay on disk for a day,
 * and must not fill it. Counted per process, until a record with the file is saved or the file is swept.
 */
export class UnusedUploads {
  readonly #keptMs: number;
  /** By hash, or by a temporary name during the upload. */
  readonly #uploads = new Map<string, Upload>();
  #uploadCount = 0;

  /** `keptMs`: time after which the sweep removes unreferenced files. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /**
   * Stores a file of at most `bytes` bytes for an uploader; `store` returns whether the file is new.
   *
   * @throws InvalidInput, without storing anything, if the uploader has too many unused files.
   */
  async count(
    uploader: Uploader,
    bytes: number,
    store: () => Promise<{ file: FileRef; isNew: boolean }>,
  ): Promise<FileRef> {
    if (this.#bytesOf(uploader) + bytes > MAX_BYTES) throw tooMuch();
    this.#uploadCount += 1;
    const place = `begun ${this.#uploadCount}`;
    this.#uploads.set(place, { uploader, bytes, at: Date.now() });
    try {
      const { file, isNew } = await store();
      if (isNew) this.#uploads.set(file.hash, { uploader, bytes: file.size, at: Date.now() });
      return file;
    } finally {
      this.#uploads.delete(place);
    }
  }

  /** Stops counting a file that a record references now. */
  used(hash: string): void {
    this.#uploads.delete(hash);
  }

  #bytesOf(uploader: Uploader): number {
    const oldest = Date.now() - this.#keptMs;
    let bytes = 0;
    for (const [name, upload] of this.#uploads) {
      if (upload.at < oldest) this.#uploads.delete(name);
      else if (upload.uploader === uploader) bytes += upload.bytes;
    }
    return bytes;
  }
}

function tooMuch(): InvalidInput {
  return new InvalidInput('You’ve uploaded many files that aren’t used yet. Save your work, or upload more tomorrow.', {
    code: 'core.unused_uploads',
  });
}
