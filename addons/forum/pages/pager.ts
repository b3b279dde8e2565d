/** A pager as templates draw it. */
export interface Pager {
  readonly pages: readonly { readonly number: number; readonly href: string; readonly active: boolean }[];
  readonly previous: string | null;
  readonly next: string | null;
  readonly page: number;
  readonly last: number;
}

/**
 * Links to the pages around one, at most `scope`; null where there is only one page. `path` writes the address of a page.
 */
export function pagerFor(
  page: number,
  count: number,
  size: number,
  path: (page: number) => string,
  scope = 10,
): Pager | null {
  const last = Math.max(1, Math.ceil(count / size));
  if (last < 2) return null;
  const here = Math.min(Math.max(1, page), last);
  const first = Math.max(1, Math.min(here - Math.floor((scope - 1) / 2), last - scope + 1));
  const numbers = Array.from({ length: Math.min(scope, last) }, (_, index) => first + index);
  return {
    pages: numbers.map((number) => ({ number, href: path(number), active: number === here })),
    previous: here > 1 ? path(here - 1) : null,
    next: here < last ? path(here + 1) : null,
    page: here,
    last,
  };
}

/** A path with a query; empty values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  return params.size === 0 ? path : `${path}?${params}`;
}
