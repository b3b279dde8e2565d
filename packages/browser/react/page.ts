import { createContext, use, useSyncExternalStore } from 'react';
import { notify } from '../dialogs.ts';
import { formatNumber, pageLanguage, t, url } from '../page.ts';
import { type PageSession, pageSession } from '../page-data.ts';

/** What all islands of a page share. */
export interface Page {
  /** The page's language as `Intl` names it, `fr-FR`. */
  readonly lang: string;
  /** A text in the page's language. */
  readonly t: typeof t;
  /** A path of this site in the page's language: `/shop` → `/fr/shop`. */
  readonly url: typeof url;
  /** A number as the language writes it: `1,234.5`, `1 234,5`. */
  readonly number: typeof formatNumber;
  /** Says something in the corner for a few seconds. */
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

/** Tests may provide another one. */
export const PageContext = createContext<Page>(page);

/** Language, texts, formats and toasts of the page an island stands on. */
export function usePage(): Page {
  return use(PageContext);
}

const never = (): (() => void) => () => {};
const unknown = (): null => null;

/** Who looks at the page; null for nobody in particular, and until the island is alive: pages are kept for all visitors alike. */
export function useSession(): PageSession | null {
  return useSyncExternalStore(never, pageSession, unknown);
}
