import { isRecent, TooLarge } from '@pergola/core';
import type { BlobStore } from './blob-store.ts';
import type { UploadLimits } from './types.ts';

/** Interval for including files stored by other processes or removed by the sweep. */
const RECOUNT_MS = 10 * 60_000;
const MB = 1_000_000;

/** Space used by the site's files: recounted periodically and updated in between. */
export class UsedSpace {
  readonly #blobs: BlobStore;
  #counted: Promise<number> | null = null;
  #at = 0;
  #since = 0;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  async bytes(): Promise<number> {
    if (this.#counted === null || !isRecent(this.#at, RECOUNT_MS, new Date())) {
      this.#at = Date.now();
      this.#since = 0;
      this.#counted = this.#count();
      this.#counted.catch(() => {
        this.#counted = null;
      });
    }
    return (await this.#counted) + this.#since;
  }

  /**
   * Reserves space for an upload while it is stored; `store` returns whether the file is new.
   *
   * @throws TooLarge, without storing anything, if the file is too large or exceeds the site's space
   */
  async keep<T extends { readonly isNew: boolean }>(
    bytes: number,
    { file, total }: UploadLimits,
    store: () => Promise<T>,
  ): Promise<T> {
    if (file !== null && bytes > file)
      throw new TooLarge('This file is too large. The limit is {size} MB.', {
        code: 'core.upload_too_large',
        params: { size: file / MB },
      });
    if (total !== null && (await this.bytes()) + bytes > total)
      throw new TooLarge('There’s no space left for this file. The site’s limit is {size} MB.', {
        code: 'core.upload_space',
        params: { size: total / MB },
      });
    this.#since += bytes;
    let isNew = false;
    try {
      const stored = await store();
      isNew = stored.isNew;
      return stored;
    } finally {
      if (!isNew) this.#since -= bytes;
    }
  }

  async #count(): Promise<number> {
    let bytes = 0;
    for (const folder of ['files', 'derived']) for await (const { size } of this.#blobs.list(folder)) bytes += size;
    return bytes;
  }
}
