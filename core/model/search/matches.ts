import { InvalidInput } from '../../errors.ts';
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
  const all = bindQuery(scope, level, leaf);
  const telling = bindQuery(scope, level, leaf, tellingWords);
  return `(${level.alias}."${column}" @@ ${telling} and ts_match_vq(${level.alias}."${column}", ${all})::int <> 0)`;
}

/** Letters from which on a word is looked for in the index, when it is not the longest. */
const tellingLength = 4;

function tellingWords(words: string[]): string[] {
  const longest = Math.max(...words.map((word) => word.length));
  return words.filter((word) => word.length >= Math.min(tellingLength, longest));
}

/** What a ranked query adds: a table to join before the others on SQLite, and the best first. */
export interface Ranking {
  /** `from` with the search table, or null where the plain table does. */
  readonly from: string | null;
  readonly order: string;
}

/** Sorts by how well the texts match; on SQLite the condition itself moves into the join. */
export function rankingSql(scope: SqlScope, level: Level, leaf: Leaf): Ranking {
  const { column, index } = searchColumn(scope, level.model);
  const bound = bindQuery(scope, level, leaf);
  if (scope.dialect === 'postgres') {
    return { from: null, order: `ts_rank(${level.alias}."${column}", ${bound}, 1) desc` };
  }
  const search = scope.alias();
  const from = `"${index}" ${search} join "${level.model.table}" ${level.alias} on ${level.alias}."id" = ${search}.rowid and ${search}."${index}" match ${bound}`;
  return { from, order: `${search}.rank` };
}

function searchColumn(scope: SqlScope, model: CompiledModel): { column: string; index: string } {
  for (const lang of ['', ...scope.languages]) {
    const column = model.search?.columns.get(lang);
    const index = model.search?.indexes.get(lang);
    if (column && index) return { column, index };
  }
  throw new InvalidInput('“{model}” has no full-text search.', aboutDomain({ model: model.name }));
}

/** Every word is a beginning: "fore" finds "forest". Words are letters and digits only, so nothing in them is syntax. */
function bindQuery(scope: SqlScope, level: Level, leaf: Leaf, chosen = (words: string[]): string[] => words): string {
  const write =
    scope.dialect === 'sqlite'
      ? (words: string[]) => words.map((word) => `"${word}"*`).join(' ')
      : (words: string[]) => words.map((word) => `'${word}':*`).join(' & ');
  const bound = scope.bind(level.source, leaf.index, (value) => write(chosen(searchWords(String(value)))));
  return scope.dialect === 'sqlite' ? bound : `${bound}::tsquery`;
}
