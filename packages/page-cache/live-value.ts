import type { Tracker } from '@pergola/core';
import type { Changes } from '@pergola/db';
import { RenderTracker } from './render-tracker.ts';

/** A value, and the reads it depends on. */
export interface Made<T> {
  readonly value: T;
  readonly reads: RenderTracker;
}

/**
 * A value computed from the database and cached until a table it was read from changes, here or on another node (prepared request
 * attributes and addresses, identities). Dependencies are tracked automatically.
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

  /** The cached value if it is still valid; never waits. Wrapped, because the value may be null. */
  peek(): { readonly value: T } | null {
    return this.#made?.reads.holds ? this.#made : null;
  }

  /**
   * The value, recomputed if outdated. Concurrent calls share one computation. Passes its dependencies on to `tracker`, so that a page
   * showing the value stays valid as long as the value.
   */
  async get(tracker?: Tracker | null): Promise<T> {
    let current = this.#made;
    if (!current?.reads.holds) {
      current = await this.#renew();
      // A computation already running may predate a write that the caller knows to be committed.
      if (this.#changes.healthy && !current.reads.current) current = await this.#renew();
    }
    current.reads.passOn(tracker);
    return current.value;
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
