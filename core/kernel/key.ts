/** A typed name in the container: of a built point, a service, an application value or a request value. */
export interface Key<T> {
  readonly kind: 'point' | 'service' | 'value' | 'request';
  readonly name: string;
  /** What a value is while no part provides it. */
  readonly fallback?: T;
  /** Carries the type only; never set. */
  readonly $?: T;
}

/** A class that acts as a container key: services, and models (created for each request). */
// biome-ignore lint/suspicious/noExplicitAny: classes of any needs
export type KeyClass<T> = (abstract new (...args: any[]) => T) & { readonly key: Key<unknown> };

/** Dependencies on the container, by property name. */
export type Needs = Readonly<Record<string, Key<unknown> | KeyClass<unknown>>>;

/** Dependencies resolved from the container, by property name. */
export type Resolved<N> = {
  readonly [K in keyof N]: N[K] extends KeyClass<infer T> ? T : N[K] extends Key<infer T> ? T : never;
};

/**
 * Creates the key of a value that the application puts into the container once: `export const log = value<Log>('log')`. Without a fallback,
 * some part has to provide it.
 */
export function value<T>(name: string, fallback?: T): Key<T> {
  return Object.freeze({ kind: 'value', name, fallback });
}

/** Creates the key of a value that belongs to a request; services that need it are created for each request. */
export function requestValue<T>(name: string): Key<T> {
  return Object.freeze({ kind: 'request', name });
}

/** Returns a key itself, or the key of a class. */
export function keyOf(need: Key<unknown> | KeyClass<unknown>): Key<unknown> {
  return 'key' in need ? need.key : need;
}
