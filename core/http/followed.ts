import { RenderTracker } from '../cache/index.ts';
import type { Tracker } from '../context/index.ts';
import type { Changes } from '../db/index.ts';

/** A value, and what was read for it. */
interface Made<T> {
  readonly value: T;
  readonly reads: RenderTracker;
}

/**
 * A value worked out from the database and kept until a table it was read from changes, here or on another node (prepared facts and addresses,
 * identities). Nobody has to say what it depends on: the reads are followed.
 */
export class Followed<T> {
  readonly #changes: Changes;
  readonly #load: (tracker: Tracker) => Promise<T>;
  #made: Made<T> | null = null;
  #loading: Promise<Made<T>> | null = null;

  constructor(changes: Changes, load: (tracker: Tracker) => Promise<T>) {
    this.#changes = changes;
    this.#load = load;
  }

  /**
   * The value, if it is known and still holds; never waits. Wrapped, because a value may be null. A `tracker` is told what the value was made
   * from, so that a page that shows it is good for as long as the value.
   */
  peek(tracker?: Tracker | null): { readonly value: T } | null {
    const made = this.#made;
    if (!made || !this.#holds(made)) return null;
    if (tracker) {
      for (const table of made.reads.versions.keys()) tracker.table(table);
      if (Number.isFinite(made.reads.expires)) tracker.until(new Date(made.reads.expires));
    }
    return made;
  }

  /** The value, worked out again when it no longer holds. However many ask at once, it is worked out once. */
  async get(tracker?: Tracker | null): Promise<T> {
    const kept = this.peek(tracker);
    if (kept) return kept.value;
    let made = await this.#renew();
    // What was being worked out already when we came may be from before a write that its caller has seen acknowledged.
    if (this.#changes.healthy && !this.#holds(made)) made = await this.#renew();
    if (tracker && !this.peek(tracker)) tracker.personal('what it shows was changing while it was made');
    return made.value;
  }

  #renew(): Promise<Made<T>> {
    this.#loading ??= this.#make().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #make(): Promise<Made<T>> {
    const reads = new RenderTracker(this.#changes);
    this.#made = { value: await this.#load(reads), reads };
    return this.#made;
  }

  #holds({ reads }: Made<T>): boolean {
    return reads.current && Date.now() < reads.expires;
  }
}
