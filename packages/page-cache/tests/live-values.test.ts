import type { Ctx } from '../../../core/context/context.ts';
import { contextTools } from '../../../core/context/context-tools.ts';
import { buildContainer } from '../../../core/kernel/container.ts';
import type { ServiceClass } from '../../../core/kernel/service.ts';
import { createTestApp, type TestApp } from '../../../tools/testing/app.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';
import { type LiveValues, liveValues } from '../live-values.ts';

const made = <T extends object>(Class: ServiceClass<T>): T =>
  buildContainer({ values: {}, requestValues: [], addons: [{ addon: 'test', services: [Class] }] }).container.get(
    Class,
  );

eachDatabase('live values', (database) => {
  let app: TestApp;
  let reads: string[];
  let names: LiveValues<string>;
  let euro: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['base'], database });
    euro = await app.read((ctx) => ctx.ref('base.eur'));
  });
  afterAll(() => app.close());
  beforeEach(() => {
    reads = [];
    const Names = liveValues<string>('test.names', {
      most: 2,
      read: async (ctx, key) => {
        reads.push(key);
        const [row] = await ctx.modelNamed('res.currency').read([Number(key)], { select: { symbol: true } });
        return String(row?.symbol);
      },
    });
    names = made(Names);
  });

  const rename = (ctx: Ctx, symbol: string) => ctx.modelNamed('res.currency').write([euro], { symbol });

  it('read once, and again when what they were read from has changed', async () => {
    await app.write((ctx) => rename(ctx, 'E'));
    for (const _ of [1, 2, 3]) expect(await app.read((ctx) => names.get(ctx, String(euro)))).toBe('E');
    expect(reads).toHaveLength(1);
    await app.write((ctx) => rename(ctx, 'F'));
    expect(await app.read((ctx) => names.get(ctx, String(euro)))).toBe('F');
    expect(reads).toHaveLength(2);
  });

  it('show a transaction what it has changed itself, and nobody else before it is done', async () => {
    await app.write((ctx) => rename(ctx, 'A'));
    await app
      .write(async (ctx) => {
        await rename(ctx, 'B');
        expect(await names.get(ctx, String(euro))).toBe('B');
        expect(await app.read((other) => names.get(other, String(euro)))).toBe('A');
        throw new Error('undone');
      })
      .catch(() => {});
    expect(await app.read((ctx) => names.get(ctx, String(euro)))).toBe('A');
  });

  it('are read each time where something was read whose changes nobody is told of', async () => {
    let counter = 0;
    const counters = made(
      liveValues<number>('test.counters', {
        read: async (ctx, key) => {
          ctx.get(contextTools).tracker?.personal(`reads “${key}”, whose counters are never kept`);
          counter += 1;
          return counter;
        },
      }),
    );
    expect(await app.read((ctx) => counters.get(ctx, 'holds'))).toBe(1);
    expect(await app.read((ctx) => counters.get(ctx, 'holds'))).toBe(2);
  });

  it('know what the transaction has just made', async () => {
    const strict = made(
      liveValues<string>('test.strict', {
        read: async (ctx, key) => {
          const row = await ctx.modelNamed('res.currency').get(Number(key), { select: { symbol: true } });
          return String(row.symbol);
        },
      }),
    );
    await app
      .write(async (ctx) => {
        const made = await ctx.modelNamed('res.currency').create({ name: 'ZZZ', symbol: 'Z' });
        expect(await strict.get(ctx, String(made))).toBe('Z');
        throw new Error('undone');
      })
      .catch(({ message }: Error) => expect(message).toBe('undone'));
    await expect(app.read((ctx) => strict.get(ctx, '999999'))).rejects.toThrow();
  });

  it('hear of changes on other nodes', async () => {
    const other = await app.secondNode();
    await other.write((ctx) => rename(ctx, 'X'));
    expect(await other.read((ctx) => names.get(ctx, String(euro)))).toBe('X');
    await app.write((ctx) => rename(ctx, 'Y'));
    await until(async () => (await other.read((ctx) => names.get(ctx, String(euro)))) === 'Y');
  });

  it('keep so many, and let those go that nobody asked for longest', async () => {
    const [a = '', b = '', c = ''] = await app.read(async (ctx) => {
      const ids = await ctx.modelNamed('res.currency').search([], { limit: 3 });
      return ids.map(String);
    });
    await app.read(async (ctx) => {
      for (const key of [a, b, a, c, a, b]) await names.get(ctx, key);
    });
    expect(reads).toEqual([a, b, c, b]);
  });
});
