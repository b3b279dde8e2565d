import type { Ctx, Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { Group } from '../models/group.ts';
import { User } from '../models/user.ts';
import { actingAs, makeUser } from './kit.ts';

eachDatabase('A group', (database) => {
  const groupOf = (app: TestApp, code: string) => app.read((ctx) => ctx.ref(code));

  it('is given by whoever has all it implies, in no way by others', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const manager = await makeUser(app, 'eve', ['base.group_erp_manager']);
    const as = (who: Id, work: (ctx: Ctx) => Promise<unknown>) =>
      app.write(async (ctx) => work(await actingAs(ctx, who)));
    const bob = await makeUser(app, 'bob', ['base.group_portal']);
    const [system, contacts, office, employee, portal] = await Promise.all(
      ['system', 'partner_manager', 'erp_manager', 'user', 'portal'].map((name) => groupOf(app, `base.group_${name}`)),
    );
    const more: readonly Id[] = [system ?? 0, contacts ?? 0];
    const ways: readonly (readonly [string, (ctx: Ctx, group: Id) => Promise<unknown>])[] = [
      ['to oneself', (ctx, group) => ctx.model(User).write(manager, { group_ids: [{ link: group }] })],
      ['to another', (ctx, group) => ctx.model(User).write(bob, { group_ids: [{ link: group }] })],
      ['as a list', (ctx, group) => ctx.model(User).write(bob, { group_ids: [portal ?? 0, group] })],
      ['by a set', (ctx, group) => ctx.model(User).write(bob, { group_ids: [{ set: [group] }] })],
      ['by the group', (ctx, group) => ctx.model(Group).write(group, { user_ids: [{ link: bob }] })],
      ['to a new one', (ctx, group) => ctx.model(User).create({ login: 'new', partner_id: 1, group_ids: [group] })],
    ];
    for (const [way, give] of ways) {
      for (const group of more) {
        const given = as(manager, (ctx) => give(ctx, group));
        await expect(given.then(() => way)).rejects.toMatchObject({ status: 403, code: 'base.group_not_own' });
      }
    }
    for (const group of [employee ?? 0, office ?? 0]) {
      await as(manager, (ctx) => ctx.model(User).write(bob, { group_ids: [{ link: group }] }));
      await as(manager, (ctx) => ctx.model(User).write(bob, { group_ids: [{ unlink: group }] }));
    }
    const groups = () =>
      app.read(async (ctx) => (await ctx.model(User).get(bob, { select: { group_ids: true } })).group_ids);
    expect(await groups()).toEqual([portal]);
    // A user with more rights than the manager is out of reach for them, also where nothing is given.
    await app.write((ctx) => ctx.model(User).write(bob, { group_ids: [portal ?? 0, contacts ?? 0] }));
    const kept = as(manager, (ctx) => ctx.model(User).write(bob, { group_ids: [contacts ?? 0, employee ?? 0] }));
    await expect(kept).rejects.toMatchObject({ status: 403, code: 'base.group_not_own' });
    const root = await makeUser(app, 'root', ['base.group_system']);
    await as(root, (ctx) => ctx.model(User).write(bob, { group_ids: [{ link: system ?? 0 }] }));
    expect((await groups()).toSorted()).toEqual([contacts, portal, system].toSorted());
  });

  it('is taken away, and its members changed, only by users who have all their rights', async () => {
    await using app = await createTestApp({ addons: ['base'], database });
    const manager = await makeUser(app, 'eve', ['base.group_erp_manager']);
    const chief = await makeUser(app, 'chief', ['base.group_system']);
    const system = await groupOf(app, 'base.group_system');
    const role = await app.write(async (ctx) =>
      (await actingAs(ctx, chief)).model(Group).save_role({ id: null, name: 'Boss', rights: {}, implied: [system] }),
    );
    const renamed = { id: role, name: 'Head', rights: {}, implied: [system] };
    await app.write(async (ctx) => (await actingAs(ctx, chief)).model(Group).save_role(renamed));
    expect(await app.read((ctx) => ctx.model(Group).get(role, { select: { name: true } }))).toMatchObject({
      name: 'Head',
    });
    const boss = await makeUser(app, 'boss', ['base.group_user']);
    await app.write((ctx) => ctx.model(User).write(boss, { group_ids: [{ link: role }] }));
    const ways: readonly (readonly [string, (ctx: Ctx) => Promise<unknown>])[] = [
      ['login', (ctx) => ctx.model(User).write(chief, { login: 'foo' })],
      ['language', (ctx) => ctx.model(User).write(chief, { lang: 'fr_FR' })],
      ['state', (ctx) => ctx.model(User).write(chief, { active: false })],
      ['group', (ctx) => ctx.model(User).write(chief, { group_ids: [{ unlink: system }] })],
      ['groups', (ctx) => ctx.model(User).write(chief, { group_ids: [{ set: [] }] })],
      ['several at once', (ctx) => ctx.model(User).write([manager, chief], { active: false })],
      ['existence', (ctx) => ctx.model(User).unlink(chief)],
      ['members of the group', (ctx) => ctx.model(Group).write(system, { user_ids: [{ unlink: chief }] })],
      ['all members', (ctx) => ctx.model(Group).write(system, { user_ids: [{ set: [] }] })],
      ['a role that implies it', (ctx) => ctx.model(User).write(boss, { active: false })],
      ['its role', (ctx) => ctx.model(Group).delete_role({ id: role })],
      ['its role’s rights', (ctx) => ctx.model(Group).save_role({ id: role, name: 'x', rights: {}, implied: [] })],
      ['its role’s members', (ctx) => ctx.model(Group).write(role, { user_ids: [{ unlink: boss }] })],
    ];
    for (const [way, take] of ways) {
      const taken = app.write(async (ctx) => take(await actingAs(ctx, manager)));
      await expect(taken.then(() => way)).rejects.toMatchObject({ status: 403 });
    }
  });
});
