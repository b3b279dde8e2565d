import { InvalidInput } from '@pergola/core';
import { Placeholder } from '@pergola/db';
import type { Knex } from 'knex';
import type { CompiledModel } from '../compiled.ts';
import { allOf, allWhere } from '../domain/combine.ts';
import { aboutDomain, type Leaf } from '../domain/parse.ts';
import type { Level, Sql, SqlScope } from '../domain/scope.ts';
import { searchWords } from './words.ts';

/** SQL for "the record's texts have words that begin like all of these", in the reader's language. */
export function matchesSql(scope: SqlScope, level: Level, leaf: Leaf): Sql {
  const { knex } = scope;
  const { column, index } = searchColumn(scope, level.model);
  if (scope.dialect === 'sqlite') {
    const found = knex(index)
      .select('rowid')
      .where(index, 'match', wordsSql(scope, level, leaf));
    return knex.raw('?? in ?', [`${level.alias}.id`, found]);
  }
  // A word of few letters begins a great many others, and the index would gather all of their places; the rows that the longer ones find are few.
  // Written so that the planner neither looks for the second condition in the index nor takes it for a rare one.
  const telling = wordsSql(scope, level, leaf, tellingWords);
  return allOf(scope, [
    knex.raw('?? @@ ?', [`${level.alias}.${column}`, telling]),
    knex.raw('?::int <> 0', [matchSql(scope, level, leaf)]),
  ]);
}

/** The same on PostgreSQL without the index, of all or some of the words. */
export function matchSql(
  scope: SqlScope,
  level: Pick<Level, 'alias' | 'source' | 'model'>,
  leaf: Leaf,
  chosen?: (words: string[]) => string[],
): Sql {
  const { column } = searchColumn(scope, level.model);
  return scope.knex.raw('ts_match_vq(??, ?)', [`${level.alias}.${column}`, wordsSql(scope, level, leaf, chosen)]);
}

/** Letters from which on a word is looked for in the index, when it is not the longest. */
const tellingLength = 4;

function tellingWords(words: string[]): string[] {
  const longest = Math.max(...words.map((word) => word.length));
  return words.filter((word) => word.length >= Math.min(tellingLength, longest));
}

/**
 * How a ranked search finds what it ranks, which is never more than the newest {@link mostRanked} records that match:
 * - `index`: through the index, by those of the words whose bit is set in `words`; the others are looked for in what these find;
 * - `newest`: from the newest record on, for words that a great many texts have: on PostgreSQL, where the index would gather half of the table, one by one
 *   and at most {@link longestLook} of them; on SQLite without ranking them, for which it would count half of the table.
 */
export type SearchWay = { readonly by: 'index'; readonly words: number } | { readonly by: 'newest' };

/** Every bit: all words are asked of the index. */
export const allWords = -1;

/** So many records are ranked. Those after them come by a query without this bound, which takes longer. */
export const mostRanked = 400;
/** So many records are looked at one by one: some 40 ms. */
const longestLook = 20_000;

/** What a ranked query reads from instead of the plain table, and the best first. */
export interface Ranking {
  readonly from: Knex.QueryBuilder;
  readonly order: Sql;
}

/** What a ranked query is made of. */
interface RankedQuery {
  /** The other conditions. */
  readonly where: readonly Sql[];
  readonly way: SearchWay | null;
}

/** The records that match, sorted by how well they do: all of them, or with a `way` the newest. */
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
  const isRanked = query.way?.by !== 'newest';
  // "cross": else SQLite may go through the table by another condition, and through the index once for each row it finds.
  const from = knex
    .select(`${alias}.*`)
    .from({ [search]: index })
    .joinRaw('cross join ?? as ?? on ?? = ??', [model.table, alias, `${alias}.id`, `${search}.rowid`])
    .where(`${search}.${index}`, 'match', words);
  if (isRanked) from.select({ search__rank: `${search}.rank` });
  allWhere(from, query.where);
  if (query.way) newest(from, `${search}.rowid`, mostRanked);
  return { from, order: isRanked ? knex.ref(`${alias}.search__rank`) : knex.raw('?? desc', [`${alias}.id`]) };
}

function matching(scope: SqlScope, level: Level, leaf: Leaf, { where, way }: RankedQuery): Knex.QueryBuilder {
  const { knex } = scope;
  const { alias, model } = level;
  const found = allWhere(knex({ [alias]: model.table }).select(`${alias}.*`), where);
  if (!way) return found.where(matchesSql(scope, level, leaf));
  const has = matchSql(scope, level, leaf);
  if (way.by === 'newest') {
    const looked = newest(found, `${alias}.id`, longestLook).as(alias);
    return newest(knex.select().from(looked).where(has), `${alias}.id`, mostRanked);
  }
  const { column } = searchColumn(scope, model);
  const chosen = wordsSql(scope, level, leaf, (words) => words.filter((_, index) => way.words & (1 << index)));
  found.where(knex.raw('?? @@ ?', [`${alias}.${column}`, chosen])).where(has);
  // "+ 0", so that the planner does not walk through the ids instead.
  return newest(found, knex.raw('?? + 0', [`${alias}.id`]), mostRanked);
}

function newest(query: Knex.QueryBuilder, by: string | Sql, most: number): Knex.QueryBuilder {
  return query.orderBy(by, 'desc').limit(most, { skipBinding: true });
}

/** Where the words of a model's texts are kept, in the reader's language. */
export function searchColumn(scope: SqlScope, model: CompiledModel): { column: string; index: string } {
  for (const lang of ['', ...scope.languages]) {
    const column = model.search?.columns.get(lang);
    const index = model.search?.indexes.get(lang);
    if (column && index) return { column, index };
  }
  throw new InvalidInput('“{model}” has no full-text search.', aboutDomain({ model: model.name }));
}

/** Every word is a beginning: "fore" finds "forest". Words are letters and digits only, so nothing in them is syntax. */
export function wordsSql(
  scope: SqlScope,
  { source }: Pick<Level, 'source'>,
  { index }: Leaf,
  chosen = (words: string[]): string[] => words,
): Sql {
  const write =
    scope.dialect === 'sqlite'
      ? (words: string[]) => words.map((word) => `"${word}"*`).join(' ')
      : (words: string[]) => words.map((word) => `'${word}':*`).join(' & ');
  const words = new Placeholder(index, source, (value) => write(chosen(searchWords(String(value)))));
  return scope.knex.raw(scope.dialect === 'sqlite' ? '?' : '?::tsquery', [words]);
}
