/** A list that addons add to and its owner reads with `ctx.contributions(point)`. */
export interface ExtensionPoint<T> {
  readonly name: string;
  /** Makes a contribution for `contributes` of an addon's definition. */
  add(...items: readonly T[]): Contribution;
  readonly $?: T;
}

export interface Contribution {
  readonly point: string;
  readonly items: readonly unknown[];
}

/**
 * Declares a point that other addons contribute to.
 *
 * ```ts
 * export const snippets = extensionPoint<Snippet>('website.snippets');      // in website
 * contributes: [snippets.add({ id: 'dribblo.standings', … })],              // in dribblo's addon.ts
 * ```
 */
export function extensionPoint<T>(name: string): ExtensionPoint<T> {
  return Object.freeze({ name, add: (...items: readonly T[]): Contribution => ({ point: name, items }) });
}
