import type { Addon } from './addon.ts';
import type { Container, Scope } from './container.ts';
import type { Key, KeyClass } from './key.ts';
import { type Change, type ContributionPoint, contributionsTo } from './point.ts';
import type { GenerationRecord } from './storage.ts';

/**
 * Everything that serves requests, built whole from the enabled addons, checked whole, and swapped in by one pointer. Nothing in it changes once it
 * serves; requests end on the generation they began on.
 */
export class Generation {
  /** Counts up with every switch; the same on all nodes. */
  readonly number: number;
  /** What it was built from. */
  readonly record: GenerationRecord;
  /** In dependency order. */
  readonly addons: readonly Addon[];
  readonly #points: readonly ContributionPoint[];
  readonly #container: Container;

  constructor(parts: {
    readonly record: GenerationRecord;
    readonly addons: readonly Addon[];
    readonly points: readonly ContributionPoint[];
    readonly container: Container;
  }) {
    this.number = parts.record.number;
    this.record = parts.record;
    this.addons = parts.addons;
    this.#points = parts.points;
    this.#container = parts.container;
  }

  /** A built point, a value of the application, or a service that needs nothing of a request. */
  get<T>(key: Key<T> | KeyClass<T>): T {
    return this.#container.get(key);
  }

  /** What people meet when these of its addons come, or no longer meet when they go. */
  changes(addons: readonly Addon[], comes: boolean): Change[] {
    return this.#points.flatMap((point) => [
      ...(point.options.changes?.(this.get(point), contributionsTo(point, addons), comes, addons) ?? []),
    ]);
  }

  /** Puts another value in the place of a built point's, before the generation serves. */
  replace<T>(key: Key<T>, value: T): void {
    this.#container.replace(key, value);
  }

  /** The container for one request, with its values by name. Dispose it when the request has ended. */
  scope(values: Readonly<Record<string, unknown>>): Scope {
    return this.#container.scope(values);
  }

  /** Ends what its services keep open, when the last request on it has ended. */
  dispose(): Promise<void> {
    return this.#container.dispose();
  }
}
