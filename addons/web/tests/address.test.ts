import { Partner } from '@pergola/base';
import type { Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { WebUser } from '../models/res-users.ts';
import { linkIn, mails, makeUser, PASSWORD, signIn, uidOf } from './kit.ts';

const select = { email: true, email_verified: true, pending_email: true, confirmed_email: true } as const;
const accountOf = (app: TestApp, id: Id) => app.read((ctx) => ctx.model(WebUser).get(id, { select }));
/** Emails since index `from`, as `name to address`. */
const sent = async (app: TestApp, from = 0) =>
  (await mails(app)).slice(from).map(({ name, email }) => `${name} to ${email}`);
const asked = { email: 'new@example.com', current_password: PASSWORD };

someDatabase('The address of an account', (database) => {
  it('waits for its link, while the old one is told and stays', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    const ada = await app.as('ada');
    expect(await ada.form('/web/account/email', asked)).toMatchObject({ location: '/web/account?done=mail' });
    expect(await accountOf(app, id)).toMatchObject({
      email: 'ada@example.com',
      email_verified: true,
      pending_email: 'new@example.com',
    });
    expect(await sent(app)).toEqual(['web.change_email to new@example.com', 'web.address_change to ada@example.com']);
    expect((await ada.get('/web/account')).text).toContain('new@example.com');

    const link = linkIn((await mails(app))[0]?.html ?? '', '/web/verify_email/');
    expect((await app.get(link)).text).toContain('Is new@example.com your address?');
    expect((await app.form(link)).text).toContain('new@example.com is confirmed');
    expect(await accountOf(app, id)).toMatchObject({
      email: 'new@example.com',
      email_verified: true,
      pending_email: null,
    });
    expect((await app.get(link)).status).toBe(404);
  });

  it.each([
    [{ ...asked, current_password: 'wrong' }, 'current_password'],
    [{ email: 'new@example.com' }, 'current_password'],
    [{ ...asked, email: 'no address' }, 'email'],
  ])('is not asked for with %j', async (fields, field) => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    const { status, text } = await (await app.as('ada')).form('/web/account/email', fields);
    expect(status).toBe(422);
    expect(text).toMatch(new RegExp(`is-invalid" id="${field}"`));
    expect(await accountOf(app, id)).toMatchObject({ email: 'ada@example.com', pending_email: null });
    expect(await mails(app)).toEqual([]);
  });

  it('is not for a borrowed session: links for a password go to the confirmed one, and the request dies with the password', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    await (await app.as('ada')).form('/web/account/email', asked);
    const change = linkIn((await mails(app))[0]?.html ?? '', '/web/verify_email/');
    await app.visitor().form('/web/reset_password', { login: 'ada' });
    await app.runJobs();
    expect((await sent(app)).at(-1)).toBe('web.reset_password to ada@example.com');
    const reset = linkIn((await mails(app)).at(-1)?.html ?? '', '/web/reset_password/');
    await app.visitor().form(reset, { password: 'another good one', confirm: 'another good one' });
    expect((await app.form(change)).status).toBe(404);
    expect(await accountOf(app, id)).toMatchObject({ email: 'ada@example.com', email_verified: true });
  });

  it('is nobody’s to write by calls or the backend: not one’s own, and another’s only for who manages users', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const eve = await makeUser(app, 'eve', { groups: ['base.group_partner_manager'] });
    const boss = await makeUser(app, 'boss', { groups: ['base.group_erp_manager', 'base.group_partner_manager'] });
    const ada = await makeUser(app, 'ada');
    const contacts = await app.read((ctx) =>
      ctx.model(WebUser).read([eve, boss, ada], { select: { partner_id: true } }),
    );
    const [ofEve = 0, ofBoss = 0, ofAda = 0] = contacts.map(({ partner_id }) => partner_id ?? 0);
    const write = (who: string, model: string, id: Id) => async () => {
      const args = [[id], { email: 'evil@example.com' }];
      return (await app.as(who)).rpc('/web/dataset/call_kw', { model, method: 'write', args, kwargs: {} });
    };
    await expect(write('eve', 'res.partner', ofEve)()).rejects.toThrow(/My account/);
    await expect(write('eve', 'res.partner', ofAda)()).rejects.toThrow(/has an account\. Only/);
    await expect(write('boss', 'res.partner', ofBoss)()).rejects.toThrow(/My account/);
    await expect(write('boss', 'res.users', boss)()).rejects.toThrow(/My account/);
    expect(await mails(app)).toEqual([]);

    // Reading an administrator's email allows taking over the account.
    const root = await makeUser(app, 'root', { groups: ['base.group_system'], verified: false });
    const { partner_id: ofRoot } = await app.read((ctx) =>
      ctx.model(WebUser).get(root, { select: { partner_id: true } }),
    );
    const tried = (method: string, args: readonly unknown[]) => async () =>
      (await app.as('boss')).rpc('/web/dataset/call_kw', { model: 'res.users', method, args, kwargs: {} });
    for (const refused of [
      write('boss', 'res.users', root),
      write('boss', 'res.partner', ofRoot ?? 0),
      tried('write', [[root], { partner_id: ofBoss }]),
      tried('create', [{ login: 'mallory', partner_id: ofRoot }]),
      tried('write', [[ada], { partner_id: ofRoot }]),
    ])
      await expect(refused()).rejects.toThrow(/must be in the group/);
    expect(await mails(app)).toEqual([]);

    await expect(write('boss', 'res.users', ada)()).resolves.toBe(true);
    await app.runJobs();
    expect(await accountOf(app, ada)).toEqual(
      expect.objectContaining({ email: 'evil@example.com', email_verified: false, confirmed_email: 'ada@example.com' }),
    );
    expect(await sent(app)).toEqual(['web.address_changed to ada@example.com', 'web.verify_email to evil@example.com']);

    // Until the new address is confirmed, password links go to the old one.
    const from = (await mails(app)).length;
    await app.visitor().form('/web/reset_password', { login: 'ada' });
    await app.runJobs();
    expect(await sent(app, from)).toEqual(['web.reset_password to ada@example.com']);
    const reset = linkIn((await mails(app)).at(-1)?.html ?? '', '/web/reset_password/');
    await app.visitor().form(reset, { password: 'another good one', confirm: 'another good one' });
    expect(await accountOf(app, ada)).toMatchObject({ email_verified: false });
    const visitor = app.visitor();
    await signIn(visitor, 'ada', 'another good one');
    expect(await uidOf(visitor)).toBe(ada);
  });

  it('is not confirmed once it changed, whoever changed it with rights lifted', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    await app.write(async (ctx) => {
      const { partner_id } = await ctx.model(WebUser).get(id, { select: { partner_id: true } });
      await ctx.model(Partner).write(partner_id ?? 0, { email: 'other@example.com' });
    });
    expect(await accountOf(app, id)).toMatchObject({ email_verified: false, confirmed_email: 'ada@example.com' });
  });
});
