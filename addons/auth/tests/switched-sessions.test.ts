import { Group, Partner, Passwords, User } from '@pergola/base';
import { createTestApp, someDatabase } from 'pergola/testing';

const addons = ['dribblo', 'forum', 'mass_mailing', 'quote', 'sale', 'website', 'website_event', 'website_sale'];

someDatabase('Sessions while addons are switched off and on', (database) => {
  it('go on for everyone who keeps their rights, also with the cookie they had before', async () => {
    await using app = await createTestApp({
      addons: ['auth', ...addons],
      database,
      demo: true,
    });
    const password = 'seven blue chairs';
    const hash = await app.read((ctx) => ctx.get(Passwords).hash(password));
    await app.write(async (ctx) =>
      ctx.model(User).create({
        login: 'second',
        partner_id: await ctx.model(Partner).create({ name: 'Second', email: 'second@example.com' }),
        group_ids: await ctx.model(Group).search([['code', 'in', ['base.group_user', 'base.group_system']]]),
        password_hash: hash,
        email_verified: true,
      }),
    );
    const second = app.visitor();
    await second.form('/web/login', { login: 'second', password });
    const admin = await app.as('admin');
    const clients = {
      second,
      admin,
      elsewhere: await app.as('admin'),
      editor: await app.as('editor'),
      portal: await app.as('portal'),
    };
    // Some clients keep the cookie that they were given first.
    const cookies = Object.entries(clients).map(([name, client]) => [name, client.cookieHeader] as const);
    const signedIn = async () => {
      const names: string[] = [];
      for (const [name, cookie] of cookies) {
        const answer = await app.visitor().post('/web/session/get_session_info', {
          body: JSON.stringify({ jsonrpc: '2.0', method: 'call', params: {} }),
          headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: app.url },
        });
        if (answer.json<{ result: { uid: unknown } }>().result?.uid) names.push(name);
      }
      return names;
    };
    const all = Object.keys(clients);
    expect(await signedIn()).toEqual(all);
    const { lifecycle } = app.application;
    const enabled = () => app.application.generation.addons.map(({ name }) => name);
    for (const name of addons) {
      const before = enabled();
      await lifecycle.disable([name], { yes: true });
      expect([name, await signedIn()]).toEqual([name, all]);
      const after = new Set(enabled());
      await lifecycle.enable(before.filter((one) => !after.has(one)));
      await app.runJobs();
      expect([name, await signedIn()]).toEqual([name, all]);
    }
  });
});
