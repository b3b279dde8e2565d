import { Group, Partner, User } from '@pergola/base';
import { identityOf } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp, until } from 'pergola/testing';
import { makeUser, uidOf } from './kit.ts';

eachDatabase('A role', (database, once) => {
  let app: TestApp;
  let contact: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'root', { groups: ['base.group_system'] });
    // Manages users and contacts, but not the settings.
    await makeUser(app, 'clerk', { groups: ['base.group_erp_manager', 'base.group_partner_manager'] });
    await makeUser(app, 'narrow', { groups: ['base.group_erp_manager'] });
    contact = await app.write((ctx) => ctx.model(Partner).create({ name: 'Contact' }));
  });
  afterAll(() => app.close());

  const save = (client: Client, about: object) =>
    client.rpc<number>('/web/backend/roles/save', { id: null, name: 'Role', rights: {}, implied: [], ...about });
  const call = (client: Client, model: string, method: string, args: readonly unknown[]) =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
  const give = (client: Client, user: number, role: number) =>
    call(client, 'res.users', 'write', [[user], { group_ids: [[4, role]] }]);
  const groupId = (code: string) => app.read((ctx) => ctx.ref(code));

  it('opens the menus of what it lets its members read, and no others', async () => {
    const may = await makeUser(app, 'may', { groups: ['base.group_user'] });
    const [root, client] = [await app.as('root'), await app.as('may')];
    const menus = async () => {
      const start = await client.rpc<{ menus: { id: string }[] }>('/web/backend/start', {});
      return start.menus.map(({ id }) => id).filter((id) => /settings|places|currencies|languages|people/.test(id));
    };
    expect(await menus()).toEqual([]);
    await give(root, may, await save(root, { name: 'Rates', rights: { 'res.currency': 'rw' } }));
    expect((await menus()).toSorted()).toEqual(['web.menu_currencies', 'web.menu_places', 'web.menu_settings']);
  });

  it('lets its members do what was ticked, until it is not: at once, on every node', async () => {
    await using other = await app.secondNode();
    const bob = await makeUser(app, 'bob', { groups: ['base.group_user'] });
    const [root, his, there] = [await app.as('root'), await app.as('bob'), await other.as('bob')];
    const write = (client: Client) => call(client, 'res.partner', 'write', [[contact], { city: 'Gent' }]);
    await expect(write(his)).rejects.toThrow(/don’t have permission to edit/);
    const role = await save(root, { name: 'Addresses', rights: { 'res.partner': 'rw' } });
    await give(root, bob, role);
    expect(await write(his)).toBe(true);
    expect(await write(there)).toBe(true);
    await expect(call(his, 'res.partner', 'unlink', [[contact]])).rejects.toThrow(/don’t have permission to delete/);
    const explained = await root.rpc<{ allowed: boolean; grants: { group: string; member: boolean }[] }>(
      '/web/backend/rights/explain',
      { user: bob, model: 'res.partner', operation: 'write', id: contact },
    );
    expect(explained.allowed).toBe(true);
    expect(explained.grants).toContainEqual({ group: expect.stringMatching(/^role\./), member: true });
    // Sessions and cached pages depend on the groups: changed rights change them.
    const groups = () => app.read(async (ctx) => [...((await identityOf(ctx, bob))?.groups ?? [])]);
    const before = await groups();
    // Losing a right ends the user's open sessions on every node; after signing in again, the remaining rights apply.
    await save(root, { id: role, name: 'Addresses', rights: { 'res.partner': 'r' } });
    await expect(write(his)).rejects.toMatchObject({ code: 100 });
    expect(await groups()).not.toEqual(before);
    await until(() =>
      write(there).then(
        () => false,
        ({ code }) => code === 100,
      ),
    );
    await expect(write(there)).rejects.toMatchObject({ code: 100 });
    const again = await app.as('bob');
    await expect(write(again)).rejects.toThrow(/don’t have permission to edit/);
    await save(root, { id: role, name: 'Addresses', rights: { 'res.partner': 'rw' } });
    expect(await write(again)).toBe(true);
    expect(await root.rpc('/web/backend/roles/delete', { id: role })).toBe(true);
    await expect(write(again)).rejects.toMatchObject({ code: 100 });
  });

  it('goes with the sessions of those who lose it, or a group, and of nobody else', async () => {
    const dan = await makeUser(app, 'dan', { groups: ['base.group_user'] });
    const [root, manager] = [await app.as('root'), await groupId('base.group_partner_manager')];
    const isIn = async (client: Client) => (await uidOf(client)) === dan;
    const set = (groups: readonly unknown[]) => call(root, 'res.users', 'write', [[dan], { group_ids: groups }]);
    const role = await save(root, { name: 'More', rights: { 'res.currency': 'rw' } });
    const first = await app.as('dan');
    await set([
      [4, manager],
      [4, role],
    ]);
    await save(root, { id: role, name: 'More', rights: { 'res.currency': 'rwc' } });
    expect(await isIn(first)).toBe(true);
    await set([[3, manager]]);
    expect(await isIn(first)).toBe(false);
    const second = await app.as('dan');
    await call(root, 'res.groups', 'write', [[role], { user_ids: [[3, dan]] }]);
    expect([await isIn(second), await uidOf(root)]).toEqual([false, expect.any(Number)]);
  });

  once('makes its members those of groups too, with all that they imply', async () => {
    const ann = await makeUser(app, 'ann', { groups: ['base.group_portal'] });
    const root = await app.as('root');
    const role = await save(root, { name: 'Desk', implied: [await groupId('base.group_partner_manager')] });
    await give(root, ann, role);
    expect((await (await app.as('ann')).get('/web')).status).toBe(200);
  });

  once('is granted by nobody who does not have all of it', async () => {
    const eve = await makeUser(app, 'eve', { groups: ['base.group_user'] });
    const [narrow, clerk, root] = [await app.as('narrow'), await app.as('clerk'), await app.as('root')];
    await expect(save(narrow, { rights: { 'res.partner': 'rw' } })).rejects.toThrow(
      /don’t have this right for “res.partner”/,
    );
    // Even full administrators can't grant it, because no one has a right on this model.
    await expect(save(root, { rights: { 'ir.audit': 'w' } })).rejects.toThrow(/don’t have this right/);
    await expect(save(root, { rights: { 'no.model': 'r' } })).rejects.toThrow(/don’t have this right/);
    await expect(save(clerk, { implied: [await groupId('base.group_system')] })).rejects.toThrow(
      /must be in the group/,
    );
    const role = await save(clerk, { name: 'Contacts', rights: { 'res.partner': 'rwcd' } });
    // Callers can't rename, assign, narrow or delete a role with more rights than their own.
    const refused = /don’t have this right for “res.partner”/;
    await expect(give(narrow, eve, role)).rejects.toThrow(refused);
    for (const rights of ['rwcd', 'r', ''])
      await expect(save(narrow, { id: role, name: 'x', rights: { 'res.partner': rights } })).rejects.toThrow(refused);
    await give(clerk, eve, role);
    // Roles within roles would be a loophole.
    await expect(save(clerk, { implied: [role] })).rejects.toThrow(/role doesn’t exist/);
  });

  once('is changed nowhere else, and only by who manages rights', async () => {
    const root = await app.as('root');
    const role = await save(root, { name: 'Fixed', rights: { 'res.partner': 'r' } });
    const employee = await makeUser(app, 'emil', { groups: ['base.group_user'] });
    const emil = await app.as('emil');
    await expect(save(emil, { rights: { 'res.partner': 'r' } })).rejects.toThrow();
    await expect(emil.rpc('/web/backend/roles')).rejects.toThrow();
    await expect(call(root, 'res.groups', 'write', [[role], { rights: { 'res.users': 'rwcd' } }])).rejects.toThrow();
    await expect(call(root, 'res.groups', 'create', [{ name: 'x', code: 'role.x', is_role: true }])).rejects.toThrow();
    await expect(
      call(root, 'res.groups', 'save_role', [{ id: role, name: 'x', rights: {}, implied: [] }]),
    ).rejects.toThrow();
    const declared = await groupId('base.group_user');
    await expect(save(root, { id: declared, rights: { 'res.partner': 'r' } })).rejects.toThrow(/role doesn’t exist/);
    await expect(root.rpc('/web/backend/roles/delete', { id: declared })).rejects.toThrow(/role doesn’t exist/);
    expect(await app.read((ctx) => ctx.model(Group).count([['id', '=', role]]))).toBe(1);
    expect(await app.read((ctx) => ctx.model(User).count([['id', '=', employee]]))).toBe(1);
  });
});
