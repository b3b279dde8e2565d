import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import type { CompiledModel } from '../compiled.ts';
import { allOf, allWhere } from '../domain/combine.ts';
import { aboutDomain, type Leaf } from '../domain/parse.ts';
import type { Level, Sql, SqlScope } from '../domain/scope.ts';
import { searchWords } from './words.ts';

/** Returns SQL for "the record's texts contain words that start with all of these", in the reader's language. */
export function matchesSql(scope: SqlScope, level: Level, leaf: Leaf): Sql {
  const { knex } = scope;
  const { column, index } = searchColumn(scope, level.model);
  if (scope.dialect === 'sqlite') {
    const rowIds = knex(index)
      .select('rowid')
      .where(index, 'match', wordsSql(scope, level, leaf));
    return knex.raw('?? in ?', [`${level.alias}.id`, rowIds]);
  }
  // Short words are prefixes of many others, and the index would collect all their positions; longer words match few rows. The second
  // condition is written so that the planner neither uses the index for it nor assumes it is selective.
  const selective = wordsSql(scope, level, leaf, selectiveWords);
  return allOf(scope, [
    knex.raw('?? @@ ?', [`${level.alias}.${column}`, selective]),
    knex.raw('?::int <> 0', [matchSql(scope, level, leaf)]),
  ]);
}

/** Returns the same condition on PostgreSQL without using the index, for all or some of the words. */
export function matchSql(
  scope: SqlScope,
  level: Pick<Level, 'alias' | 'source' | 'model'>,
  leaf: Leaf,
  filterWords?: (words: string[]) => string[],
): Sql {
  const { column } = searchColumn(scope, level.model);
  return scope.knex.raw('ts_match_vq(??, ?)', [`${level.alias}.${column}`, wordsSql(scope, level, leaf, filterWords)]);
}

/** Minimum length of words looked up in the index, unless they are the longest. */
const minSelectiveLength = 4;

function selectiveWords(words: string[]): string[] {
  const longest = Math.max(...words.map((word) => word.length));
  return words.filter((word) => word.length >= Math.min(minSelectiveLength, longest));
}

/**
 * Strategy of a ranked search, which never ranks more than the newest {@link maxRanked} matching records:
 * - `index`: looks up the words whose bit is set in `words` in the index, and filters the matches by the other words;
 * - `newest`: starts at the newest record, for words that occur in a great many texts. On PostgreSQL, where the index would collect half of
 * the table, checks at most {@link maxScanned} records one by one; on SQLite skips ranking, which would count half of the table.
 */
export type SearchStrategy = { readonly by: 'index'; readonly words: number } | { readonly by: 'newest' };

/** Bit mask of all words: all are looked up in the index. */
export const allWords = -1;

/** Number of records that are ranked. Records after them need a query without this limit, which takes longer. */
export const maxRanked = 400;
/** Number of records checked one by one, which takes about 40 ms. */
const maxScanned = 20_000;

/** Source of a ranked query, in place of the plain table, and its order: best match first. */
export interface Ranking {
  readonly from: Knex.QueryBuilder;
  readonly order: Sql;
}

/** Parts of a ranked query. */
interface RankedQuery {
  /** Other conditions of the query. */
  readonly where: readonly Sql[];
  readonly strategy: SearchStrategy | null;
}

/** Returns the matching records sorted by rank: all of them, or only the newest if there is a `strategy`. */
export function rankingSql(scope: SqlScope, level: Level, leaf: Leaf, query: RankedQuery): Ranking {
  const { knex, dialect } = scope;
  const words = wordsSql(scope, level, leaf);
  const { alias, model } = level;
  const { column, index } = searchColumn(scope, model);
  if (dialect === 'postgres') {
    return {
      from: matching(scope, level, leaf, query),
      order: knex.raw('ts_rank(??, ?, 1) desc', [`${alias}.${column}`, words]),
    };
  }
  const search = scope.alias();
  const isRanked = query.strategy?.by !== 'newest';
  // "cross" prevents SQLite from scanning the table by another condition and searching the index once per row.
  const from = knex
    .select(`${alias}.*`)
    .from({ [search]: index })
    .joinRaw('cross join ?? as ?? on ?? = ??', [model.table, alias, `${alias}.id`, `${search}.rowid`])
    .where(`${search}.${index}`, 'match', words);
  if (isRanked) from.select({ search__rank: `${search}.rank` });
  allWhere(from, query.where);
  if (query.strategy) newest(from, `${search}.rowid`, maxRanked);
  return { from, order: isRanked ? knex.ref(`${alias}.search__rank`) : knex.raw('?? desc', [`${alias}.id`]) };
}

function matching(scope: SqlScope, level: Level, leaf: Leaf, { where, strategy }: RankedQuery): Knex.QueryBuilder {
  const { knex } = scope;
  const { alias, model } = level;
  const query = allWhere(knex({ [alias]: model.table }).select(`${alias}.*`), where);
  if (!strategy) return query.where(matchesSql(scope, level, leaf));
  const has = matchSql(scope, level, leaf);
  if (strategy.by === 'newest') {
    const candidates = newest(query, `${alias}.id`, maxScanned).as(alias);
    return newest(knex.select().from(candidates).where(has), `${alias}.id`, maxRanked);
  }
  const { column } = searchColumn(scope, model);
  const indexedWords = wordsSql(scope, level, leaf, (words) =>
    words.filter((_, index) => strategy.words & (1 << index)),
  );
  query.where(knex.raw('?? @@ ?', [`${alias}.${column}`, indexedWords])).where(has);
  // "+ 0" keeps the planner from scanning the ids instead.
  return newest(query, knex.raw('?? + 0', [`${alias}.id`]), maxRanked);
}

function newest(query: Knex.QueryBuilder, sortKey: string | Sql, limit: number): Knex.QueryBuilder {
  return query.orderBy(sortKey, 'desc').limit(limit, { skipBinding: true });
}

/** Returns the column and index with the words of a model's texts, in the reader's language. */
export function searchColumn(scope: SqlScope, model: CompiledModel): { column: string; index: string } {
  for (const lang of ['', ...scope.languages]) {
    const column = model.search?.columns.get(lang);
    const index = model.search?.indexes.get(lang);
    if (column && index) return { column, index };
  }
  throw new InvalidInput('“{model}” has no full-text search.', aboutDomain({ model: model.name }));
}

/** Matches words by prefix: "fore" finds "forest". Words contain only letters and digits, so they can't contain query syntax. */
export function wordsSql(
  scope: SqlScope,
  { source }: Pick<Level, 'source'>,
  { index }: Leaf,
  filterWords = (words: string[]): string[] => words,
): Sql {
  const write =
    scope.dialect === 'sqlite'
      ? (words: string[]) => words.map((word) => `"${word}"*`).join(' ')
      : (words: string[]) => words.map((word) => `'${word}':*`).join(' & ');
  const words = new Placeholder(index, source, (value) => write(filterWords(searchWords(String(value)))));
  return scope.knex.raw(scope.dialect === 'sqlite' ? '?' : '?::tsquery', [words]);
}
