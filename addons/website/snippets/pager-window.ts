/** Which pages a pager shows links to. */
export interface PagerWindow {
  /** The page asked for, clamped to 1 and the last one. */
  readonly page: number;
  readonly first: number;
  readonly last: number;
  readonly previous: number;
  readonly next: number;
}

/**
 * The window of at most `scope` page links that slides so that the page stays in it; `previous` and `next` are its neighbours, clamped to 1
 * and the last page. The server draws the first one, the browser the next ones.
 */
export function pagerWindow(wanted: number, count: number, scope: number): PagerWindow {
  const end = Math.max(count, 1);
  const page = Math.min(Math.max(Math.trunc(wanted) || 1, 1), end);
  const first = Math.max(Math.min(page - Math.floor((scope - 1) / 2), end - scope + 1), 1);
  return {
    page,
    first,
    last: Math.min(first + scope - 1, end),
    previous: Math.max(page - 1, 1),
    next: Math.min(page + 1, end),
  };
}
