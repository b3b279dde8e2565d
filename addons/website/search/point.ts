import { type Ctx, contributionPoint, type Id, z } from 'pergola';
import { callable, iconName, id, shaped, text } from 'pergola/kernel';

/** Search result. */
export interface SearchHit {
  readonly title: string;
  /** Path without language: `/forum/help-1`. */
  readonly url: string;
  /** Short description. */
  readonly text?: string | null;
  /** Id of the record, for `details`. */
  readonly id?: Id;
  /** Image URL, about 192 pixels wide. */
  readonly image?: string | null;
  /** Short note next to the title: a price, a date. */
  readonly note?: string;
}

/** Kind of record in the site search. */
export interface Searchable {
  /** `addon.name` */
  readonly id: string;
  /** Heading of its results: Products. */
  readonly label: string;
  /** Name of a Bootstrap icon. */
  readonly icon: string;
  /**
   * Records that match the text and that the caller may read, best first; usually `ctx.model(…).find([['id', 'matches', text], …], { limit
   * })`.
   */
  find(ctx: Ctx, text: string, limit: number): Promise<readonly SearchHit[]>;
  /** Adds slower details, such as prices, to displayed results. */
  details?(ctx: Ctx, hits: readonly SearchHit[]): Promise<readonly SearchHit[]>;
  /** Up to `limit` names of public records, newest first, used to correct misspelled words. */
  names(ctx: Ctx, limit: number): Promise<readonly string[]>;
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Kinds of records in the site search. */
    searchables: readonly Searchable[];
  }
}

/**
 * Lets addons add records to the site search.
 *
 * ```ts
 * searchables: [{ id: 'studio.course', label: 'Courses', icon: 'palette', find: (ctx, text, limit) => …, names: (ctx, limit) => … }],
 * ```
 */
export const searchables = contributionPoint('searchables', {
  shape: z.array(
    shaped('a kind of thing to search for', 'an object', {
      id,
      label: text,
      icon: iconName,
      find: callable,
      details: callable.optional(),
      names: callable,
    }),
  ),
  names: { what: 'kind of thing to search for', of: (list) => list.map((searchable) => searchable.id) },
  build: ({ contributions }) => contributions.flatMap(({ value }) => value),
});
