/** Links to the pages of a list. */
export interface Pager {
  readonly previous: string | null;
  readonly next: string | null;
  /** Null where there is one page only. A gap stands for those left out. */
  readonly pages:
    | readonly { readonly num: number; readonly url: string; readonly current: boolean; readonly gap: boolean }[]
    | null;
}

/** The first, the last, and those around the current one. */
export function pagerOf(page: number, count: number, url: (page: number) => string): Pager {
  if (count <= 1) return { previous: null, next: null, pages: null };
  const current = Math.min(page, count);
  const shown = [...new Set([1, current - 2, current - 1, current, current + 1, current + 2, count])]
    .filter((num) => num >= 1 && num <= count)
    .sort((a, b) => a - b);
  const pages = shown.flatMap((num, place) => {
    const link = { num, url: url(num), current: num === current, gap: false };
    const before = shown[place - 1];
    return before !== undefined && num - before > 1 ? [{ ...link, gap: true, current: false }, link] : [link];
  });
  return {
    previous: current > 1 ? url(current - 1) : null,
    next: current < count ? url(current + 1) : null,
    pages,
  };
}
