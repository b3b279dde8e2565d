import { type Ctx, contributionPoint, type Id, z } from 'pergola';
import { callable, iconName, id, shaped, text } from 'pergola/kernel';

/** Something that was found. */
export interface SearchHit {
  readonly title: string;
  /** Without language: `/forum/help-1`. */
  readonly url: string;
  /** A sentence about it. */
  readonly text?: string | null;
  /** The record's, for `details`. */
  readonly id?: Id;
  /** Where its picture is, some 192 pixels wide. */
  readonly image?: string | null;
  /** A word beside its name: a price, a date. */
  readonly note?: string;
}

/** A kind of thing that visitors look for in the search of the site. */
export interface Searchable {
  /** `addon.thing` */
  readonly id: string;
  /** What stands above what was found of it: Products. */
  readonly label: string;
  /** A Bootstrap icon's name. */
  readonly icon: string;
  /** What the caller may read of it and fits the text, the best first; mostly `ctx.model(…).find([['id', 'matches', text], …], { limit })`. */
  find(ctx: Ctx, text: string, limit: number): Promise<readonly SearchHit[]>;
  /** Adds what takes longer to know, prices for instance, to those that are shown. */
  details?(ctx: Ctx, hits: readonly SearchHit[]): Promise<readonly SearchHit[]>;
  /** What it is called, for all that visitors may read: words that were mistyped are corrected to one of these. At most `limit` names, the newest first. */
  names(ctx: Ctx, limit: number): Promise<readonly string[]>;
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** What visitors look for in the search of the site. */
    searchables: readonly Searchable[];
  }
}

/**
 * Where addons say what the search of the site finds.
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
  names: { what: 'kind of thing to search for', of: (list) => list.map((one) => one.id) },
  build: ({ contributions }) => contributions.flatMap(({ value }) => value),
});
