import { AuditEntry, Partner, User } from '@pergola/base';
import { setting, z } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { signupSetting } from '../settings.ts';
import { makeUser, signIn } from './kit.ts';

someDatabase('The audit log', (database) => {
  let app: TestApp;
  let ada: number;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web', 'fx_hello'], database });
    ada = await makeUser(app, 'ada', { groups: ['base.group_system'] });
    admin = await app.as('ada');
  });
  afterAll(() => app.close());

  const entries = (domain: readonly unknown[] = []) =>
    admin.rpc<Record<string, unknown>[]>('/web/dataset/call_kw', {
      model: 'ir.audit',
      method: 'search_read',
      args: [domain, ['kind', 'record', 'field', 'field_label', 'before', 'after', 'user_id', 'address', 'res_id']],
      kwargs: { order: 'id' },
    });
  const call = (model: string, method: string, args: readonly unknown[]) =>
    admin.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });

  it('says who signed in from where, and that a password was wrong, without what was typed', async () => {
    const bob = await makeUser(app, 'bob');
    const [last] = (await entries()).slice(-1);
    await signIn(app.visitor(), 'bob');
    await signIn(app.visitor(), 'bob', 'a wrong password');
    await signIn(app.visitor(), 'nobody knows him', 'a wrong password');
    const found = await entries([
      ['kind', 'in', ['sign_in', 'sign_in_failed']],
      ['id', '>', last?.id ?? 0],
    ]);
    expect(found).toMatchObject([
      {
        kind: 'sign_in',
        user_id: [bob, 'Name of bob'],
        address: expect.stringContaining('127.0.0.1'),
        record: 'User Name of bob',
      },
      { kind: 'sign_in_failed', user_id: false, res_id: bob, address: expect.stringContaining('127.0.0.1') },
      { kind: 'sign_in_failed', user_id: false, res_id: 0, record: 'User' },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/nobody knows|wrong password|correct horse/);
  });

  it('says what changed of rights, settings and apps, secrets masked', async () => {
    const eve = await makeUser(app, 'eve', { groups: ['base.group_user'] });
    const group = await app.read((ctx) => ctx.ref('base.group_partner_manager'));
    await call('res.users', 'write', [[eve], { group_ids: [[4, group]] }]);
    const [rights] = await entries([
      ['res_model', '=', 'res.users'],
      ['res_id', '=', eve],
      ['field', '=', 'group_ids'],
    ]);
    expect(rights).toMatchObject({
      field_label: 'Groups',
      before: 'Employee',
      after: expect.stringMatching(/Contact manager/),
      user_id: [ada, 'Name of ada'],
    });
    await admin.rpc('/web/backend/settings/change', { values: { [signupSetting.name]: 'invitation' } });
    await admin.rpc('/web/backend/settings/change', { values: { [signupSetting.name]: 'invitation' } });
    expect(await entries([['kind', '=', 'setting']])).toMatchObject([
      { record: 'Who can create an account', before: 'open', after: 'invitation', user_id: [ada, 'Name of ada'] },
    ]);
    const secret = setting('web.test_secret', z.string(), '', { label: 'Key', secret: true });
    await app.write((ctx) => ctx.settings.set(secret, 'hush hush'));
    await app.write((ctx) => ctx.model(User).setPasswordHash([eve], 'a hash'));
    const masked = await entries([['field', 'in', ['web.test_secret', 'password_hash']]]);
    expect(masked.map(({ before, after }) => [before, after])).toContainEqual(['***', '***']);
    expect(JSON.stringify(masked)).not.toMatch(/hush|a hash|argon/);
    const role = await admin.rpc<number>('/web/backend/roles/save', {
      id: null,
      name: 'Desk',
      rights: { 'res.partner': 'r' },
      implied: [],
    });
    await admin.rpc('/web/backend/roles/delete', { id: role });
    expect(
      (
        await entries([
          ['res_model', '=', 'res.groups'],
          ['res_id', '=', role],
        ])
      ).map(({ kind }) => kind),
    ).toEqual(['create', 'delete']);
    await app.application.lifecycle.disable(['fx_hello'], { by: 'ada' });
    expect(await entries([['kind', '=', 'app']])).toMatchObject([
      {
        record: 'fx_hello',
        before: expect.stringContaining('enabled'),
        after: expect.stringContaining('disabled'),
        user_id: [ada, 'Name of ada'],
      },
    ]);
  });

  it('is written and deleted by nobody, and read by who runs the site', async () => {
    const [id = 0] = await app.read((ctx) => ctx.model(AuditEntry).search([], { limit: 1 }));
    await expect(call('ir.audit', 'unlink', [[id]])).rejects.toThrow();
    await expect(call('ir.audit', 'write', [[id], { address: 'x' }])).rejects.toThrow();
    await expect(
      call('ir.audit', 'create', [{ res_model: 'x', res_id: 1, field: 'x', date: '2026-01-01 00:00:00' }]),
    ).rejects.toThrow();
    for (const method of ['note', 'forget'])
      await expect(call('ir.audit', method, [[id]])).rejects.toThrow(/has no public method/);
    await expect(
      admin.rpc('/web/backend/roles/save', { id: null, name: 'x', rights: { 'ir.audit': 'd' }, implied: [] }),
    ).rejects.toThrow();
    await makeUser(app, 'clerk', { groups: ['base.group_erp_manager'] });
    const clerk = await app.as('clerk');
    const read = clerk.rpc('/web/dataset/call_kw', {
      model: 'ir.audit',
      method: 'search_read',
      args: [[]],
      kwargs: {},
    });
    await expect(read).rejects.toThrow();
  });

  it('stays when the record or the person is deleted, without what it says of them', async () => {
    const max = await makeUser(app, 'max', { groups: ['base.group_system'] });
    const theirs = app.visitor();
    await signIn(theirs, 'max');
    const other = await makeUser(app, 'other');
    const rpc = (model: string, method: string, args: readonly unknown[]) =>
      theirs.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    await rpc('res.users', 'write', [[other], { login: 'other@private.example' }]);
    await rpc('res.users', 'write', [[max], { login: 'max@private.example' }]);
    const before = (await entries([['user_id', '=', max]])).length;
    expect(before).toBeGreaterThan(2);
    const about = await entries([
      ['res_model', '=', 'res.users'],
      ['res_id', '=', max],
    ]);
    const [partner = 0] = await app.read(async (ctx) => {
      const { partner_id: contact } = await ctx.model(User).get(max, { select: { partner_id: true } });
      return contact === null ? [] : [contact];
    });
    await call('res.users', 'unlink', [[max]]);
    await app.write((ctx) => ctx.model(Partner).unlink(partner));
    const left = await entries([
      ['res_model', '=', 'res.users'],
      ['res_id', '=', max],
    ]);
    // All entries, plus one for the deletion.
    expect(left).toHaveLength(about.length + 1);
    expect(left.at(-1)).toMatchObject({ kind: 'delete', user_id: [ada, 'Name of ada'] });
    expect(JSON.stringify(left)).not.toMatch(/private|Name of max/);
    expect(left.slice(0, -1).every(({ address, user_id: by }) => !address || by !== false)).toBe(true);
    // Entries about their actions on others remain, without the actor's name.
    const did = await entries([
      ['res_id', '=', other],
      ['field', '=', 'login'],
    ]);
    expect(did).toMatchObject([{ after: 'other@private.example', user_id: false, address: false }]);
  });
});
