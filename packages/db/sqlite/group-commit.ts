import { namedCache } from '@pergola/caches';

/** A write that recently took longer isn't placed between other writes and their commit. */
const quickMs = 20;
/** Limits for joining a group: the age of its first write in ms, and the number of writes. */
const maxAgeMs = 40;
const maxWrites = 16;

/** Result of writes that share a commit. */
export type Outcome = { readonly saved: true } | { readonly saved: false; readonly error: unknown };

/**
 * Writes that share one SQLite transaction and its commit, each but the first in a savepoint. Waiting for the disk is by far the longest
 * part of a small write, and takes as long for sixteen writes as for one.
 *
 * ```
 *   begin ── write 1 ── savepoint w1 ── write 2 ── savepoint w2 ── write 3 ── commit ──▶ all three return
 * ```
 */
export class GroupCommit {
  readonly #began = performance.now();
  readonly #ended = Promise.withResolvers<Outcome>();
  readonly touched = new Set<string>();
  #savepointMade: Promise<unknown> = Promise.resolve();
  /** Number of finished writes. */
  size = 0;

  /** Savepoint for the next write; the first needs none. */
  get base(): string | null {
    return this.size === 0 ? null : `w${this.size}`;
  }

  get isOpen(): boolean {
    return this.size < maxWrites && performance.now() - this.#began < maxAgeMs;
  }

  /** Resolves when the commit has succeeded or failed. Never rejects. */
  get outcome(): Promise<Outcome> {
    return this.#ended.promise;
  }

  /** Records the savepoint of the current write. */
  begins(savepoint: Promise<unknown>): void {
    // `savepointMade` reports the failure.
    savepoint.catch(() => {});
    this.#savepointMade = savepoint;
  }

  /** Rejects if the savepoint failed: then the write can't be rolled back separately. */
  get savepointMade(): Promise<unknown> {
    return this.#savepointMade;
  }

  done(touched: ReadonlySet<string>): void {
    this.size += 1;
    for (const table of touched) this.touched.add(table);
  }

  end(outcome: Outcome): void {
    this.#ended.resolve(outcome);
  }
}

/** Remembers write durations by label, to identify quick writes. */
export class WriteTimings {
  readonly #slowest = namedCache<string, number>('write_timings', { max: 500, entryBytes: 150 });

  /** False for an unknown label, which may take any time. */
  isQuick(label: string): boolean {
    return (this.#slowest.get(label) ?? quickMs) < quickMs;
  }

  /** A slow run is forgotten gradually. */
  took(label: string, milliseconds: number): void {
    this.#slowest.set(label, Math.max(milliseconds, (this.#slowest.get(label) ?? 0) * 0.8));
  }
}
