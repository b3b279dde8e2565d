/** A typed name in the container: of a built point, a service, a value of the application, or a value of the request. */
export interface Key<T> {
  readonly kind: 'point' | 'service' | 'value' | 'request';
  readonly name: string;
  /** Only its type counts. */
  readonly $?: T;
}

/** A class that names what the container holds for it: services, and models (which the container makes for each request). */
// biome-ignore lint/suspicious/noExplicitAny: classes of any needs
export type KeyClass<T> = (abstract new (...given: any[]) => T) & { readonly key: Key<unknown> };

/** What something needs of the container, by the name under which it gets it. */
export type Needs = Readonly<Record<string, Key<unknown> | KeyClass<unknown>>>;

/** The same with what the container holds in the places of the names. */
export type Resolved<N> = {
  readonly [K in keyof N]: N[K] extends KeyClass<infer T> ? T : N[K] extends Key<infer T> ? T : never;
};

/** Names a value that the application puts into the container once: `export const log = value<Log>('log')`. */
export function value<T>(name: string): Key<T> {
  return Object.freeze({ kind: 'value', name });
}

/** Names a value that each request brings: what needs it is made anew for each request. */
export function requestValue<T>(name: string): Key<T> {
  return Object.freeze({ kind: 'request', name });
}

/** The key of a key or of the class that carries one. */
export function keyOf(need: Key<unknown> | KeyClass<unknown>): Key<unknown> {
  return 'key' in need ? need.key : need;
}
