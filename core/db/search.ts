import type { Fragment } from './fragments.ts';
import { quoted } from './schema/names.ts';
import { searchVector } from './schema/postgres.ts';
import type { Dialect, IndexSpec } from './types.ts';

/** PostgreSQL refuses to index more than a megabyte of words. */
const longestText = 100_000;
const mostTerms = 10;
const longestTerm = 60;

/** Letters that Unicode does not take apart, but people type apart. */
const ligatures: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ς: 'σ' };

/** How texts are compared without regard to case and accents: lower case, taken apart (NFKD), marks dropped. Sorts alike on both databases. */
export function foldText(text: string): string {
  const plain = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.replace(/[œæßøłđς]/g, (letter) => ligatures[letter] ?? letter);
}

/** What a column of a `fulltext` index holds for these texts: the folded words with single spaces between. */
export function searchText(...texts: readonly (string | null | undefined)[]): string {
  const words = foldText(texts.filter(Boolean).join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join(' ').slice(0, longestText);
}

/**
 * A sub-select of `id` and `score` (larger is better) of the rows that hold, in the columns of the `fulltext` index, a word that
 * begins with each word of `text`. Words in the first column weigh most. Null when the text has no word to look for.
 *
 *   const found = searchQuery(dialect, 'product', index, 'blue cha');
 *   // … join (<found.sql>) as found on found.id = product.id order by found.score desc, product.id
 */
export function searchQuery(dialect: Dialect, table: string, index: IndexSpec, text: string): Fragment | null {
  const terms = searchText(text)
    .split(' ')
    .filter(Boolean)
    .slice(0, mostTerms)
    .map((term) => term.slice(0, longestTerm));
  if (terms.length === 0) return null;
  return dialect === 'sqlite' ? sqliteQuery(index, terms) : postgresQuery(table, index, terms);
}

function sqliteQuery({ name, columns }: IndexSpec, terms: readonly string[]): Fragment {
  const search = quoted(name);
  const weights = columns.map((_, position) => [10, 4, 2][position] ?? 1);
  return {
    sql: `select rowid as id, -bm25(${search}, ${weights.join(', ')}) as score from ${search} where ${search} match ?`,
    bindings: [terms.map((term) => `"${term}"*`).join(' ')],
  };
}

function postgresQuery(table: string, { columns }: IndexSpec, terms: readonly string[]): Fragment {
  const vector = searchVector(columns);
  const query = terms.map((term) => `'${term}':*`).join(' & ');
  return {
    sql: `select "id", ts_rank((${vector}), to_tsquery('simple', ?)) as score from ${quoted(table)} where (${vector}) @@ to_tsquery('simple', ?)`,
    bindings: [query, query],
  };
}
