import { LRUCache } from 'lru-cache';

/** A bounded cache of the process under the name that `/metrics` shows it by. */
interface Named {
  readonly cache: WeakRef<LRUCache<never, never>>;
  readonly entryBytes: number;
}

/** How large a cache is, all of one name together. */
export interface CacheSize {
  readonly entries: number;
  readonly bytes: number;
  /** Bytes it may grow to. */
  readonly limit: number;
}

type Options<K extends NonNullable<unknown>, V extends NonNullable<unknown>> =
  /** Entries are measured. */
  | (LRUCache.Options<K, V, unknown> & { maxSize: number; sizeCalculation: (value: V, key: K) => number })
  /** Entries are alike: about so many bytes each, key included. */
  | (LRUCache.Options<K, V, unknown> & { max: number; entryBytes: number });

// architecture-exempt(mutable-module): memory belongs to the process, whatever runs in it
const caches = new Map<string, Set<Named>>();

/**
 * An LRU cache whose entries and bytes `/metrics` shows under `name`; several of one name (one a connection, one a generation) are added up.
 *
 * @param options those of lru-cache, with a bound in bytes: `maxSize` with `sizeCalculation`, or `max` with `entryBytes`
 */
export function namedCache<K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  name: string,
  options: Options<K, V>,
): LRUCache<K, V> {
  const cache = new LRUCache<K, V>(options);
  const entryBytes = 'entryBytes' in options ? options.entryBytes : 0;
  const known = caches.get(name) ?? new Set();
  caches.set(name, known.add({ cache: new WeakRef(cache as unknown as LRUCache<never, never>), entryBytes }));
  return cache;
}

/** The size of every cache that is still in use, by name. */
export function cacheSizes(): ReadonlyMap<string, CacheSize> {
  const sizes = new Map<string, CacheSize>();
  for (const [name, known] of caches) {
    for (const one of known) {
      const cache = one.cache.deref();
      const { entries, bytes, limit } = sizes.get(name) ?? { entries: 0, bytes: 0, limit: 0 };
      if (!cache) known.delete(one);
      else if (one.entryBytes > 0) {
        const used = bytes + cache.size * one.entryBytes;
        sizes.set(name, { entries: entries + cache.size, bytes: used, limit: limit + cache.max * one.entryBytes });
      } else {
        const used = bytes + cache.calculatedSize;
        sizes.set(name, { entries: entries + cache.size, bytes: used, limit: limit + cache.maxSize });
      }
    }
  }
  return sizes;
}

/** About how many bytes a value takes in memory, with all it holds; names of properties are shared by all objects of a kind. */
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
