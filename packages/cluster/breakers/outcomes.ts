/** Number of values remembered: enough to tell a fault of all calls from a fault of a few. */
const MAX_VALUES = 50;

/**
 * Results of the latest calls by one of their properties, such as the visitor, to distinguish faults of all calls from faults with certain
 * values.
 */
export class Outcomes {
  /** Failures in a row by value, 0 after a success; the latest last. */
  readonly #failures = new Map<string, number>();
  #isEveryone = false;

  /** @param failing values known to fail; null for all of them */
  constructor(failing: readonly string[] | null = []) {
    this.#isEveryone = failing === null;
    for (const value of failing ?? []) this.#failures.set(value, 1);
  }

  /** Adds a result. Returns how often the value has failed in a row. */
  record(value: string, isFailure: boolean): number {
    const failures = isFailure ? (this.#failures.get(value) ?? 0) + 1 : 0;
    this.#failures.delete(value);
    this.#failures.set(value, failures);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_VALUES && oldest !== undefined) this.#failures.delete(oldest);
    return failures;
  }

  /** Failing values, or null if the fault isn't limited to some: at least two fail, and no more than these succeed. */
  get failing(): readonly string[] | null {
    const values = [...this.#failures].flatMap(([value, failures]) => (failures > 0 ? value : []));
    const isCommon = values.length >= 2 && values.length * 2 >= this.#failures.size;
    return this.#isEveryone || isCommon ? null : values;
  }

  /** Whether a call with this value is expected to fail. */
  covers(value: string): boolean {
    return this.failing?.includes(value) ?? true;
  }
}
