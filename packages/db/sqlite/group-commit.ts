import { namedCache } from '@pergola/core';

/** A write that took longer of late is not put between others and the commit they wait for. */
const quickMs = 20;
/** Nobody joins writes whose first began longer ago, or who are this many. */
const oldestMs = 40;
const mostWrites = 16;

/** What became of writes that share a commit. */
export type Outcome = { readonly saved: true } | { readonly saved: false; readonly error: unknown };

/**
 * Writes that share one transaction of SQLite and its commit, each but the first within a savepoint. Waiting for the disk is by far the longest part of a
 * small write, and the disk takes as long for sixteen as for one.
 *
 * ```
 *   begin ── write 1 ── savepoint w1 ── write 2 ── savepoint w2 ── write 3 ── commit ──▶ all three answer
 * ```
 */
export class GroupCommit {
  readonly #began = performance.now();
  readonly #ended = Promise.withResolvers<Outcome>();
  readonly touched = new Set<string>();
  #begun: Promise<unknown> = Promise.resolve();
  /** Those whose work is done. */
  size = 0;

  /** The savepoint that the next one begins with; the first needs none. */
  get base(): string | null {
    return this.size === 0 ? null : `w${this.size}`;
  }

  get isOpen(): boolean {
    return this.size < mostWrites && performance.now() - this.#began < oldestMs;
  }

  /** Answers when the commit was made, or was not. Never rejects. */
  get outcome(): Promise<Outcome> {
    return this.#ended.promise;
  }

  /** The savepoint of the one that is under way. */
  begins(savepoint: Promise<unknown>): void {
    // Whoever awaits it hears of a failure.
    savepoint.catch(() => {});
    this.#begun = savepoint;
  }

  /** Rejects when the savepoint could not be made: then nothing of the work can be undone by itself. */
  get begun(): Promise<unknown> {
    return this.#begun;
  }

  done(touched: ReadonlySet<string>): void {
    this.size += 1;
    for (const table of touched) this.touched.add(table);
  }

  end(outcome: Outcome): void {
    this.#ended.resolve(outcome);
  }
}

/** Remembers by their labels how long writes took, to tell those that are quick. */
export class WriteTimings {
  readonly #slowest = namedCache<string, number>('write_timings', { max: 500, entryBytes: 150 });

  /** False for one that was never seen: it may be anything. */
  isQuick(label: string): boolean {
    return (this.#slowest.get(label) ?? quickMs) < quickMs;
  }

  /** One slow run counts for a while, not for ever. */
  took(label: string, milliseconds: number): void {
    this.#slowest.set(label, Math.max(milliseconds, (this.#slowest.get(label) ?? 0) * 0.8));
  }
}
