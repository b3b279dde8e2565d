import type { Addon } from './addon.ts';
import type { Container, Scope } from './container.ts';
import type { Key, KeyClass } from './key.ts';
import { type Change, type ContributionPoint, contributionsTo } from './point.ts';
import type { GenerationRecord } from './storage.ts';

/**
 * Everything that serves requests. Built and checked as a whole from the enabled addons, then swapped in by changing one pointer. Immutable
 * while serving; a request finishes on the generation it started on.
 */
export class Generation {
  /** Increases with every switch; the same on all nodes. */
  readonly number: number;
  /** Record it was built from. */
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

  /** Returns a built point, a value of the application, or a service that doesn't depend on a request. */
  get<T>(key: Key<T> | KeyClass<T>): T {
    return this.#container.get(key);
  }

  /** Changes visitors and staff will see when these addons are enabled or disabled. */
  changes(addons: readonly Addon[], isEnabling: boolean): Change[] {
    return this.#points.flatMap((point) => [
      ...(point.options.changes?.(this.get(point), contributionsTo(point, addons), isEnabling, addons) ?? []),
    ]);
  }

  /** Replaces the value of a built point before the generation serves. */
  replace<T>(key: Key<T>, value: T): void {
    this.#container.replace(key, value);
  }

  /** Creates a container for one request with its values by name. Dispose it when the request ends. */
  scope(values: Readonly<Record<string, unknown>>): Scope {
    return this.#container.scope(values);
  }

  /** Releases resources held by its services, after its last request has ended. */
  dispose(): Promise<void> {
    return this.#container.dispose();
  }
}
