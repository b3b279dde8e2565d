import type { PageSettings } from './calls.ts';

/** Changed page settings. */
export type Typed = Partial<PageSettings> & { readonly redirect?: boolean };

const keyOf = (page: number): string => `website.page-settings ${page}`;

/**
 * Unsaved page settings, stored in this tab while the user fixes the page. Never throws: if storage is full or blocked, nothing is stored.
 */
export function readTyped(page: number): Typed {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(page)) ?? '{}') as Typed;
  } catch {
    return {};
  }
}

export function keepTyped(page: number, settings: Typed): void {
  try {
    sessionStorage.setItem(keyOf(page), JSON.stringify(settings));
  } catch {
    // Storage is full or blocked; the user has to enter the settings again.
  }
}

export function forgetTyped(page: number): void {
  try {
    sessionStorage.removeItem(keyOf(page));
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
