import { escapeHtml } from '@pergola/content';
import { developerScript } from '@pergola/islands';

/** Content of a page shown when no template can be rendered: each text in the visitor's language, or in English and French. */
export interface PlainPage {
  readonly lang: string;
  readonly title: string;
  readonly texts: readonly string[];
  readonly reference: string | null;
  /** For developers: description of the error, with file and line. */
  readonly details?: string;
}

/** A page without dependencies: no template, no style sheet, no database. */
export function plainPage({ lang, title, texts, reference, details }: PlainPage): string {
  const paragraphs = texts.map((text) => `<p>${escapeHtml(text)}</p>`);
  const mark =
    reference === null ? '' : `<p><small>Reference / Référence : <code>${escapeHtml(reference)}</code></small></p>`;
  const developer = details
    ? `<pre data-developer style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(details)}</pre>${developerScript}`
    : '';
  return [
    `<!doctype html><html lang="${escapeHtml(lang)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title></head>`,
    '<body style="font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem">',
    `<main><h1>${escapeHtml(title)}</h1>${paragraphs.join('')}${mark}${developer}`,
    '<p><a href="/">Home / Accueil</a></p></main></body></html>',
  ].join('');
}

/** Generic texts for a status, in both languages of the product. */
export const plainTexts: Readonly<Record<number, { readonly title: string; readonly texts: readonly string[] }>> = {
  400: {
    title: 'Bad request / Requête incorrecte',
    texts: ['The request could not be understood.', 'La requête n’a pas pu être comprise.'],
  },
  403: {
    title: 'Access denied / Accès refusé',
    texts: ['You may not do this.', 'Vous n’avez pas le droit de faire cela.'],
  },
  404: {
    title: 'Not found / Page introuvable',
    texts: ['We can’t find that page.', 'Cette page n’existe pas.'],
  },
  421: {
    title: 'Unknown site / Site inconnu',
    texts: ['No site is served at this address.', 'Cette adresse n’est pas servie ici.'],
  },
  500: {
    title: 'Something went wrong / Une erreur est survenue',
    texts: [
      'The server could not answer. It has been noted under the reference below. Please try again later.',
      'Le serveur n’a pas pu répondre. L’erreur est notée sous la référence ci-dessous. Veuillez réessayer plus tard.',
    ],
  },
  503: {
    title: 'Very busy / Site très sollicité',
    texts: ['Please try again in a moment.', 'Veuillez réessayer dans un instant.'],
  },
};

/** Texts shown while no generation serves: visitors have to wait, and the administrator may have to act (the log explains). */
export const notReadyTexts: { readonly title: string; readonly texts: readonly string[] } = {
  title: 'One moment / Un instant',
  texts: [
    'The site is starting, or being brought up to date. Please try again in a moment. If you run it and this lasts: its log says what it waits for.',
    'Le site démarre, ou est en cours de mise à jour. Veuillez réessayer dans un instant. Si vous l’exploitez et que cela dure : son journal dit ce qu’il attend.',
  ],
};
