import type { PageSettings } from './calls.ts';

/** What somebody changed in the settings of a page. */
export type Typed = Partial<PageSettings> & { readonly redirect?: boolean };

const keyOf = (page: number): string => `website.page-settings ${page}`;

/** What was typed and not saved, kept in this tab while the page is mended. Nothing here ever throws: a full or closed store keeps nothing. */
export function readTyped(page: number): Typed {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(page)) ?? '{}') as Typed;
  } catch {
    return {};
  }
}

export function keepTyped(page: number, typed: Typed): void {
  try {
    sessionStorage.setItem(keyOf(page), JSON.stringify(typed));
  } catch {
    // The settings have to be typed again.
  }
}

export function forgetTyped(page: number): void {
  try {
    sessionStorage.removeItem(keyOf(page));
  } catch {
    // Nothing was kept.
  }
}
