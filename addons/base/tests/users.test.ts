import { type Ctx, type Id, identityOf } from 'pergola';
import { endSessions, listSessions } from 'pergola/http';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { Group } from '../models/group.ts';
import { Partner } from '../models/partner.ts';
import { User } from '../models/user.ts';
import { actingAs, makeUser } from './kit.ts';

eachDatabase('Users', (database, once) => {
  once('are in every group that theirs imply', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const groups = await app.read(async (ctx) => {
      const admin = await ctx.model(User).byLogin('admin');
      return (await identityOf(ctx, admin?.id ?? 0))?.groups;
    });
    expect([...(groups ?? [])].sort()).toEqual([
      'base.group_erp_manager',
      'base.group_partner_manager',
      'base.group_system',
      'base.group_user',
    ]);
    const named = (lang: string) =>
      app.read((ctx) =>
        ctx
          .as({ lang })
          .model(Group)
          .first([['code', '=', 'base.group_user']], { select: { name: true, category: true } }),
      );
    expect(await named('en_US')).toMatchObject({ name: 'Employee', category: 'User types' });
    expect(await named('fr_FR')).toMatchObject({ name: 'Employé', category: 'Types d’utilisateurs' });
  });

  it('are found by their login whatever its case, unless disabled', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const id = await makeUser(app, 'Ada', ['base.group_user']);
    const find = () => app.read(async (ctx) => (await ctx.model(User).byLogin(' aDA ')) ?? null);
    expect(await find()).toMatchObject({ id });
    await app.write((ctx) => ctx.model(User).write(id, { active: false }));
    expect(await find()).toBeNull();
  });

  it('refuse a login twice, and one with spaces', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    await makeUser(app, 'ada', ['base.group_user']);
    await expect(makeUser(app, 'ADA', ['base.group_user'])).rejects.toMatchObject({ code: expect.any(String) });
    await expect(makeUser(app, 'a da', ['base.group_user'])).rejects.toMatchObject({ code: 'base.bad_login' });
  });

  it('get another credential version with every change of password, login, groups or state, never one they had', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const [ada, bob] = [await makeUser(app, 'ada', []), await makeUser(app, 'bob', [])];
    const version = (id: number) =>
      app.read(
        async (ctx) => (await ctx.model(User).get(id, { select: { credential_version: true } })).credential_version,
      );
    expect(await version(ada)).toBe(1);
    await app.write((ctx) => ctx.model(User).setPasswordHash([ada], 'x'));
    await app.write((ctx) => ctx.model(User).write(ada, { lang: 'fr_FR' }));
    expect(await version(ada)).toBe(2);
    await app.write((ctx) => ctx.model(User).write([bob, ada], { active: false }));
    expect([await version(ada), await version(bob)]).toEqual([3, 3]);
  });

  once('are signed out everywhere by a new password, except where it was changed', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const id = await makeUser(app, 'ada', ['base.group_user']);
    await app.as('ada');
    await app.as('ada');
    const sessions = () => app.read((ctx) => listSessions(ctx, id));
    expect(await sessions()).toHaveLength(2);
    // One group more takes nothing away.
    await app.write(async (ctx) =>
      ctx.model(User).write(id, { group_ids: [{ link: await ctx.ref('base.group_partner_manager') }] }),
    );
    expect(await sessions()).toHaveLength(2);
    await app.write((ctx) => ctx.model(User).setPasswordHash([id], 'x'));
    expect(await sessions()).toHaveLength(0);
    await app.as('ada');
    await app.write((ctx) => ctx.model(User).write(id, { active: false }));
    expect(await sessions()).toHaveLength(0);
    expect(await app.write((ctx) => endSessions(ctx, id))).toBe(0);
  });

  describe('never lose their last administrator', () => {
    let app: TestApp;
    let admin: Id;
    let group: Id;
    beforeAll(async () => {
      app = await createTestApp({ addons: ['base'], database });
      admin = await app.read(async (ctx) => (await ctx.model(User).byLogin('admin'))?.id ?? 0);
      group = await app.read((ctx) => ctx.ref('base.group_system'));
    });
    afterAll(() => app.close());

    type Way = (ctx: Ctx, id: Id) => Promise<unknown>;
    const ways: readonly (readonly [string, Way])[] = [
      ['is disabled', (ctx, id) => ctx.model(User).write(id, { active: false })],
      ['leaves the group', (ctx, id) => ctx.model(User).write(id, { group_ids: [{ unlink: group }] })],
      ['gets other groups', (ctx, id) => ctx.model(User).write(id, { group_ids: [{ set: [] }] })],
      ['is taken out by the group', (ctx, id) => ctx.model(Group).write(group, { user_ids: [{ unlink: id }] })],
      ['is deleted', (ctx, id) => ctx.model(User).unlink(id)],
    ];
    const others: readonly (readonly [string, Way])[] = [
      ['the group is emptied', (ctx) => ctx.model(Group).write(group, { user_ids: [{ set: [] }] })],
      ['the group is deleted', (ctx) => ctx.model(Group).unlink(group)],
    ];

    once.each([...ways, ...others])('when one %s', async (_, take) => {
      await expect(app.write((ctx) => take(ctx, admin))).rejects.toMatchObject({ code: 'base.last_administrator' });
      // The others may go.
      const second = await makeUser(app, 'second', ['base.group_system']);
      if (ways.some(([, way]) => way === take)) await app.write((ctx) => take(ctx, second));
      await app.write(async (ctx) => {
        const left = await ctx.model(User).search([
          ['id', '=', second],
          ['active', 'in', [true, false]],
        ]);
        if (left.length > 0) await ctx.model(User).unlink(left);
      });
    });

    it('when two take each other’s rights at the same time, in 20 rounds', async () => {
      const second = await makeUser(app, 'rival', ['base.group_system']);
      for (let round = 0; round < 20; round += 1) {
        await app.write((ctx) =>
          ctx.model(User).write([admin, second], { active: true, group_ids: [{ link: group }] }),
        );
        // The last round deletes them.
        const [, take] = ways[round === 19 ? 4 : round % 4] ?? [];
        const results = await Promise.allSettled(
          [admin, second].map((id) => app.write((ctx) => take?.(ctx, id) ?? Promise.resolve())),
        );
        const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'));
        expect(codes.toSorted()).toEqual(['base.last_administrator', 'done']);
      }
    });
  });

  once('see themselves as customers, everybody as employees, and nobody as visitors', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const customer = await makeUser(app, 'customer', ['base.group_portal']);
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    await app.read(async (ctx) => {
      const own = await actingAs(ctx, customer);
      expect(await own.model(User).search([])).toEqual([customer]);
      expect(await own.model(Partner).count([])).toBe(1);
      const all = await actingAs(ctx, employee);
      expect(await all.model(User).count([])).toBe(3);
      expect(await all.model(Partner).count([])).toBeGreaterThan(3);
    });
    const visitor = app.visitor();
    expect((await visitor.get('/')).status).toBe(404);
  });

  once('cannot change their own groups without the right to', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const employee = await makeUser(app, 'employee', ['base.group_user']);
    const change = app.write(async (ctx) => {
      const own = await actingAs(ctx, employee);
      await own.model(User).write(employee, { group_ids: [1, 2, 3] });
    });
    await expect(change).rejects.toMatchObject({ status: 403 });
  });
});
