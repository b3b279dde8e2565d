import { fold } from '@pergola/content';

/** Words of a query that count; more only cost time. */
const mostWords = 12;
/** Letters of a word that count, in texts and queries alike. */
const longestWord = 60;
/** PostgreSQL refuses to index more than a megabyte of words. */
const longestText = 100_000;

/** The folded words of what somebody typed into a search box, at most 12. */
export function searchWords(text: string): string[] {
  return wordsOf(text.slice(0, 1_000)).slice(0, mostWords);
}

/**
 * What a search column keeps of the texts of one record in one language: their folded words, separated by spaces, so that both databases see
 * the same ones. Markup is left out.
 */
export function searchText(texts: readonly (string | null | undefined)[]): string {
  const [first = '', ...rest] = texts.map((text) => (text ? wordsOf(plain(text)).join(' ') : ''));
  // The first field is mostly the title: written three times, its words count more than those of a long body.
  return [first, ...rest, first, first].filter(Boolean).join(' ').slice(0, longestText);
}

function wordsOf(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, longestWord));
}

/** Enough for finding words; what is shown never comes from here. */
function plain(text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text;
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (whole, hex: string, digits: string) => character(whole, hex, digits))
    .replace(/&amp;/g, '&')
    .replace(/&[a-z]+;/gi, ' ');
}

function character(whole: string, hex: string, digits: string): string {
  const code = Number.parseInt(digits, hex ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
