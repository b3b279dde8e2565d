// Public API of the package; see README.md for its purpose.

export { escapeHtml } from './escape-html.ts';
export { fold, slugify } from './fold.ts';
export { hasLetter, plainLines, singleLine, withoutControls } from './names.ts';
export { firstName } from './person-name.ts';
export { escapeAttribute, isSitePath, safeUrl } from './safe-url.ts';
export { createSanitizer, type SanitizeProfile, sanitizeHtml } from './sanitize.ts';
export { looksLikeHtml } from './typed-html.ts';
export { correctWords, hasWords, wordsOf } from './words.ts';
