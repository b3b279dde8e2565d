import type { Tracker } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { RenderTracker } from './render-tracker.ts';

/** A value, and what was read for it. */
export interface Made<T> {
  readonly value: T;
  readonly reads: RenderTracker;
}

/**
 * A value worked out from the database and kept until a table it was read from changes, here or on another node (prepared request attributes and
 * addresses, identities). Nobody has to say what it depends on: the reads are followed.
 */
export class LiveValue<T> {
  readonly #changes: Changes;
  readonly #load: (tracker: Tracker) => Promise<T>;
  #made: Made<T> | null = null;
  #loading: Promise<Made<T>> | null = null;

  constructor(changes: Changes, load: (tracker: Tracker) => Promise<T>) {
    this.#changes = changes;
    this.#load = load;
  }

  /** The value, if it is known and still holds; never waits. Wrapped, because a value may be null. */
  peek(): { readonly value: T } | null {
    return this.#made?.reads.holds ? this.#made : null;
  }

  /**
   * The value, worked out again when it no longer holds. However many ask at once, it is worked out once. A `tracker` is told what it was made from, so
   * that a page that shows it is good for as long as the value.
   */
  async get(tracker?: Tracker | null): Promise<T> {
    let made = this.#made;
    if (!made?.reads.holds) {
      made = await this.#renew();
      // What was being worked out already when we came may be from before a write that its caller has seen acknowledged.
      if (this.#changes.healthy && !made.reads.current) made = await this.#renew();
    }
    made.reads.passOn(tracker);
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
}
