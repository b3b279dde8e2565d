import type { Tracker } from '@pergola/core';
import type { Changes } from '@pergola/db';

/** Notes what one render reads. Answers afterwards, and at any time meanwhile, whether all of it still stands. */
export class RenderTracker implements Tracker {
  readonly #changes: Changes;
  readonly #versions = new Map<string, number>();
  #expires = Number.POSITIVE_INFINITY;
  #reason: string | null = null;
  #readsAddress = false;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** The oldest version counts: what was read then may be older than what a later reading finds. */
  table(name: string, version = this.#changes.version(name)): void {
    const known = this.#versions.get(name);
    if (known === undefined || version < known) this.#versions.set(name, version);
  }

  until(at: Date): void {
    this.#expires = Math.min(this.#expires, at.getTime());
  }

  personal(reason: string): void {
    this.#reason ??= reason;
  }

  address(): void {
    this.#readsAddress = true;
  }

  /** Whether the page depends on query values that its route doesn't declare. */
  get readsAddress(): boolean {
    return this.#readsAddress;
  }

  /** Milliseconds since 1970 from which on the page is stale; Infinity when it does not depend on the time. */
  get expires(): number {
    return this.#expires;
  }

  /** Why the page belongs to one visitor; null when it does not. */
  get reason(): string | null {
    return this.#reason;
  }

  get versions(): ReadonlyMap<string, number> {
    return this.#versions;
  }

  /** Whether nothing that was read so far has changed since it was read. */
  get current(): boolean {
    return this.#changes.healthy && unchanged(this.#versions, this.#changes);
  }

  /** Whether what was made from all that was read may still be used: never where something was read that no table tells of. */
  get holds(): boolean {
    return this.#reason === null && this.current && Date.now() < this.#expires;
  }

  /** Tells a page that shows what was made from these reads about them: it is good for as long as they are. */
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
