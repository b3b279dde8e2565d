import type { ChangeListener, ChangeOrigin, Changes, DatabaseLog } from './types.ts';

/** Tracks table versions in this process and notifies listeners. Updated by local commits and by notifications from other nodes. */
export class ChangeBoard implements Changes {
  readonly #log: DatabaseLog;
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<ChangeListener>();
  /** Increased when anything may have changed; part of every table's version. */
  #all = 0;
  healthy = false;

  constructor(log: DatabaseLog) {
    this.#log = log;
  }

  version(table: string): number {
    return this.#all + (this.#versions.get(table) ?? 0);
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  bump(tables: ReadonlySet<string>, origin: ChangeOrigin): void {
    if (tables.size === 0) return;
    for (const table of tables) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1);
    this.#notify(tables, origin);
  }

  bumpAll(): void {
    this.#all += 1;
    this.#notify('all', 'remote');
  }

  #notify(tables: ReadonlySet<string> | 'all', origin: ChangeOrigin): void {
    for (const listener of this.#listeners) {
      try {
        listener(tables, origin);
      } catch (error) {
        this.#log.error({ err: error }, 'A listener for database changes failed; the others were notified');
      }
    }
  }
}
