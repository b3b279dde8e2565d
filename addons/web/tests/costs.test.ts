import { createTestApp, type TestApp } from 'pergola/testing';
import type { ShownCosts } from '../services/admin/costs.ts';
import { costBudgets } from '../settings.ts';

describe('The costs screen', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'] });
    const { codec } = app.database;
    // Totals: ms, queries, rows, bytes, errors.
    const pages = {
      '/slow/:id': {
        requests: 10,
        addons: { core: [100, 0, 0, 0, 0], web: [700, 100, 30, 5000, 2], base: [200, 20, 10, 0, 0] },
      },
      '/once': { requests: 1, addons: { web: [90, 1, 1, 10, 0] } },
      'job web.clean': { requests: 5, addons: { base: [50, 5, 5, 0, 0] } },
    };
    const row = { node: 'a', minute: codec.encode('datetime', new Date()), pages: codec.encode('json', pages) };
    await app.write(async (ctx) => {
      await ctx.db('core_cost').insert(row);
    });
  });
  afterAll(() => app.close());

  const screen = async (): Promise<readonly ShownCosts[]> =>
    (await app.as('admin')).rpc('/web/backend/apps/costs', { minutes: 5 });

  it('shows what each page cost per request, and which app caused it', async () => {
    const [all, slow, once, job] = await screen();
    expect(all).toMatchObject({ page: null, requests: 16 });
    expect(slow).toMatchObject({ page: '/slow/:id', requests: 10, ms: 100 });
    expect(slow?.addons).toMatchObject([
      { addon: 'web', title: 'Web', ms: 70, queries: 10, bytes: 500, errors: 2, share: 0.7 },
      { addon: 'base', ms: 20, share: 0.2 },
      { addon: 'core', title: 'Platform', share: 0.1 },
    ]);
    expect([once?.page, job?.page]).toEqual(['/once', 'Job web.clean']);
  });

  it.each([
    ['web 60 ms', ['web']],
    ['* 15 ms', ['web', 'base']],
    ['* 15 ms, web 100 ms', ['base']],
    ['base 1 queries, web 10 queries', ['base']],
    ['', []],
  ])('marks apps that take more than their budget: %s', async (budgets, over) => {
    await app.write((ctx) => ctx.settings.set(costBudgets, budgets));
    const addons = (await screen()).flatMap((page) => page.addons);
    expect(addons.filter(({ isOver }) => isOver).map(({ addon }) => addon)).toEqual(over);
    const health = await (await app.as('admin')).rpc<{ overBudget: number }>('/web/backend/health', {});
    expect(health.overBudget).toBe(over.length);
  });

  it('rejects budgets that don’t read as such', async () => {
    const refused = app.write((ctx) => ctx.settings.set(costBudgets, 'forum 20 seconds'));
    await expect(refused).rejects.toMatchObject({ status: 422 });
  });
});
