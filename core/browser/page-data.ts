/** What the server tells the scripts of a page, as JSON in `#pergola-page`. */
export interface PageData {
  /** `fr_FR` */
  readonly lang: string;
  /** Where the texts of the page's language are; null when the source texts are right. */
  readonly texts: string | null;
  /** Selectors with the modules that live on them. */
  readonly elements: readonly (readonly [selector: string, script: string, style: string | null])[];
}

const none: PageData = { lang: 'en_US', texts: null, elements: [] };

/** Read anew each time, since pages may be exchanged under a running script. */
export function pageData(): PageData {
  const text = document.getElementById('pergola-page')?.textContent;
  return text ? (JSON.parse(text) as PageData) : none;
}
