import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';

const addons = ['website_event', 'forum', 'mass_mailing', 'quote', 'dribblo'];

someDatabase('what it means to disable an app of the demo site', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons, demo: true, database });
  });
  afterAll(() => app?.close());

  /** Counts by sentence. */
  const planned = async (name: string): Promise<Record<string, number>> => {
    const { items } = await app.application.lifecycle.plan('disable', [name]);
    const found = items.filter(({ topic }) => topic === 'consequence');
    return Object.fromEntries(found.map(({ sentence, data }) => [sentence.text, Number(data.count)]));
  };
  const count = (model: string, domain: readonly unknown[]) =>
    app.read((ctx) =>
      ctx
        .sudo()
        .modelNamed(model)
        .count(domain as never),
    );

  test.each([
    ['forum', ['Questions that visitors can no longer read', 'Users who lose a menu', 'Menu items that lead nowhere']],
    ['mass_mailing', ['Subscriptions whose unsubscribe link stops working', 'Users who lose a menu']],
    ['dribblo', ['Upcoming matches that leave the website', 'Menu items that lead nowhere', 'Users who lose a menu']],
    [
      'website_event',
      [
        'Upcoming events that leave the website',
        'Attendees of later events',
        'Addresses in the sitemap that stop working',
      ],
    ],
    ['website_sale', ['Products that visitors can no longer buy', 'Upcoming events that leave the website']],
    ['website', ['Published pages that visitors can no longer open', 'Products that visitors can no longer buy']],
  ])('%s: counted in the terms of its owner', async (name, sentences) => {
    expect(await planned(name)).toMatchObject(
      Object.fromEntries(sentences.map((sentence) => [sentence, expect.any(Number)])),
    );
  });

  test('counts what a list of the records shows, and sums orders exactly', async () => {
    const plan = await app.application.lifecycle.plan('disable', ['sale']);
    const orders = plan.items.find(({ sentence }) => sentence.text === 'Orders to fulfil');
    const rows = await app.read((ctx) =>
      ctx
        .sudo()
        .modelNamed('sale.order')
        .find([['state', '=', 'sale']], { select: { amount_total: true, currency_id: { name: true } } as never }),
    );
    expect(rows.length).toBeGreaterThan(0);
    const cents = (rows as unknown as { amount_total: number }[]).reduce((sum, row) => sum + row.amount_total, 0);
    expect(orders?.data).toMatchObject({ count: rows.length, amounts: [`${(cents / 100).toFixed(2)} EUR`] });
    expect((await planned('sale'))['Products that visitors can no longer buy']).toBe(
      await count('product.template', [['website_published', '=', true]]),
    );
  });

  test('the names of users come with their menus, and only employees lose one', async () => {
    const { items } = await app.application.lifecycle.plan('disable', ['forum']);
    const item = items.find(({ sentence }) => sentence.text === 'Users who lose a menu');
    expect(item?.data.names).toContainEqual(expect.stringMatching(/\(Forum\)$/));
    expect(item?.data.count).toBeLessThan(await count('res.users', []));
  });

  test('Apps shows the numbers first in the language of the reader, and the button warns', async () => {
    const client = await app.as('admin');
    const shown = await client.rpc<{
      emphasis: string;
      consequences: { count: string; text: string; amounts: string; names: string[] }[];
    }>('/web/backend/apps/plan', { name: 'sale', action: 'disable' });
    expect(shown.emphasis).toBe('outline-danger');
    expect(shown.consequences[0]).toMatchObject({
      text: 'Orders to fulfil',
      amounts: expect.stringMatching(/^€[\d,.]+$/),
    });
    const page = await client.get('/web/apps/sale/disable');
    expect(page.text).toContain('Orders to fulfil');
    expect(page.text).toContain('btn-outline-danger');
    const plain = await client.rpc<{ emphasis: string; consequences: unknown[] }>('/web/backend/apps/plan', {
      name: 'sale',
      action: 'upgrade',
    });
    expect(plain).toMatchObject({ emphasis: 'primary', consequences: [] });
  });
});
