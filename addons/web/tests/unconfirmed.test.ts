import { Partner, User } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { sweepUnconfirmed } from '../jobs/sweep-unconfirmed.ts';
import { PASSWORD, uidOf } from './kit.ts';

const DAY = 86_400_000;

someDatabase('Accounts that nobody confirmed', (database) => {
  let app: TestApp;
  let client: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['forum', 'website_event', 'quote', 'mass_mailing', 'auth'], database });
  });
  afterAll(() => app.close());

  /** Signs up; returns the account and its contact. */
  async function signUp(name: string): Promise<{ id: Id; contact: Id }> {
    client = app.visitor();
    const email = `${name}@example.com`;
    await client.form('/web/signup', { name, email, password: PASSWORD, confirm: PASSWORD });
    const id = Number(await uidOf(client));
    const { partner_id } = await app.read((ctx) => ctx.model(User).get(id, { select: { partner_id: true } }));
    return { id, contact: partner_id ?? 0 };
  }

  /** Runs the nightly job after that many days; returns which of these accounts and contacts remain. */
  async function left(days: number, ...accounts: { id: Id; contact: Id }[]): Promise<string> {
    await app.runJobs();
    const { signal } = new AbortController();
    await app.read((ctx) => {
      const now = () => new Date(Date.now() + days * DAY);
      const later = new Proxy(ctx, {
        get: (target, name) => (name === 'now' ? now : Reflect.get(target, name, target)),
      });
      return sweepUnconfirmed.run({ ctx: later, input: {}, attempt: 1, write: (work) => app.write(work), signal });
    });
    const lines = accounts.map(({ id, contact }) =>
      app.read(
        async (ctx) =>
          `${await ctx.model(User).count([['id', '=', id]])}${await ctx.model(Partner).count([['id', '=', contact]])}`,
      ),
    );
    return (await Promise.all(lines)).join(' ');
  }

  it('go after the days of the setting, with their contact; those that were confirmed stay', async () => {
    const [ada, bob] = [await signUp('ada'), await signUp('bob')];
    await app.write((ctx) => ctx.model(User).verifyEmail([bob.id]));
    expect(await left(59, ada, bob)).toBe('11 11');
    expect(await left(61, ada, bob)).toBe('00 11');
  });

  it('stay while anything is theirs', async () => {
    const owns: Record<string, (ctx: Ctx, about: { id: Id; contact: Id }) => Promise<unknown>> = {
      post: (ctx, { id }) =>
        ctx
          .as({ user: { ...ctx.user, id } })
          .sudo()
          .modelNamed('res.partner')
          .create({ name: 'A record that somebody made' } as never),
      order: async (ctx, { contact }) => ctx.modelNamed('sale.order').create({ partner_id: contact } as never),
      below: (ctx, { contact }) => ctx.model(Partner).create({ name: 'Delivery', parent_id: contact }),
      archived: (ctx, { contact }) => ctx.model(Partner).create({ name: 'Old', parent_id: contact, active: false }),
      karma: (ctx, { id }) => ctx.modelNamed('forum.karma').create({ user_id: id, amount: 5 } as never),
      note: (ctx, { contact }) =>
        ctx
          .modelNamed('mail.message')
          .create({ model: 'res.partner', res_id: contact, body: '<p>Called us</p>', date: ctx.now() } as never),
    };
    for (const [name, make] of Object.entries(owns)) {
      const account = await signUp(name);
      await app.write((ctx) => make(ctx, account));
      expect([name, await left(61, account)]).toEqual([name, '11']);
    }
  });
});
