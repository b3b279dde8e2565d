import { LRUCache } from 'lru-cache';

/** Total size of all caches with one name. */
export interface CacheSize {
  readonly entries: number;
  readonly bytes: number;
  /** Maximum size in bytes. */
  readonly limit: number;
}

type Options<K extends NonNullable<unknown>, V extends NonNullable<unknown>> =
  /** Entries are measured individually. */
  | (LRUCache.Options<K, V, unknown> & { maxSize: number; sizeCalculation: (value: V, key: K) => number })
  /** All entries have about the same size in bytes, including the key. */
  | (LRUCache.Options<K, V, unknown> & { max: number; entryBytes: number });

type AnyCache = LRUCache<never, never>;

// architecture-exempt(mutable-module): memory belongs to the process, whatever runs in it
const caches = new Map<string, Set<WeakRef<AnyCache>>>();

/**
 * Creates an LRU cache whose entries and bytes appear in `/metrics` under `name`; caches with the same name (one per connection or
 * generation) are added up.
 *
 * @param options of lru-cache, with a limit in bytes: `maxSize` with `sizeCalculation`, or `max` with `entryBytes`
 */
export function namedCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  name: string,
  options: Options<K, V>,
): LRUCache<K, V> {
  const cache = new LRUCache<K, V>('entryBytes' in options ? sized(options) : options);
  caches.set(name, (caches.get(name) ?? new Set()).add(new WeakRef(cache as unknown as AnyCache)));
  return cache;
}

/** Limits the bytes instead of the entries: with `max`, lru-cache allocates memory for all of them at once. */
function sized<K extends NonNullable<unknown>, V extends NonNullable<unknown>>({
  max,
  entryBytes,
  ...options
}: Extract<Options<K, V>, { entryBytes: number }>): LRUCache.Options<K, V, unknown> {
  return { ...options, maxSize: max * entryBytes, sizeCalculation: () => entryBytes };
}

/** Returns the size of every cache in use, by name. */
export function cacheSizes(): ReadonlyMap<string, CacheSize> {
  const sizes = new Map<string, CacheSize>();
  for (const [name, namedCaches] of caches) {
    for (const reference of namedCaches) {
      const cache = reference.deref();
      const { entries, bytes, limit } = sizes.get(name) ?? { entries: 0, bytes: 0, limit: 0 };
      if (cache)
        sizes.set(name, {
          entries: entries + cache.size,
          bytes: bytes + cache.calculatedSize,
          limit: limit + cache.maxSize,
        });
      else namedCaches.delete(reference);
    }
  }
  return sizes;
}

/** Estimates the memory used by a value and everything it references, in bytes; property names are shared between objects of a kind. */
export function roughBytes(value: unknown, seen = new Set<object>()): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (seen.has(value)) return 8;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return 64 + value.byteLength;
  const parts: Iterable<unknown> =
    value instanceof Map
      ? [...value].flat()
      : Symbol.iterator in value
        ? (value as Iterable<unknown>)
        : Object.values(value);
  let bytes = 32;
  for (const part of parts) bytes += 8 + roughBytes(part, seen);
  return bytes;
}
