import { setTimeout as pause } from 'node:timers/promises';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';
import { make, type OpenTest, openTest, seats, sql } from '../../db/tests/support.ts';
import type { Database, Row } from '../../db/types.ts';
import { PageCache } from '../page-cache.ts';
import { page, question } from './stage.ts';

const tables = ['product', 'price', 'stock'] as const;
type Table = (typeof tables)[number];
type Counts = Partial<Record<Table, number>>;

/** A process of the site: shows pages that say how often each of some tables was written. */
class Node {
  readonly database: Database;
  readonly cache: PageCache;

  constructor(database: Database) {
    this.database = database;
    this.cache = new PageCache({ changes: database.changes, secure: false });
  }

  /** As dispatch does: out of the cache, else rendered. */
  async show(path: string, of: readonly Table[], wait: () => Promise<void> = async () => {}): Promise<Counts> {
    const asked = question({ path, visitedPath: path });
    const kept = this.cache.lookup(asked);
    if (kept) return JSON.parse(kept.plain.bytes.toString());
    const { parts } = await this.cache.render(asked, async (tracker) => {
      const counts: Counts = {};
      for (const table of of) {
        tracker.table(table);
        await wait();
        const [row] = await sql(this.database.reader, `select taken from ${table}`);
        counts[table] = Number(row?.taken);
        await wait();
      }
      return page(JSON.stringify(counts));
    });
    return JSON.parse(parts.join(''));
  }

  async write(table: Table): Promise<number> {
    return this.database.write(async (transaction) => {
      const rows: readonly Row[] = await sql(transaction, `update ${table} set taken = taken + 1 returning taken`);
      transaction.touch(table);
      return Number(rows[0]?.taken);
    });
  }
}

eachDatabase('A kept page', (dialect) => {
  let opened: OpenTest;
  let node: Node;

  beforeAll(async () => {
    opened = await openTest(dialect);
    const specs = tables.map((name) => ({ ...seats, name, indexes: [] }));
    await make(opened.database, seats, ...specs);
    await opened.database.write(async (transaction) => {
      for (const table of [...tables, 'seat'])
        await sql(transaction, `insert into ${table} (name, taken) values (?, 0)`, 'one');
    });
    node = new Node(opened.database);
  });
  afterAll(() => opened.close());

  test('never shows less than what was acknowledged before it was asked for, whatever is read and written at the same time', async () => {
    const acknowledged: Record<Table, number> = { product: 0, price: 0, stock: 0 };
    const pages: readonly (readonly [string, readonly Table[]])[] = [
      ['/a', ['product']],
      ['/b', ['product', 'price']],
      ['/c', ['stock', 'price', 'product']],
    ];
    const wait = async (): Promise<void> => {
      if (Math.random() < 0.5) await pause(Math.random() * 6);
    };
    let reads = 0;
    const isEnough = () => reads > 1_000 && node.cache.stats.hits > 20 && node.cache.stats.joined > 5;
    const reader = async (): Promise<void> => {
      while (!isEnough()) {
        const [path, of] = pages[Math.floor(Math.random() * pages.length)] ?? ['/a', ['product']];
        const before = { ...acknowledged };
        const shown = await node.show(path, of, wait);
        for (const table of of) expect(shown[table]).toBeGreaterThanOrEqual(before[table]);
        reads += 1;
        await pause(Math.random() * 3);
      }
    };
    const writer = async (table: Table): Promise<void> => {
      while (!isEnough()) {
        const value = await node.write(table);
        acknowledged[table] = Math.max(acknowledged[table], value);
        const [path, of] = pages[2] ?? ['/c', tables];
        // Its author's own next page, at once.
        if (Math.random() < 0.3) expect((await node.show(path, of))[table]).toBeGreaterThanOrEqual(value);
        await pause(Math.random() * 30);
      }
    };
    await Promise.all([...Array.from({ length: 12 }, reader), ...tables.map(writer)]);
  });

  test('is fresh on another node as soon as it hears of a commit, and never stale again afterwards', async () => {
    const other = new Node(await opened.another());
    const { changes } = other.database;
    for (let round = 0; round < 20; round += 1) {
      await other.show('/d', ['stock']);
      const before = changes.version('stock');
      const value = await node.write('stock');
      await until(() => changes.version('stock') > before);
      for (let times = 0; times < 10; times += 1) {
        expect((await other.show('/d', ['stock'])).stock).toBe(value);
        await pause(1);
      }
    }
  });

  test('is fresh as soon as it hears that a process of its own wrote', async () => {
    const process = await opened.otherProcess();
    const asked = question({ path: '/seats', visitedPath: '/seats' });
    const show = async (): Promise<number> => {
      const kept = node.cache.lookup(asked);
      if (kept) return Number(kept.plain.bytes.toString());
      const { parts } = await node.cache.render(asked, async (tracker) => {
        tracker.table('seat');
        const [row] = await sql(opened.database.reader, 'select taken from seat');
        return page(String(row?.taken));
      });
      return Number(parts.join(''));
    };
    try {
      const { changes } = opened.database;
      for (let round = 0; round < 10; round += 1) {
        const shown = await show();
        const before = changes.version('seat');
        await process.ask('update seat set taken = taken + 1');
        await until(() => changes.version('seat') > before);
        expect(await show()).toBe(shown + 1);
      }
    } finally {
      await process.close();
    }
  });
});
