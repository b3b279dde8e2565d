import { Partner } from '@pergola/base';
import type { Id } from 'pergola';
import { codecOf } from 'pergola/orm';
import { type Client, createTestApp, someDatabase, type TestApp, until } from 'pergola/testing';
import { makeUser } from './kit.ts';

someDatabase('Calls of the backend', (database) => {
  let app: TestApp;
  let admin: Client;
  let employee: Client;
  let partner: Id;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['web', 'fx_hello', 'fx_host', 'fx_shared_columns'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    await makeUser(app, 'manager', { groups: ['base.group_partner_manager'] });
    admin = await app.as('admin');
    employee = await app.as('employee');
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    partner = await app.write((ctx) => ctx.model(Partner).create({ name: 'Ada', city: 'Paris', phone: '1' }));
  });

  const save = (client: Client, values: object, seen: object, id = partner) =>
    client.rpc<{ saved: boolean; conflicts: { fields: { field: string; theirs: unknown }[]; by: string } | null }>(
      '/web/backend/save',
      { model: 'res.partner', id, values, seen },
    );
  const now = () =>
    app.read((ctx) => ctx.model(Partner).get(partner, { select: { name: true, city: true, phone: true } }));

  it('saves what a form changes, and lets two people change different fields of a record', async () => {
    const manager = await app.as('manager');
    expect(await save(admin, { city: 'Lyon' }, { city: 'Paris' })).toEqual({ saved: true, conflicts: null });
    expect(await save(manager, { phone: '2' }, { phone: '1' })).toMatchObject({ saved: true });
    expect(await now()).toMatchObject({ city: 'Lyon', phone: '2' });
  });

  it('saves nothing where somebody was faster, and says what it is now and who did it', async () => {
    await save(await app.as('manager'), { city: 'Lyon', phone: '2' }, { city: 'Paris', phone: '1' });
    const { saved, conflicts } = await save(admin, { name: 'Ada L.', city: 'Rome' }, { name: 'Ada', city: 'Paris' });
    expect(saved).toBe(false);
    expect(conflicts).toMatchObject({ fields: [{ field: 'city', theirs: 'Lyon' }], by: 'Name of manager' });
    expect(await now()).toMatchObject({ name: 'Ada', city: 'Lyon' });
    // The same change made twice isn't a conflict.
    expect(await save(admin, { city: 'Lyon' }, { city: 'Paris' })).toMatchObject({ saved: true });
    expect(await save(admin, { city: 'Rome' }, { city: 'Lyon' })).toMatchObject({ saved: true });
  });

  it('notices lines that somebody else changed or took away, not those that were added', async () => {
    const [one = 0, two = 0] = await app.write((ctx) =>
      ctx.model(Partner).create([
        { name: 'One', parent_id: partner },
        { name: 'Two', parent_id: partner },
      ]),
    );
    const lines = (ids: Id[], changed: Record<number, object> = {}) => ({ child_ids: { ids, lines: changed } });
    await app.write((ctx) => ctx.model(Partner).create({ name: 'Three', parent_id: partner }));
    const update = { child_ids: [[1, one, { name: 'Uno' }]] };
    expect(await save(admin, update, lines([one], { [one]: { name: 'One' } }))).toMatchObject({ saved: true });
    expect(await save(admin, update, lines([one], { [one]: { name: 'One' } }))).toMatchObject({ saved: false });
    await app.write((ctx) => ctx.model(Partner).unlink(two));
    expect(await save(admin, { child_ids: [[2, two, false]] }, lines([two]))).toMatchObject({ saved: false });
  });

  it('keeps to the rights of whoever calls, and says what is wrong with which field', async () => {
    await expect(save(employee, { city: 'Rome' }, { city: 'Paris' })).rejects.toThrow('permission to edit');
    await expect(save(admin, { email: 'nonsense' }, { email: false })).rejects.toMatchObject({
      data: { fields: { email: expect.stringContaining('address') } },
    });
    await expect(
      app.visitor().rpc('/web/backend/save', { model: 'res.partner', id: partner, values: {}, seen: {} }),
    ).rejects.toMatchObject({ code: 100 });
    await expect(save(admin, { city: 'Rome' }, { city: 'Paris' }, 999_999)).rejects.toThrow();
  });

  it('names what hangs on a record before it is deleted', async () => {
    const dependants = (client: Client, model: string, ids: Id[]) =>
      client.rpc<{ model: string; effect: string; count: number; names: string[] }[]>('/web/backend/dependants', {
        model,
        ids,
      });
    await app.write((ctx) => ctx.model(Partner).create({ name: 'One', parent_id: partner }));
    expect(await dependants(admin, 'res.partner', [partner])).toEqual([
      expect.objectContaining({ model: 'res.partner', effect: 'loses', count: 1, names: ['One'] }),
    ]);
    const user = await app.read((ctx) => ctx.modelNamed('res.users').search([['login', '=', 'employee']]));
    const [row] = await app.read((ctx) => ctx.modelNamed('res.users').read(user, { select: { partner_id: true } }));
    const found = await dependants(admin, 'res.partner', [Number(row?.partner_id)]);
    expect(found[0]).toMatchObject({ model: 'res.users', effect: 'forbids' });
    await expect(dependants(employee, 'ir.sequence', [1])).rejects.toThrow();
    await expect(dependants(admin, 'res.partner', [999_999])).rejects.toThrow('no longer exist');
  });

  it('what is for administrators is there for nobody else', async () => {
    const visitor = app.visitor();
    for (const [path, params] of [
      ['apps', {}],
      ['apps/plan', { name: 'fx_hello', action: 'disable' }],
      ['apps/run', { name: 'fx_hello', action: 'disable', parties: 'fx_hello:disabled' }],
      ['apps/progress', { name: 'fx_hello', after: 0 }],
      ['apps/retry', { name: 'fx_hello' }],
      ['apps/history', {}],
      ['settings', {}],
      ['settings/change', { values: { 'web.signup': 'open' } }],
      ['outbox', {}],
      ['outbox/mail', { id: 1 }],
      ['outbox/retry', { ids: [1] }],
      ['jobs', {}],
      ['jobs/retry', { ids: [1] }],
      ['jobs/delete', { ids: [1] }],
      ['jobs/schedule', {}],
      ['jobs/run', { name: 'core.sweep' }],
      ['sessions', {}],
      ['sessions/end', { numbers: [1] }],
      ['health', {}],
      ['languages', {}],
      ['languages/import', { addon: 'web', lang: 'fr_FR', source: '' }],
      ['rights', {}],
      ['rights/explain', { user: 1, model: 'res.partner', operation: 'read' }],
    ] as const) {
      await expect(employee.rpc(`/web/backend/${path}`, params)).rejects.toMatchObject({ code: 404 });
      await expect(visitor.rpc(`/web/backend/${path}`, params)).rejects.toMatchObject({ code: 100 });
    }
    expect((await employee.get('/web/backend/languages/fr_FR/web.po')).status).toBe(404);
    expect((await employee.get('/web/settings')).status).toBe(404);
    expect((await admin.get('/web/settings/jobs')).status).toBe(200);
  });

  it('lists the jobs with a timetable by their next run, and makes them due', async () => {
    const later = new Date('2031-11-22T02:19:00Z');
    const sooner = new Date('2031-11-21T23:40:00Z');
    await app.write(async (ctx) => {
      await ctx.db('core_cron').delete();
      const encode = (date: Date) => codecOf(ctx).encode('datetime', date);
      await ctx.db('core_cron').insert([
        { name: 'web.sweep_unconfirmed', next_at: encode(later) },
        { name: 'core.release_mails', next_at: encode(sooner) },
        { name: 'gone.job', next_at: encode(sooner) },
      ]);
    });
    const schedule = () => admin.rpc<{ name: string; label: string; nextRun: string }[]>('/web/backend/jobs/schedule');
    expect(await schedule()).toEqual([
      { name: 'core.release_mails', label: 'Send held emails', nextRun: sooner.toISOString() },
      {
        name: 'web.sweep_unconfirmed',
        label: 'Delete unconfirmed accounts',
        nextRun: later.toISOString(),
      },
    ]);
    await admin.rpc('/web/backend/jobs/run', { name: 'web.sweep_unconfirmed' });
    const [first] = await schedule();
    expect(first?.name).toBe('web.sweep_unconfirmed');
    expect(new Date(first?.nextRun ?? later).getTime()).toBeLessThanOrEqual(Date.now());
    await expect(admin.rpc('/web/backend/jobs/run', { name: 'gone.job' })).rejects.toThrow(
      'This scheduled job doesn’t exist.',
    );
  });

  it('switches an app and tells how it goes, and who did it', async () => {
    interface Shown {
      parties: string;
      confirm: string | null;
      addons: { title: string }[];
    }
    const plan = await admin.rpc<Shown>('/web/backend/apps/plan', { name: 'fx_host', action: 'disable' });
    expect(plan.addons).toHaveLength(2);
    await expect(
      admin.rpc('/web/backend/apps/run', { name: 'fx_host', action: 'disable', parties: 'fx_host:disabled' }),
    ).rejects.toThrow('Review the plan again');
    const switched = async (action: string, more: object = {}) => {
      const { parties } = await admin.rpc<Shown>('/web/backend/apps/plan', { name: 'fx_host', action });
      const begun = await admin.rpc<{ kind: string; after: number }>('/web/backend/apps/run', {
        name: 'fx_host',
        action,
        parties,
        ...more,
      });
      let kind = '';
      await until(async () => {
        const about = { name: 'fx_host', after: begun.after };
        ({ kind } = await admin.rpc<{ kind: string }>('/web/backend/apps/progress', about));
        return kind === 'done' || kind === 'failed';
      });
      return kind;
    };
    await app.application.startBackground();
    expect(await switched('disable')).toBe('done');
    await expect(switched('uninstall', { confirm: 'fx_hos' })).rejects.toThrow('exactly');
    expect(await switched('uninstall', { confirm: 'fx_host' })).toBe('done');
    const history = await admin.rpc<{ by: string; what: string; done: boolean; addons: string[] }[]>(
      '/web/backend/apps/history',
      {},
    );
    expect(history[0]).toMatchObject({ by: 'admin', what: 'Uninstalling', done: true });
    const { categories } = await admin.rpc<{ categories: { cards: { name: string; state: string }[] }[] }>(
      '/web/backend/apps',
    );
    const card = categories.flatMap(({ cards }) => cards).find(({ name }) => name === 'fx_host');
    expect(card?.state).toBe('uninstalled');
    await expect(admin.rpc('/web/backend/apps/retry', { name: 'fx_hello' })).rejects.toThrow('not broken');
  });

  it('hands out catalogues for translators, and explains rights', async () => {
    const file = await admin.get('/web/backend/languages/fr_FR/web.po');
    expect(file.headers.get('content-disposition')).toContain('web.fr_FR.po');
    expect(file.text).toContain('msgstr "Mot de passe"');
    const languages =
      await admin.rpc<{ code: string; isSource: boolean; addons: { addon: string; missing: number }[] }[]>(
        '/web/backend/languages',
      );
    expect(languages.map(({ code, isSource }) => [code, isSource])).toEqual([
      ['en_US', true],
      ['fr_FR', false],
    ]);
    const [user] = await app.read((ctx) => ctx.modelNamed('res.users').search([['login', '=', 'employee']]));
    const why = await admin.rpc<{ allowed: boolean; record: string }>('/web/backend/rights/explain', {
      user,
      model: 'res.partner',
      operation: 'write',
      id: partner,
    });
    expect(why).toMatchObject({ allowed: false, record: 'Ada' });
  });
});
