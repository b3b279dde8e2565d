/** Pages with links in a pager. */
export interface PagerWindow {
  /** Requested page, limited to the range from 1 to the last page. */
  readonly page: number;
  readonly first: number;
  readonly last: number;
  readonly previous: number;
  readonly next: number;
}

/**
 * Sliding window of up to `scope` page links around the current page; `previous` and `next` are limited to the range from 1 to the last
 * page. The server renders the first window, the browser the following ones.
 */
export function pagerWindow(requested: number, count: number, scope: number): PagerWindow {
  const end = Math.max(count, 1);
  const page = Math.min(Math.max(Math.trunc(requested) || 1, 1), end);
  const first = Math.max(Math.min(page - Math.floor((scope - 1) / 2), end - scope + 1), 1);
  return {
    page,
    first,
    last: Math.min(first + scope - 1, end),
    previous: Math.max(page - 1, 1),
    next: Math.min(page + 1, end),
  };
}
