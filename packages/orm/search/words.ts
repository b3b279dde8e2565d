import { fold } from '@pergola/content';

/** Words of a query that are used; more only cost time. */
const maxWords = 12;
/** Letters of a word that are used, in texts and queries. */
const maxWordLength = 60;
/** PostgreSQL refuses to index more than a megabyte of words. */
const maxTextLength = 100_000;

/** Returns the folded words of a search box's text, at most 12. */
export function searchWords(text: string): string[] {
  return wordsOf(text.slice(0, 1_000)).slice(0, maxWords);
}

/**
 * Returns the content of a search column for the texts of one record in one language: their folded words, separated by spaces, so that both
 * databases see the same words. Markup is removed.
 */
export function searchText(texts: readonly (string | null | undefined)[]): string {
  const [first = '', ...rest] = texts.map((text) => (text ? wordsOf(plain(text)).join(' ') : ''));
  // The first field is usually the title: it is repeated three times, so that its words weigh more than the words of a long body.
  return [first, ...rest, first, first].filter(Boolean).join(' ').slice(0, maxTextLength);
}

function wordsOf(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, maxWordLength));
}

/** Strips markup well enough for indexing; the result is never displayed. */
function plain(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text;
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (entity, hex: string, digits: string) => character(entity, hex, digits))
    .replace(/&amp;/g, '&')
    .replace(/&[a-z]+;/gi, ' ');
}

function character(entity: string, hex: string, digits: string): string {
  const code = Number.parseInt(digits, hex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
