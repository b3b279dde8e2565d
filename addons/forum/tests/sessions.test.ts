import { Group, Partner, Passwords, User } from '#addons/base';
import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('Sessions while the forum is switched off and on', (database) => {
  it('go on for everyone who keeps their rights', async () => {
    await using app = await createTestApp({
      addons: ['auth', 'forum'],
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
    const signedIn = async () => {
      const names: string[] = [];
      for (const [name, client] of Object.entries(clients))
        if ((await client.rpc<{ uid: unknown }>('/web/session/get_session_info')).uid) names.push(name);
      return names;
    };
    const all = Object.keys(clients);
    expect(await signedIn()).toEqual(all);
    for (let round = 0; round < 2; round += 1) {
      await app.application.lifecycle.disable(['forum'], { yes: true });
      expect(await signedIn()).toEqual(all);
      await app.application.lifecycle.enable(['forum']);
      await app.runJobs();
      expect(await signedIn()).toEqual(all);
    }
  }, 120_000);
});
