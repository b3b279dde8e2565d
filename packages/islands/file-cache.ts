interface Kept<T> {
  readonly stamp: string;
  readonly content: Promise<T>;
  bytes: number;
}

/** Caches values made from files, evicting the least recently used ones above `mostBytes`. */
export class FileCache<T extends { readonly bytes: number }> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the cached value of a file, or makes it if it's missing or the file's stamp has changed. Concurrent calls share one run. */
  get(file: string, stamp: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(file);
    if (known?.stamp === stamp) return this.#used(file, known);
    if (known) this.#forget(file, known);
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
    const known = this.#kept.get(file);
    return known && this.#used(file, known);
  }

  #used(file: string, kept: Kept<T>): Promise<T> {
    this.#kept.delete(file);
    this.#kept.set(file, kept);
    return kept.content;
  }

  #count(file: string, made: Kept<T>, bytes: number): void {
    if (this.#kept.get(file) !== made) return;
    made.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#forget(oldest, kept);
    }
  }

  #forget(file: string, kept: Kept<T>): void {
    if (this.#kept.get(file) !== kept) return;
    this.#kept.delete(file);
    this.#bytes -= kept.bytes;
  }
}
