import { Group, User } from '@pergola/base';
import { WebUser } from '@pergola/web';
import { TOTP } from 'otpauth';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { KeyGroup } from '../models/res-groups.ts';
import { KeyUser } from '../models/res-users.ts';
import { mails, makeUser, PASSWORD, signIn, uidOf } from './kit.ts';

interface Setup {
  readonly secret: string;
  readonly codes: readonly string[];
}

/** The code of an app, some periods from now. */
const codeOf = (secret: string, periods = 0) =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + periods * 30_000 });

const field = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`There is no ${pattern} in:\n${text.replaceAll(/<[^>]+>|\s+/g, ' ')}`);
  return found;
};
const setupOf = (text: string): string => field(text, /name="setup" value="([\w-]+)"/);
const secretOf = (text: string): string => field(text, /<code class="keys-secret"[^>]*>([A-Z2-7 ]+)</);
const codesOf = (text: string): string[] => [...text.matchAll(/<li><code>([\w-]+)</g)].map(([, code = '']) => code);

/** Sets up an authenticator app with the code of the period before, so that the present one can be used to sign in. */
async function setUp(client: Client, path = '/web/account/keys/app'): Promise<Setup> {
  const page = (await client.get(path)).text;
  const secret = secretOf(page);
  const done = await client.form(path, { setup: setupOf(page), code: codeOf(secret, -1) });
  client.secrets.add(secret);
  return { secret, codes: codesOf(done.text) };
}

