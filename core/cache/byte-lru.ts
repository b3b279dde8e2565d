import type { CachedPage } from './kept-page.ts';

interface Place {
  readonly page: CachedPage;
  bytes: number;
}

/** Pages by key within a number of bytes; those not asked for longest go first. */
export class ByteLru {
  readonly #limit: number;
  readonly #places = new Map<string, Place>();
  #bytes = 0;

  /** `limit` in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get pages(): number {
    return this.#places.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): CachedPage | undefined {
    const place = this.#places.get(key);
    if (place && this.#bytes > this.#limit / 2) {
      // The order matters only once it fills up; until then reading stays a plain look-up.
      this.#places.delete(key);
      this.#places.set(key, place);
    }
    return place?.page;
  }

  /** False for a page so large that it would push out too many others. */
  takes(bytes: number): boolean {
    return bytes <= this.#limit / 8;
  }

  set(key: string, page: CachedPage): void {
    this.delete(key);
    const bytes = page.size + key.length * 2;
    this.#places.set(key, { page, bytes });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  /** A page that is still here got larger. */
  grow(key: string, page: CachedPage, bytes: number): void {
    const place = this.#places.get(key);
    if (place?.page !== page) return;
    place.bytes += bytes;
    this.#bytes += bytes;
    this.#makeRoom();
  }

  delete(key: string): void {
    const place = this.#places.get(key);
    if (!place) return;
    this.#places.delete(key);
    this.#bytes -= place.bytes;
  }

  clear(): void {
    this.#places.clear();
    this.#bytes = 0;
  }

  #makeRoom(): void {
    for (const key of this.#places.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.delete(key);
    }
  }
}
