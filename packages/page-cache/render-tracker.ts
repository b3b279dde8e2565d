import type { Tracker } from '@pergola/core';
import type { Changes } from '@pergola/db';

/** Records the reads of a render and checks, during and after it, whether all of them are still current. */
export class RenderTracker implements Tracker {
  readonly #changes: Changes;
  readonly #versions = new Map<string, number>();
  #expires = Number.POSITIVE_INFINITY;
  #reason: string | null = null;
  #readsAddress = false;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Keeps the oldest version: data read first may be older than data from a later read. */
  table(name: string, version = this.#changes.version(name)): void {
    const recorded = this.#versions.get(name);
    if (recorded === undefined || version < recorded) this.#versions.set(name, version);
  }

  until(expiresAt: Date): void {
    this.#expires = Math.min(this.#expires, expiresAt.getTime());
  }

  personal(reason: string): void {
    this.#reason ??= reason;
  }

  address(): void {
    this.#readsAddress = true;
  }

  /** Whether the page depends on undeclared query values. */
  get readsAddress(): boolean {
    return this.#readsAddress;
  }

  /** Time in milliseconds since 1970 when the page becomes stale; Infinity if it doesn't depend on time. */
  get expires(): number {
    return this.#expires;
  }

  /** Reason why the page is personal, or null. */
  get reason(): string | null {
    return this.#reason;
  }

  get versions(): ReadonlyMap<string, number> {
    return this.#versions;
  }

  /** Whether all data read so far is unchanged. */
  get current(): boolean {
    return this.#changes.healthy && unchanged(this.#versions, this.#changes);
  }

  /** Whether the result may still be reused: never if it depends on anything but tables. */
  get holds(): boolean {
    return this.#reason === null && this.current && Date.now() < this.#expires;
  }

  /** Passes these reads on to the tracker of a page that uses their result, so that the page is valid as long as they are. */
  passOn(to: Tracker | null | undefined): void {
    if (!to) return;
    for (const [table, version] of this.#versions) to.table(table, version);
    if (Number.isFinite(this.#expires)) to.until(new Date(this.#expires));
    if (this.#reason !== null) to.personal(this.#reason);
    if (this.#readsAddress) to.address();
  }
}

/** Whether every table still has the version it was read at. */
export function unchanged(versions: ReadonlyMap<string, number>, changes: Changes): boolean {
  for (const [table, version] of versions) if (changes.version(table) !== version) return false;
  return true;
}
