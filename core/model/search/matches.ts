import { InvalidInput } from '../../base/errors.ts';
import type { CompiledModel } from '../compiled.ts';
import { aboutDomain, type Leaf } from '../domain/parse.ts';
import type { Level, SqlScope } from '../domain/scope.ts';
import { searchWords } from './words.ts';

/** SQL for "the record's texts have words that begin like all of these", in the reader's language. */
export function matchesSql(scope: SqlScope, level: Level, leaf: Leaf): string {
  const { column, index } = searchColumn(scope, level.model);
  if (scope.dialect === 'sqlite') {
    return `${level.alias}."id" in (select rowid from "${index}" where "${index}" match ${bindQuery(scope, level, leaf)})`;
  }
  // A word of few letters begins a great many others, and the index would gather all of their places; the rows that the longer ones find are few.
  // Written so that the planner neither looks for the second condition in the index nor takes it for a rare one.
  const telling = bindQuery(scope, level, leaf, tellingWords);
  return `(${level.alias}."${column}" @@ ${telling} and ${matchSql(scope, level, leaf)}::int <> 0)`;
}

/** The same on PostgreSQL without the index, of all or some of the words. */
export function matchSql(
  scope: SqlScope,
  level: Pick<Level, 'alias' | 'source' | 'model'>,
  leaf: Leaf,
  chosen?: (words: string[]) => string[],
): string {
  const { column } = searchColumn(scope, level.model);
  return `ts_match_vq(${level.alias}."${column}", ${bindQuery(scope, level, leaf, chosen)})`;
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
 * - `newest`: from the newest record on; on PostgreSQL one by one and at most {@link longestLook} of them, for words that so many texts have that
 *   the index would gather half of the table.
 */
export type SearchWay = { readonly by: 'index'; readonly words: number } | { readonly by: 'newest' };

/** Every bit: all words are asked of the index. */
export const allWords = -1;

/** So many records are ranked. Those after them come by a query without this bound, which takes longer. */
export const mostRanked = 400;
/** So many records are looked at one by one: some 40 ms. */
export const longestLook = 20_000;

/** What a ranked query reads from instead of the plain table, and the best first. */
export interface Ranking {
  readonly from: string;
  readonly order: string;
}

/** The records that match, sorted by how well they do: all of them, or with a `way` the newest. `where` are the other conditions. */
export function rankingSql(
  scope: SqlScope,
  level: Level,
  leaf: Leaf,
  { where, way }: { readonly where: readonly string[]; readonly way: SearchWay | null },
): Ranking {
  const bound = bindQuery(scope, level, leaf);
  const { alias } = level;
  if (scope.dialect === 'postgres') {
    const { column } = searchColumn(scope, level.model);
    return {
      from: `(${matchingSql(scope, level, leaf, { where, way })}) ${alias}`,
      order: `ts_rank(${alias}."${column}", ${bound}, 1) desc`,
    };
  }
  const { index } = searchColumn(scope, level.model);
  const search = scope.alias();
  const newest = way ? ` order by ${search}.rowid desc limit ${mostRanked}` : '';
  return {
    // "cross": else SQLite may go through the table by another condition, and through the index once for each row it finds.
    from: `(select ${alias}.*, ${search}.rank as "search__rank" from "${index}" ${search} cross join "${level.model.table}" ${alias} on ${alias}."id" = ${search}.rowid and ${search}."${index}" match ${bound}${whereOf(where)}${newest}) ${alias}`,
    order: `${alias}."search__rank"`,
  };
}

function matchingSql(
  scope: SqlScope,
  level: Level,
  leaf: Leaf,
  { where, way }: { readonly where: readonly string[]; readonly way: SearchWay | null },
): string {
  const { alias } = level;
  const all = `select ${alias}.* from "${level.model.table}" ${alias}`;
  if (!way) return `${all}${whereOf([...where, matchesSql(scope, level, leaf)])}`;
  const newest = (by: string, limit: number) => ` order by ${by} desc limit ${limit}`;
  const has = matchSql(scope, level, leaf);
  if (way.by === 'newest') {
    const looked = `${all}${whereOf(where)}${newest(`${alias}."id"`, longestLook)}`;
    return `select * from (${looked}) ${alias} where ${has}${newest(`${alias}."id"`, mostRanked)}`;
  }
  const { column } = searchColumn(scope, level.model);
  const chosen = bindQuery(scope, level, leaf, (words) => words.filter((_, index) => way.words & (1 << index)));
  // "+ 0", so that the planner does not walk through the ids instead.
  return `${all}${whereOf([...where, `${alias}."${column}" @@ ${chosen}`, has])}${newest(`${alias}."id" + 0`, mostRanked)}`;
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
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
function bindQuery(
  scope: SqlScope,
  level: Pick<Level, 'source'>,
  leaf: Leaf,
  chosen = (words: string[]): string[] => words,
): string {
  const write =
    scope.dialect === 'sqlite'
      ? (words: string[]) => words.map((word) => `"${word}"*`).join(' ')
      : (words: string[]) => words.map((word) => `'${word}':*`).join(' & ');
  const bound = scope.bind(level.source, leaf.index, (value) => write(chosen(searchWords(String(value)))));
  return scope.dialect === 'sqlite' ? bound : `${bound}::tsquery`;
}
