/** A map that forgets what was used longest ago, and says so. */
export class Lru<Value> {
  readonly #limit: number;
  readonly #forget: (value: Value) => void;
  readonly #entries = new Map<string, Value>();

  constructor(limit: number, forget: (value: Value) => void = () => {}) {
    this.#limit = limit;
    this.#forget = forget;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && this.#entries.size > this.#limit / 2) {
      // Order only matters once the map fills up; until then reading stays a plain look-up.
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#forget(value);
  }

  clear(): void {
    for (const key of [...this.#entries.keys()]) this.delete(key);
  }
}
