interface Kept<T> {
  readonly stamp: string;
  readonly content: Promise<T>;
  bytes: number;
}

/** Caches values made from files, evicting the least recently used ones above `maxBytes`. */
export class FileCache<T extends { readonly bytes: number }> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the cached value of a file, or makes it if it's missing or the file's stamp has changed. Concurrent calls share one run. */
  get(file: string, stamp: string, make: () => Promise<T>): Promise<T> {
    const entry = this.#kept.get(file);
    if (entry?.stamp === stamp) return this.#used(file, entry);
    if (entry) this.#forget(file, entry);
    const fresh: Kept<T> = { stamp, content: make(), bytes: 0 };
    this.#kept.set(file, fresh);
    fresh.content.then(
      ({ bytes }) => this.#count(file, fresh, bytes),
      () => this.#forget(file, fresh),
    );
    return fresh.content;
  }

  /** Cached value of a file, whatever its stamp. */
  peek(file: string): Promise<T> | undefined {
    const entry = this.#kept.get(file);
    return entry && this.#used(file, entry);
  }

  #used(file: string, entry: Kept<T>): Promise<T> {
    this.#kept.delete(file);
    this.#kept.set(file, entry);
    return entry.content;
  }

  #count(file: string, newEntry: Kept<T>, bytes: number): void {
    if (this.#kept.get(file) !== newEntry) return;
    newEntry.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#forget(oldest, entry);
    }
  }

  #forget(file: string, entry: Kept<T>): void {
    if (this.#kept.get(file) !== entry) return;
    this.#kept.delete(file);
    this.#bytes -= entry.bytes;
  }
}
