import { changesOf, type Database, rowsOf, type Transaction } from '@pergola/db';
import { type Count, countCalls, type Window, withoutLatest } from './rate-limit-window.ts';

const table = 'core_rate';
const sweepBatch = 500;

/** A request for calls on one counter. */
export interface Counter extends Window {
  readonly key: string;
  readonly calls: number;
  readonly count: number;
}

/** The SQL of counters. */
export class RateCounters {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts all of them in one transaction. */
  count(counters: readonly Counter[], now: number): Promise<readonly Count[]> {
    // In a common order, so that nodes don't deadlock.
    const order = counters.map((_, index) => index).sort((a, b) => compare(counters[a]?.key, counters[b]?.key));
    return this.#database.write(
      async (transaction) => {
        const counts: Count[] = [];
        for (const index of order) {
          const counter = counters[index];
          if (counter) counts[index] = await this.#countOne(transaction, counter, now);
        }
        return counts;
      },
      { label: 'rate limits', retries: 20 },
    );
  }

  async #countOne(transaction: Transaction, counter: Counter, now: number): Promise<Count> {
    const { knex, codec } = this.#database;
    const { key, seconds } = counter;
    // A little longer than the window, which ends with the last slot.
    const expires_at = codec.encode('datetime', new Date(now + seconds * 1_020));
    // Written before it is read: that takes the row lock, so that two nodes can't both get the last call.
    const open = knex(table).insert({ key, calls: '', expires_at }).onConflict('key').merge(['expires_at']);
    const rows = await rowsOf(transaction, open.returning('calls'));
    const count = countCalls(String(rows[0]?.calls ?? ''), counter, counter.count, now);
    if (count.granted > 0) {
      await changesOf(transaction, knex(table).where({ key }).update({ calls: count.text }));
    }
    return count;
  }

  /** Removes the latest call from each of these counters. */
  async giveBack(keys: readonly string[]): Promise<void> {
    const { knex } = this.#database;
    await this.#database.write(
      async (transaction) => {
        for (const key of [...keys].sort(compare)) {
          // Written before it is read, as above.
          const touch = knex(table).where({ key }).update({ key }).returning('calls');
          const rows = await rowsOf(transaction, touch);
          if (!rows[0]) continue;
          const calls = withoutLatest(String(rows[0].calls));
          await changesOf(transaction, knex(table).where({ key }).update({ calls }));
        }
      },
      { label: 'rate limits', retries: 20 },
    );
  }

  /** Deletes counters whose windows have ended and returns how many. */
  async sweep(now: number): Promise<number> {
    const { knex, codec } = this.#database;
    const expiryLimit = codec.encode('datetime', new Date(now)) as string | number;
    const ended = knex(table).select('key').where('expires_at', '<=', expiryLimit).limit(sweepBatch);
    const statement = knex(table).whereIn('key', ended).delete();
    let deleted = 0;
    for (let last = sweepBatch; last === sweepBatch; deleted += last)
      last = await this.#database.write((transaction) => changesOf(transaction, statement), {
        label: 'rate limit sweep',
      });
    return deleted;
  }
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
