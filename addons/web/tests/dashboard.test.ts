import { join } from 'node:path';
import { Partner, User } from '@pergola/base';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import type { Dashboard, Destination, RecordCount } from '../backend/types.ts';
import { makeUser } from './kit.ts';

const roots = [join(import.meta.dirname, 'fixtures')];
const asked = () => Number(Reflect.get(globalThis, 'fxAsked') ?? 0);

someDatabase('the dashboard', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_desk'], roots, database });
    await makeUser(app, 'ada', { groups: ['base.group_partner_manager'] });
    await makeUser(app, 'bob', { groups: ['base.group_user'] });
    await makeUser(app, 'root', { groups: ['base.group_system', 'base.group_partner_manager'] });
    await app.write(async (ctx) => {
      const [ada, other] = await ctx.model(User).search([['login', 'in', ['ada', 'bob']]], { order: 'login' });
      await ctx.modelNamed('fx.task').create([
        { name: 'A', owner_id: ada, effort: 3 },
        { name: 'B', owner_id: ada },
        { name: 'B', owner_id: ada, state: 'done' },
        { name: 'Hidden', owner_id: ada, effort: 4 },
        { name: 'A', owner_id: other },
      ]);
    });
  });
  afterAll(() => app.close());

  const dashboard = (client: Client) => client.rpc<Dashboard>('/web/backend/dashboard', {});
  const ids = ({ widgets }: Dashboard) => widgets.map(({ id }) => id);

  test('shows each user what concerns them, by groups and rights, and asks for nothing else', async () => {
    const before = asked();
    expect(ids(await dashboard(await app.as('bob')))).toEqual(['fx_desk.broken']);
    expect(asked()).toBe(before);
    expect(ids(await dashboard(await app.as('ada')))).toEqual(['fx_desk.tasks', 'fx_desk.lines', 'fx_desk.broken']);
    expect(asked()).toBe(before + 1);
    await makeUser(app, 'guest');
    await expect(dashboard(await app.as('guest'))).rejects.toThrow();
  });

  test('counts what the list shows to which a figure leads, under the rules of whoever looks', async () => {
    const ada = await app.as('ada');
    const { widgets } = await dashboard(ada);
    const figures = widgets.find(({ id }) => id === 'fx_desk.tasks')?.content?.figures ?? [];
    expect(figures.map(({ label, value, urgent }) => [label, value, urgent])).toEqual([
      ['Open', 2, true],
      ['Called A', 1, false],
    ]);
    for (const { value, to } of figures) expect(await listed(ada, to)).toBe(value);
  });

  /** Number of records in the list behind a figure. */
  async function listed(client: Client, to: Destination): Promise<unknown> {
    if (!('menu' in to && 'filter' in to)) throw new Error('no list');
    const { menus } = await client.rpc<{ menus: { id: string; domain: unknown[] }[] }>('/web/backend/start', {});
    const { search } = await client.rpc<{ search: { filters: { id: string; domain: unknown[] }[] } }>(
      '/web/backend/model',
      { model: to.model },
    );
    const domain = [
      ...(menus.find(({ id }) => id === to.menu)?.domain ?? []),
      ...(search.filters.find(({ id }) => id === to.filter)?.domain ?? []),
      ...(to.condition?.domain ?? []),
    ];
    return client.rpc('/web/dataset/call_kw', { model: to.model, method: 'search_count', args: [domain], kwargs: {} });
  }

  test('counts above a form what leads to its record, as the lists do to which the counts lead', async () => {
    const count = async (login: string, id: number) =>
      (await app.as(login)).rpc<readonly RecordCount[]>('/web/backend/counts', { model: 'res.users', id });
    const [ada = 0, bob = 0] = await app.read((ctx) =>
      ctx.model(User).search([['login', 'in', ['ada', 'bob']]], { order: 'login' }),
    );
    const own = await count('ada', ada);
    expect(own.map(({ label, value }) => [label, value])).toEqual([
      ['Tasks', 3],
      ['Effort', 7],
    ]);
    for (const { label, value, to } of own.slice(0, 1))
      expect([label, await listed(await app.as('ada'), to)]).toEqual([label, value]);
    // Record rules apply as in lists. Models that the user may not read aren't counted, nor are records related to a hidden record.
    expect((await count('root', bob)).map(({ value }) => value)).toEqual([0, 0]);
    expect(await count('bob', bob)).toEqual([]);
    expect(await count('ada', 999_999)).toEqual([]);
    expect(await (await app.as('ada')).rpc('/web/backend/counts', { model: 'no.such', id: 1 })).toEqual([]);
  });

  test('a widget that fails says so, and the others are there', async () => {
    const { widgets } = await dashboard(await app.as('ada'));
    expect(widgets.map(({ id, content }) => [id, content !== null])).toEqual([
      ['fx_desk.tasks', true],
      ['fx_desk.lines', true],
      ['fx_desk.broken', false],
    ]);
    expect(widgets[1]?.content?.lines[0]?.to).toMatchObject({ model: 'fx.task', menu: 'fx_desk.menu', filter: 'open' });
  });

  test('is arranged by each user; what was taken away is not asked for', async () => {
    const ada = await app.as('ada');
    const value = { order: ['fx_desk.broken', 'fx_desk.tasks'], hidden: ['fx_desk.lines'] };
    const args = [{ key: 'dashboard', value }];
    await ada.rpc('/web/dataset/call_kw', { model: 'web.preference', method: 'remember', args, kwargs: {} });
    const before = asked();
    const mine = await dashboard(ada);
    expect([ids(mine), mine.hidden]).toEqual([
      ['fx_desk.broken', 'fx_desk.tasks'],
      [{ id: 'fx_desk.lines', label: 'Lines' }],
    ]);
    expect(asked()).toBe(before);
    expect(ids(await dashboard(await app.as('root')))).toContain('fx_desk.lines');
  });

  test('the first steps are crossed out as they are taken, for those who run the site', async () => {
    const root = await app.as('root');
    const step = async () => {
      const { widgets } = await dashboard(root);
      const lines = widgets.find(({ id }) => id === 'web.first_steps')?.content?.lines ?? [];
      return lines.find(({ label }) => label === 'Make a contact called Zed')?.done;
    };
    expect(await step()).toBe(false);
    await app.write((ctx) => ctx.model(Partner).create({ name: 'Zed' }));
    expect(await step()).toBe(true);
  });
});
