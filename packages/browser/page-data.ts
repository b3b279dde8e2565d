/** What the server tells the scripts of a page, as JSON in `#pergola-page`. */
export interface PageData {
  /** `fr_FR` */
  readonly lang: string;
  /** What paths of pages begin with in this language: `/fr`, or nothing. */
  readonly prefix: string;
  /** What stands before the fraction of a number; null where nobody said so. */
  readonly decimal: string | null;
  /** Where the texts of the page's language are; null when the source texts are right. */
  readonly texts: string | null;
  /** Selectors with the modules that live on them. */
  readonly behaviours: readonly (readonly [selector: string, script: string, style: string | null])[];
  /** The style sheets that kinds of public pages have of their own. */
  readonly sheets?: readonly string[];
}

const none: PageData = { lang: 'en_US', prefix: '', decimal: null, texts: null, behaviours: [] };

/** Read anew each time, since pages may be exchanged under a running script. */
export function pageData(): PageData {
  const text = document.getElementById('pergola-page')?.textContent;
  return text ? (JSON.parse(text) as PageData) : none;
}

/** Who looks at the page. */
export interface PageSession {
  /** The id of the signed-in user. */
  readonly user: number;
}

let session: { readonly text: string; readonly value: PageSession } | null = null;

/** From `#pergola-session`, which is filled in for each visitor; null when nobody is signed in. The same object as long as it is the same. */
export function pageSession(): PageSession | null {
  const text = document.getElementById('pergola-session')?.textContent;
  if (!text) return null;
  if (session?.text !== text) session = { text, value: JSON.parse(text) as PageSession };
  return session.value;
}
