import { createContext, use, useSyncExternalStore } from 'react';
import { notify } from '../dialogs.ts';
import { formatNumber, pageLanguage, t, url } from '../page.ts';
import { type PageSession, pageSession } from '../page-data.ts';

/** Services shared by all islands of a page. */
export interface Page {
  /** Page language as a BCP 47 tag, `fr-FR`. */
  readonly lang: string;
  /** Translates a text into the page's language. */
  readonly t: typeof t;
  /** Path of this site in the page's language: `/shop` → `/fr/shop`. */
  readonly url: typeof url;
  /** Formats a number in the page's language: `1,234.5`, `1 234,5`. */
  readonly number: typeof formatNumber;
  /** Shows a toast for a few seconds. */
  readonly notify: typeof notify;
}

const page: Page = {
  get lang() {
    return pageLanguage();
  },
  t,
  url,
  number: formatNumber,
  notify,
};

/** Tests may provide a different page. */
export const PageContext = createContext<Page>(page);

/** Language, texts, formats and toasts of the current page. */
export function usePage(): Page {
  return use(PageContext);
}

const never = (): (() => void) => () => {};
const unknown = (): null => null;

/** The signed-in visitor, or null for anonymous visitors and before hydration: cached pages are the same for all visitors. */
export function useSession(): PageSession | null {
  return useSyncExternalStore(never, pageSession, unknown);
}
