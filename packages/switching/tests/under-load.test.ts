import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestDatabase, eachDatabase, type TestDatabase } from '../../../tools/testing/databases.ts';
import { Author, Book } from '../../../tools/testing/fixtures/fx_host/models.ts';
import { Slow } from '../../../tools/testing/fixtures/fx_slow_enable/addon.ts';
import { models } from '../../orm/points.ts';
import { type Node, openNode } from './harness.ts';

const SHARED = 'fx_shared_columns';

/** Bytes in use after everything unreachable is gone. */
function used(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') for (let times = 0; times < 3; times += 1) collect();
  return process.memoryUsage().heapUsed;
}

/** How long the slowest request takes while nothing else happens: a second of load. */
async function usual(node: Node): Promise<number> {
  const running = load(node);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return (await running.stop()).slowest;
}

/** Reads and writes without a pause until told to stop; answers how long each took, and what failed. */
function load(node: Node): { stop(): Promise<{ slowest: number; failed: unknown[]; count: number }> } {
  let stopped = false;
  const result = { slowest: 0, failed: [] as unknown[], count: 0 };
  const work = [
    () => node.read((ctx) => ctx.model(Author).find([], { select: { name: true, city: true } })),
    () => node.read((ctx) => ctx.model(Book).find([], { select: { name: true, author_id: { name: true } } })),
    () => node.write((ctx) => ctx.model(Author).create({ name: 'somebody' })),
  ];
  const loops = work.map(async (one) => {
    while (!stopped) {
      const began = performance.now();
      await one().catch((error: unknown) => result.failed.push(error));
      result.slowest = Math.max(result.slowest, performance.now() - began);
      result.count += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(loops);
      return result;
    },
  };
}

eachDatabase('While requests are served', (dialect) => {
  let made: TestDatabase;
  let node: Node;

  beforeEach(async () => {
    made = await createTestDatabase(dialect);
    node = await openNode(made.url);
    await node.lifecycle.start({ install: ['fx_host'] });
  });
  afterEach(async () => {
    await node.close();
    await made.drop();
  });

  test('addons come, go and are taken out, and no request to another fails or waits for long', async () => {
    const most = 900 + 10 * (await usual(node));
    const running = load(node);
    for (let round = 0; round < 3; round += 1) {
      await node.lifecycle.enable([SHARED], { demo: false });
      await node.finish();
      await node.lifecycle.disable([SHARED]);
      await node.lifecycle.enable([SHARED]);
      await node.lifecycle.uninstall(SHARED, { confirm: SHARED });
    }
    const { failed, slowest, count } = await running.stop();
    expect(failed).toEqual([]);
    expect(count).toBeGreaterThan(50);
    expect(slowest).toBeLessThan(most);
  });

  test('an addon whose records take long to make keeps nobody waiting for them', async () => {
    const running = load(node);
    const began = performance.now();
    await node.lifecycle.enable(['fx_slow_enable']);
    const took = performance.now() - began;
    const { failed, slowest } = await running.stop();
    expect(failed).toEqual([]);
    expect(await node.read((ctx) => ctx.model(Slow).count([]))).toBe(1);
    // Making the records takes almost all of it.
    expect(slowest).toBeLessThan(0.7 * took);
  });

  test('fifty switches leave nothing behind', async () => {
    await node.lifecycle.enable(['fx_layers_b']);
    const toggle = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const stay = node.holder.acquire();
        await node.lifecycle.disable(['fx_layers_b']);
        expect(stay.generation.get(models).get('fx.note')?.extensions).toEqual(['fx_layers_b']);
        stay.release();
        await node.lifecycle.enable(['fx_layers_b']);
      }
    };
    await toggle(8);
    const before = used();
    await toggle(25);
    expect(used() - before).toBeLessThan(5_000_000);
    while (node.holder.oldest < node.holder.current.number) await new Promise(setImmediate);
    expect(node.holder.oldest).toBe(node.holder.current.number);
  });
});
