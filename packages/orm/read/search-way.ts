import type { BoundModel } from '../compiled.ts';
import type { Leaf } from '../domain/parse.ts';
import { allWords, matchSql, maxRanked, type SearchStrategy, searchColumn, wordsSql } from '../search/matches.ts';
import { searchWords } from '../search/words.ts';
import { cachedPlan } from './plan-cache.ts';
import { type Prepared, rootLevel, scopeFor } from './prepare.ts';
import { type Compiled, compiledFrom, run } from './run.ts';

/** Number of newest records sampled to estimate word frequencies. */
const sample = 2_000;
/** Milliseconds for reading a record's position from the index, and for reading the record itself. */
const cost = { place: 0.000_5, record: 0.01 } as const;
/** Maximum estimated milliseconds for using the index. */
const maxIndexTime = 40;

/** Number of records from which SQLite skips ranking if every tenth of the newest records matches. */
const largeTable = 100_000;

/**
 * Chooses the fastest strategy. PostgreSQL's own estimate of how many texts contain a word with this prefix is off by a factor of a
 * hundred, so the newest texts are sampled. SQLite's index returns the newest first, but ranking takes as long as counting all texts with
 * the words.
 */
export async function searchStrategy(bound: BoundModel, query: Prepared, leaf: Leaf): Promise<SearchStrategy> {
  if (bound.codec.dialect === 'sqlite') {
    const plan = cachedPlan(bound, `newest|${query.key}`, () => newestPlan(bound, query, leaf));
    const [row] = await run(bound, plan, query.sources);
    const [last, matchCount, span] = [Number(row?.last), Number(row?.found), Number(row?.last) - Number(row?.oldest)];
    return last > largeTable && matchCount === maxRanked && span < maxRanked * 10
      ? { by: 'newest' }
      : { by: 'index', words: allWords };
  }
  const words = searchWords(String(query.domain.values[leaf.index]));
  const plan = cachedPlan(bound, `sample|${query.key}|${words.length}`, () =>
    samplePlan(bound, query, leaf, words.length),
  );
  const [row] = await run(bound, plan, query.sources);
  const seen = Number(row?.seen ?? 0);
  if (seen < sample) return { by: 'newest' };
  const share = (count: unknown): number => Math.max(Number(count ?? 0), 0.5) / seen;
  return cheapest(
    Number(row?.records ?? 0),
    words.map((_, index) => share(row?.[`word${index}`])),
    Number(row?.found ?? 0) / seen,
  );
}

/**
 * Chooses the words to look up in the index of a table with so many records: the rarest one, and more words as long as they reduce the
 * cost.
 */
export function cheapest(records: number, shares: readonly number[], matchShare: number): SearchStrategy {
  let places = 0;
  let product = 1;
  let words = 0;
  let best = { time: Number.POSITIVE_INFINITY, words };
  for (const { share, index } of shares.map((share, index) => ({ share, index })).sort((a, b) => a.share - b.share)) {
    places += share;
    product *= share;
    words |= 1 << index;
    const time = records * (places * cost.place + Math.max(product, matchShare) * cost.record);
    if (time < best.time) best = { time, words };
  }
  return best.time <= maxIndexTime ? { by: 'index', words: best.words } : { by: 'newest' };
}

function samplePlan(bound: BoundModel, query: Prepared, leaf: Leaf, words: number): Compiled {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const { knex } = scope;
  const { table } = bound.compiled;
  const { column } = searchColumn(scope, level.model);
  // Samples all records in the index: checking which ones the caller may read can take longer than finding them.
  const newest = knex(table).select(column).orderBy('id', 'desc').limit(sample, { skipBinding: true });
  const has = (filterWords: (words: string[]) => string[]) =>
    knex.raw('count(*) filter (where ?)', [matchSql(scope, { ...level, alias: 's' }, leaf, filterWords)]);
  const counts = Array.from({ length: words }, (_, index) => [
    `word${index}`,
    has((all) => all.slice(index, index + 1)),
  ]);
  const records = knex('pg_class').select(knex.raw('greatest(reltuples, 0)')).whereRaw(`oid = '"${table}"'::regclass`);
  return compiledFrom(
    scope,
    knex(newest.as('s'))
      .count({ seen: '*' })
      .select({ found: has((all) => all), ...Object.fromEntries(counts), records: knex.raw('?', [records]) }),
  );
}

/** Query for the newest matching records on SQLite, to see how far back they go. */
function newestPlan(bound: BoundModel, query: Prepared, leaf: Leaf): Compiled {
  const scope = scopeFor(bound, query);
  const level = rootLevel(bound, scope);
  const { knex } = scope;
  const { index } = searchColumn(scope, level.model);
  const newest = knex(index)
    .select('rowid')
    .where(index, 'match', wordsSql(scope, level, leaf))
    .orderBy('rowid', 'desc')
    .limit(maxRanked, { skipBinding: true });
  const last = knex(bound.compiled.table).max('id');
  return compiledFrom(
    scope,
    knex(newest.as('s'))
      .count({ found: '*' })
      .min({ oldest: 'rowid' })
      .select({ last: knex.raw('?', [last]) }),
  );
}
