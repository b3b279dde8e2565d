/** Page links of a list, rendered by `{{> website.pager pager=pager label=(t "Pages of …")}}`. */
export interface Pager {
  /** Current page, limited to the last page. */
  readonly page: number;
  /** Number of records before the page, for `find`. */
  readonly offset: number;
  readonly previous: string | null;
  readonly next: string | null;
  /** First and last page and those around the current one; empty for a single page. `gap` marks omitted pages before an entry. */
  readonly pages: readonly {
    readonly number: number;
    readonly url: string;
    readonly current: boolean;
    readonly gap: boolean;
  }[];
}

/**
 * Pager of a list of `count` records, `size` per page.
 *
 * ```ts
 * const pager = pagerOf({ page: query.page, count, size: 12, address: (page) => (page === 1 ? '/books' : `/books?page=${page}`) });
 * const books = await ctx.model(Book).find(domain, { select, limit: 12, offset: pager.offset });
 * ```
 */
export function pagerOf(options: {
  page: number;
  count: number;
  size: number;
  address: (page: number) => string;
}): Pager {
  const { count, size, address } = options;
  const last = Math.max(1, Math.ceil(count / size));
  const page = Math.min(Math.max(1, options.page), last);
  const candidates = [1, page - 2, page - 1, page, page + 1, page + 2, last];
  const numbers = [...new Set(candidates)].filter((number) => number >= 1 && number <= last).sort((a, b) => a - b);
  const pages = numbers.map((number, place) => ({
    number,
    url: address(number),
    current: number === page,
    gap: number - (numbers[place - 1] ?? 0) > 1,
  }));
  return {
    page,
    offset: (page - 1) * size,
    previous: page > 1 ? address(page - 1) : null,
    next: page < last ? address(page + 1) : null,
    pages: last > 1 ? pages : [],
  };
}