eachDatabase('Two-factor authentication', (database, once) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['auth'], database });
  });
  afterAll(() => app.close());

  let number = 0;
  /** Somebody with an authenticator app, in a browser in which they are signed in. */
  async function somebody(groups?: readonly string[]) {
    number += 1;
    const login = `user${number}`;
    const id = await makeUser(app, login, groups);
    const client = app.visitor();
    await signIn(client, login);
    return { id, login, client, ...(await setUp(client)) };
  }

  once('is asked for after the password, and signs in without JavaScript', async () => {
    const { id, login, secret } = await somebody();
    const client = app.visitor();
    expect(await signIn(client, login, '/web/account?done=saved')).toMatchObject({
      status: 303,
      location: '/web/login/second',
    });
    expect(await uidOf(client)).toBeNull();
    expect((await client.get('/web/account')).location).toContain('/web/login');
    const page = await client.get('/web/login/second');
    expect(page.text).toContain('Authenticator app code');
    const wrong = await client.form('/web/login/second', { code: '000000' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('That code is wrong');
    expect(await uidOf(client)).toBeNull();
    const before = client.cookie('session_id');
    expect(await client.form('/web/login/second', { code: codeOf(secret) })).toMatchObject({
      status: 303,
      location: '/web/account?done=saved',
    });
    expect(await uidOf(client)).toBe(id);
    expect(client.cookie('session_id')).not.toBe(before);
  });

  it('takes a code once, and none before it', async () => {
    const { login, secret } = await somebody();
    const [first, second, third] = [app.visitor(), app.visitor(), app.visitor()];
    for (const client of [first, second, third]) await signIn(client, login);
    const code = codeOf(secret);
    const both = await Promise.all([first, second].map((client) => client.form('/web/login/second', { code })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect((await third.form('/web/login/second', { code: codeOf(secret, -1) })).status).toBe(422);
    expect((await third.form('/web/login/second', { code: codeOf(secret, -20) })).status).toBe(422);
  });

  once('is not guessed: tries are counted for the user, over all sessions', async () => {
    const { login, secret } = await somebody();
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const client = app.visitor();
      await signIn(client, login);
      statuses.push((await client.form('/web/login/second', { code: `00000${tries % 10}` })).status);
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
    const client = app.visitor();
    await signIn(client, login);
    expect((await client.form('/web/login/second', { code: codeOf(secret) })).status).toBe(429);
  });

  once('has recovery codes, each good once, of which a fresh set takes the place of the old', async () => {
    const { id, login, client: own, codes } = await somebody();
    expect(codes).toHaveLength(10);
    const { database: db } = app;
    const kept = await db.reader.query(db.knex('auth_recovery_code').where({ user_id: id }).toSQL().toNative());
    expect(codes.some((code) => JSON.stringify(kept.rows).includes(code.replaceAll('-', '')))).toBe(false);
    const use = async (recovery: string) => {
      const client = app.visitor();
      await signIn(client, login);
      return (await client.form('/web/login/second/recovery', { recovery })).status;
    };
    expect(await use(codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '')).toBe(303);
    expect(await use(codes[0] ?? '')).toBe(422);
    expect((await mails(app)).at(-1)?.text).toContain('9');
    // Another user's code opens nothing.
    const other = await somebody();
    expect(await use(other.codes[0] ?? '')).toBe(422);
    const fresh = codesOf((await own.form('/web/account/keys/codes')).text);
    expect(fresh).toHaveLength(10);
    expect(await use(codes[1] ?? '')).toBe(422);
    expect(await use(fresh[1] ?? '')).toBe(303);
  });

  once('stands in every way that a password opens: sessions of programs, calls, links by mail', async () => {
    const { id, login } = await somebody();
    const client = app.visitor();
    const authenticate = client.rpc('/web/session/authenticate', { db: 'x', login, password: PASSWORD });
    await expect(authenticate).rejects.toThrow(/two-factor authentication.*access token/);
    expect(await uidOf(client)).toBeNull();
    const call = (service: string, method: string, args: readonly unknown[]) =>
      app.visitor().rpc('/jsonrpc', { service, method, args });
    await expect(call('common', 'login', ['x', login, PASSWORD])).rejects.toThrow(/two-factor authentication/);
    const execute = call('object', 'execute_kw', ['x', id, PASSWORD, 'res.partner', 'search', [[]], {}]);
    await expect(execute).rejects.toThrow(/two-factor authentication/);
    // Whoever does not know the password learns nothing of it.
    await expect(call('object', 'execute_kw', ['x', id, 'wrong', 'res.partner', 'search', [[]], {}])).rejects.toThrow(
      /Wrong email/,
    );
    await app.write((ctx) => ctx.model(WebUser).sendLink('reset', id));
    const { database: db } = app;
    const sent = await db.reader.query(db.knex('core_outbox').orderBy('id', 'desc').limit(1).toSQL().toNative());
    const path = field(String(sent.rows[0]?.html), /href="[^"]*?(\/web\/reset_password\/[^"]+)"/);
    const chosen = await client.form(path, { password: `${PASSWORD} 2`, confirm: `${PASSWORD} 2` });
    expect(chosen.location).toBe('/web/login/second');
    expect(await uidOf(client)).toBeNull();
  });

  once('is not set up, changed or taken away by somebody who only knows the password', async () => {
    const { id, login, secret } = await somebody();
    const client = app.visitor();
    await signIn(client, login);
    expect((await client.get('/web/login/setup')).location).toBe('/web/login');
    const mine = await somebody();
    const page = (await mine.client.get('/web/account/keys/app')).text;
    const stolen = await client.form('/web/login/setup', { setup: setupOf(page), code: codeOf(secretOf(page)) });
    expect(stolen.location).toBe('/web/login');
    // What was sealed for one user is nothing for another.
    const victim = app.visitor();
    await signIn(victim, login);
    await victim.form('/web/login/second', { code: codeOf(secret) });
    const swapped = await victim.form('/web/account/keys/app', { setup: setupOf(page), code: codeOf(secretOf(page)) });
    expect(swapped.location).toBe('/web/account/keys/app');
    for (const path of ['/web/account/keys/app/remove', '/web/account/keys/codes']) {
      expect((await client.form(path)).location).toContain('/web/login');
      // A session that somebody left open is not enough either.
      expect((await (await app.as(login)).form(path)).location).toContain('/web/account/confirm');
    }
    expect(await app.read((ctx) => ctx.model(KeyUser).missingStep(id))).toBe('/web/login/second');
  });

  once('waits for its second step with nobody but whoever gave the password, and not for long', async () => {
    const { id, login, secret } = await somebody();
    const client = app.visitor();
    // An id that was planted before knows nothing of what follows.
    await client.form('/web/login', { login: 'nobody', password: 'x' });
    await signIn(client, login);
    const planted = client.cookie('session_id');
    await signIn(client, login);
    const before = await app.visitor().get('/web/login/second', { headers: { cookie: `session_id=${planted}` } });
    expect(before.location).toBe('/web/login');
    // A new password meanwhile ends it.
    await app.write((ctx) => ctx.model(User).setPasswordHash([id], 'x'));
    expect((await client.form('/web/login/second', { code: codeOf(secret) })).location).toBe('/web/login');
    expect(await uidOf(client)).toBeNull();
  });

  once('never leads away from the site', async () => {
    const { login, secret } = await somebody();
    const client = app.visitor();
    await signIn(client, login, '//evil.example');
    expect((await client.form('/web/login/second', { code: codeOf(secret) })).location).toBe('/');
  });

  once('ends where its user takes it away, and signs out elsewhere when it begins', async () => {
    const login = 'twice';
    await makeUser(app, login);
    const [here, there] = [app.visitor(), app.visitor()];
    await signIn(here, login);
    await signIn(there, login);
    await setUp(here);
    expect(await uidOf(here)).toEqual(expect.any(Number));
    expect(await uidOf(there)).toBeNull();
    expect((await here.form('/web/account/keys/app/remove')).location).toContain('done=app_removed');
    expect((await signIn(app.visitor(), login)).location).toBe('/web');
    const told = (await mails(app)).filter(({ email }) => email === `${login}@example.com`);
    expect(told.map(({ text }) => /was (set up|removed)/.exec(text)?.[1])).toEqual(['set up', 'removed']);
  });

  once('is asked of the members of a group, who set it up before anything else', async () => {
    const member = await makeUser(app, 'member', ['base.group_partner_manager']);
    await makeUser(app, 'boss', ['base.group_system']);
    const boss = app.visitor();
    await signIn(boss, 'boss');
    const open = await app.as('member');
    const ask = (client: Client) =>
      app
        .read((ctx) => ctx.model(Group).search([['code', '=', 'base.group_user']]))
        .then((ids) =>
          client.rpc('/web/dataset/call_kw', {
            model: 'res.groups',
            method: 'write',
            args: [ids, { second_step: true }],
            kwargs: {},
          }),
        );
    await expect(ask(boss)).rejects.toThrow(/yourself first/);
    await setUp(boss);
    await ask(boss);
    // Their session ends, and a password alone begins none.
    expect(await uidOf(open)).toBeNull();
    const client = app.visitor();
    expect((await signIn(client, 'member', '/web/account')).location).toBe('/web/login/setup');
    expect(await uidOf(client)).toBeNull();
    await expect(
      app.visitor().rpc('/jsonrpc', { service: 'common', method: 'login', args: ['x', 'member', PASSWORD] }),
    ).rejects.toThrow(/two-factor authentication/);
    expect((await client.get('/web/login/setup')).text).toContain('Your groups require two-factor authentication');
    const { codes } = await setUp(client, '/web/login/setup');
    expect(codes).toHaveLength(10);
    expect(await uidOf(client)).toBe(member);
    // The only one they have stays.
    const removed = await client.form('/web/account/keys/app/remove');
    expect(removed.text).toContain('this is your only method');
    // Whoever manages users and has all their rights takes it away for them; then they begin anew.
    const take = (by: Client, id: number) =>
      by.rpc('/web/dataset/call_kw', {
        model: 'res.users',
        method: 'action_remove_second_step',
        args: [[id]],
        kwargs: {},
      });
    await take(boss, member);
    expect(await uidOf(client)).toBeNull();
    expect((await signIn(app.visitor(), 'member')).location).toBe('/web/login/setup');
    const head = await app.read(async (ctx) => (await ctx.model(User).byLogin('boss'))?.id ?? 0);
    await app.write(async (ctx) =>
      ctx.model(KeyGroup).write(await ctx.model(KeyGroup).search([['second_step', '=', true]]), { second_step: false }),
    );
    await makeUser(app, 'clerk', ['base.group_erp_manager']);
    await expect(take(await app.as('clerk'), head)).rejects.toThrow(/must be in the group/);
  });
});
