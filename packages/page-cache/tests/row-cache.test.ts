import type { Ctx, Identity, SessionView } from '../../../core/context/context.ts';
import { createTestApp, type TestApp } from '../../../tools/testing/app.ts';
import { withClock } from '../../../tools/testing/clock.ts';
import { eachDatabase } from '../../../tools/testing/databases.ts';
import { until } from '../../../tools/testing/until.ts';

const session = { exists: false, number: null, get: () => undefined } as unknown as SessionView;
const system: Identity = {
  id: null,
  partnerId: null,
  name: '',
  login: null,
  groups: new Set(),
  lang: null,
  timezone: null,
};

eachDatabase('rows that pages share', (database) => {
  const clock = withClock();
  let app: TestApp;
  let euro: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['base'], database });
    euro = await app.read((ctx) => ctx.ref('base.eur'));
  });
  afterAll(() => app.close());

  /** Reads as a page does. */
  const page = <T>(work: (ctx: Ctx) => Promise<T>, { application }: TestApp = app): Promise<T> => {
    const { generation, log } = application;
    const about = {
      generation,
      log,
      identity: system,
      lang: 'en_US',
      timezone: 'UTC',
      siteTimezone: 'UTC',
      attributes: {},
      session,
      su: true,
    };
    return application.read({ ...about, cachedRows: true } as Parameters<typeof application.read>[0], work);
  };
  const symbol = async (ctx: Ctx, id = euro) =>
    (await ctx.modelNamed('res.currency').read([id], { select: { symbol: true } }))[0]?.symbol;
  const rename = (to: string) => app.write((ctx) => ctx.modelNamed('res.currency').write([euro], { symbol: to }));
  const asked = async (work: () => Promise<unknown>): Promise<number> => {
    const before = app.database.metrics().reads;
    await work();
    return app.database.metrics().reads - before;
  };

  it('are asked for once, and again when their table has changed', async () => {
    await rename('E');
    expect(await page((ctx) => symbol(ctx))).toBe('E');
    expect(await asked(() => page((ctx) => symbol(ctx)))).toBe(0);
    await rename('F');
    expect(await page((ctx) => symbol(ctx))).toBe('F');
  });

  it('differ by the values of a statement', async () => {
    const [other = 0] = await app.read((ctx) =>
      ctx.modelNamed('res.currency').search([['id', '!=', euro]], { limit: 1 }),
    );
    await rename('E');
    expect(await page((ctx) => symbol(ctx))).toBe('E');
    expect(await page((ctx) => symbol(ctx, other))).toBe(await app.read((ctx) => symbol(ctx, other)));
  });

  it('are not those that a transaction has changed and not committed', async () => {
    await rename('A');
    const undone = app.write(async (ctx) => {
      await ctx.modelNamed('res.currency').write([euro], { symbol: 'B' });
      expect(await symbol(ctx)).toBe('B');
      expect(await page((other) => symbol(other))).toBe('A');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await page((ctx) => symbol(ctx))).toBe('A');
  });

  it('belong to nobody: what a reader does to its own changes no other’s', async () => {
    await rename('A');
    const first = await page((ctx) => ctx.modelNamed('res.currency').read([euro], { select: { symbol: true } }));
    Object.assign(first[0] ?? {}, { symbol: 'changed' });
    first.length = 0;
    expect(await page((ctx) => symbol(ctx))).toBe('A');
  });

  it('hold until a row crosses the moment that they were compared with', async () => {
    const id = await app.write((ctx) => ctx.modelNamed('res.currency').create({ name: 'NEW', symbol: 'N' }));
    const lately = (ctx: Ctx) =>
      ctx.modelNamed('res.currency').search([
        ['create_date', '>=', ctx.now().plus(-1500)],
        ['id', '=', id],
      ]);
    expect(await page(lately)).toEqual([id]);
    expect(await asked(() => page(lately))).toBe(0);
    clock.forward(1_600);
    expect(await page(lately)).toEqual([]);
  });

  it('hear of changes on other nodes', async () => {
    const other = await app.secondNode();
    await rename('X');
    const there = () => page((ctx) => symbol(ctx), other);
    await until(async () => (await there()) === 'X');
    await rename('Y');
    await until(async () => (await there()) === 'Y');
  });
});
