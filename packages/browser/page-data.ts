/** Page data from the server for scripts, as JSON in `#pergola-page`. */
export interface PageData {
  /** `fr_FR` */
  readonly lang: string;
  /** Prefix of page paths in this language: `/fr`, or empty. */
  readonly prefix: string;
  /** Decimal separator, or null if not configured. */
  readonly decimal: string | null;
  /** Address of the translations for the page's language, or null if the source texts are used. */
  readonly texts: string | null;
  /** Selectors with the modules that attach to them. */
  readonly behaviours: readonly (readonly [selector: string, script: string, style: string | null])[];
  /** Additional style sheets of individual kinds of public pages. */
  readonly sheets?: readonly string[];
}

const defaultData: PageData = { lang: 'en_US', prefix: '', decimal: null, texts: null, behaviours: [] };

/** Parsed on each call, since pages may be replaced while a script runs. */
export function pageData(): PageData {
  const text = document.getElementById('pergola-page')?.textContent;
  return text ? (JSON.parse(text) as PageData) : defaultData;
}

/** The visitor viewing the page. */
export interface PageSession {
  /** The id of the signed-in user. */
  readonly user: number;
}

let session: { readonly text: string; readonly value: PageSession } | null = null;

/**
 * The signed-in visitor, from `#pergola-session`, which is filled in for each visitor; null for anonymous ones. Returns the same object as
 * long as it doesn't change.
 */
export function pageSession(): PageSession | null {
  const text = document.getElementById('pergola-session')?.textContent;
  if (!text) return null;
  if (session?.text !== text) session = { text, value: JSON.parse(text) as PageSession };
  return session.value;
}
