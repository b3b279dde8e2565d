import { Partner, User } from '@pergola/base';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';

someDatabase('A person, however their address is written', (database) => {
  let app: TestApp;
  let excluded = 0;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['mass_mailing'], database });
  });
  afterAll(() => app?.close());

  it.each([
    ['hana@example.org', ['Hana@example.org', 'hana@EXAMPLE.org', ' hana@example.org ']],
    ['jo@münchen.example', ['jo@xn--mnchen-3ya.example', 'Jo@MÜNCHEN.example']],
  ])('is one subscriber, one contact and one excluded address: %s', async (first, others) => {
    await app.write(async (ctx) => {
      const list = await ctx.model(MailingList).create({ name: 'News' });
      const contacts = ctx.model(Contact);
      expect(await contacts.subscribeAll(list, [{ email: first }], 'staff')).toBe(1);
      await ctx.model(Exclusion).exclude(first, 'asked');
      const partner = await ctx.model(Partner).create({ name: 'Hana', email: first });
      for (const email of others) {
        expect(await contacts.subscribeAll(list, [{ email }], 'staff')).toBe(0);
        await ctx.model(Exclusion).exclude(email, 'asked');
        expect(await ctx.model(Partner).byEmail(email)).toBe(partner);
      }
      expect(await ctx.model(Exclusion).count([['note', '=', null]])).toBe(++excluded);
    });
    await expect(app.write((ctx) => ctx.model(Contact).create({ email: others[0] ?? '' }))).rejects.toMatchObject({
      code: 'core.not_unique',
    });
  });

  it('signs in with either spelling of their login, which no one else can take', async () => {
    const id = await app.write((ctx) => ctx.model(User).create({ login: 'kim@münchen.example', name: 'Kim' }));
    for (const login of ['KIM@münchen.example', 'kim@xn--mnchen-3ya.example'])
      expect((await app.read((ctx) => ctx.model(User).byLogin(login)))?.id).toBe(id);
    const again = app.write((ctx) => ctx.model(User).create({ login: 'Kim@xn--mnchen-3ya.example', name: 'Kim' }));
    await expect(again).rejects.toMatchObject({ code: 'core.not_unique' });
  });
});
