import jsonClient from '@fernandoslim/odoo-jsonrpc';
import { AuditEntry, Group, Partner, User } from '@pergola/base';
import { type Client, commands, createTestApp, eachDatabase, someDatabase, type TestApp } from 'pergola/testing';
import { AccessToken } from '../models/auth-token.ts';
import { mails, makeToken, makeUser, PASSWORD, signIn } from './kit.ts';

const MANAGER = ['base.group_user', 'base.group_partner_manager'];

eachDatabase('An access token', (database, once) => {
  let app: TestApp;
  let ada: number;
  let client: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['auth'], database });
    ada = await makeUser(app, 'ada', MANAGER);
    await makeUser(app, 'eve', MANAGER);
    client = app.visitor();
    await signIn(client, 'ada');
  });
  afterAll(() => app.close());

  const jsonrpc = (service: string, method: string, args: readonly unknown[]) =>
    app.visitor().rpc('/jsonrpc', { service, method, args });
  const execute = (uid: number, token: string, model: string, method: string, args: readonly unknown[], kw = {}) =>
    jsonrpc('object', 'execute_kw', ['pergola', uid, token, model, method, args, kw]);
  /** As a program that sends its token with each call. */
  const bearer = async (token: string, model: string, method: string, args: readonly unknown[] = [], more = {}) => {
    const answer = await app.visitor().post('/web/dataset/call_kw', {
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', params: { model, method, args, kwargs: {} } }),
    });
    return answer.json<{ result?: unknown; error?: { data: { message: string; name: string } } }>();
  };

  once('lets an unchanged client of Odoo do what it covers, and refuses the rest', async () => {
    const token = await makeToken(client, { name: 'crm', rights: ['res.partner:r', 'res.partner:c'] });
    const odoo = new jsonClient.default({
      baseUrl: 'http://localhost',
      port: app.config.port,
      db: 'pergola',
      username: 'ada',
      apiKey: token,
    });
    expect(await odoo.connect()).toMatchObject({ uid: ada });
    const id = await odoo.create('res.partner', { name: 'Token Ltd' });
    expect(await odoo.searchRead('res.partner', [['name', '=', 'Token Ltd']], ['name', 'country_id'])).toEqual([
      { id, name: 'Token Ltd', country_id: false },
    ]);
    await expect(odoo.update('res.partner', id, { name: 'Other' })).rejects.toThrow(/doesn’t allow/);
    await expect(odoo.delete('res.partner', id)).rejects.toThrow(/doesn’t allow/);
    await expect(odoo.searchRead('res.users', [], ['login'])).rejects.toThrow(/doesn’t allow/);
    expect(await app.read(async (ctx) => (await ctx.model(Partner).get(id, { select: { name: true } })).name)).toBe(
      'Token Ltd',
    );
  });

  once('works as a bearer of call_kw, where the session beside it does not count', async () => {
    const token = await makeToken(client, { name: 'bearer', rights: ['res.partner:r'] });
    expect((await bearer(token, 'res.partner', 'search_count', [[]])).result).toEqual(expect.any(Number));
    const refused = await bearer(token, 'res.partner', 'create', [{ name: 'No' }], { cookie: client.cookieHeader });
    expect(refused.error?.data.message).toContain('res.partner (read)');
    const wrong = await bearer(`${token.slice(0, -1)}_`, 'res.partner', 'search_count', [[]], {
      cookie: client.cookieHeader,
    });
    expect(wrong.error?.data).toMatchObject({ name: 'openerp.exceptions.AccessDenied' });
  });

  once('opens no page and no other call', async () => {
    const token = await makeToken(client, { name: 'pages', kind: 'all' });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await app.visitor().get('/web/account', { headers })).status).toBe(303);
    expect((await app.visitor().get(`/web/account?token=${token}`)).status).toBe(303);
    const body = JSON.stringify({ params: { fields: [] } });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const answer = await app.visitor().post('/web/session/change_password', { headers: json, body });
    expect(answer.json()).toMatchObject({ error: { code: 100 } });
    // Nor makes it another one.
    await expect(execute(ada, token, 'auth.token', 'create', [{ name: 'more' }])).rejects.toThrow();
    await expect(
      execute(ada, token, 'auth.token', 'issue', [{ name: 'more', days: 7, scope: { '*': 'r' } }]),
    ).rejects.toThrow();
  });

  once('never does more than its user may, now and later', async () => {
    const bob = await makeUser(app, 'bob', MANAGER);
    const his = app.visitor();
    await signIn(his, 'bob');
    const token = await makeToken(his, { kind: 'all' });
    const id = (await execute(bob, token, 'res.partner', 'create', [{ name: 'Shrinks' }])) as number;
    await expect(execute(bob, token, 'ir.sequence', 'search', [[]])).rejects.toThrow(
      /Unknown model|don’t have permission/,
    );
    await app.write(async (ctx) => {
      const [group = 0] = await ctx.model(Group).search([['code', '=', 'base.group_partner_manager']]);
      await ctx.model(User).write(bob, { group_ids: [{ unlink: group }] });
    });
    await expect(execute(bob, token, 'res.partner', 'write', [[id], { name: 'Grown' }])).rejects.toThrow(
      /don’t have permission/,
    );
    expect(await execute(bob, token, 'res.partner', 'read', [[id], ['name']])).toEqual([{ id, name: 'Shrinks' }]);
    await app.write((ctx) => ctx.model(User).write(bob, { active: false }));
    await expect(execute(bob, token, 'res.partner', 'read', [[id], ['name']])).rejects.toThrow(/Wrong email/);
    expect((await bearer(token, 'res.partner', 'search', [[]])).error).toBeDefined();
  });

  once('covers what a method does in the name of its user, and not what the site does for everybody', async () => {
    // A user who is made gets a contact: both in the caller's name.
    const root = await makeUser(app, 'root', ['base.group_system']);
    const theirs = app.visitor();
    await signIn(theirs, 'root');
    const users = await makeToken(theirs, { name: 'users', rights: ['res.users:c', 'res.users:r'] });
    const both = await makeToken(theirs, {
      name: 'both',
      rights: ['res.users:c', 'res.users:r', 'res.partner:c', 'res.partner:w'],
    });
    const create = (token: string, login: string) => execute(root, token, 'res.users', 'create', [{ login }]);
    await expect(create(users, 'nobody')).rejects.toThrow(/doesn’t allow.*res\.partner/);
    const made = (await create(both, 'somebody')) as number;
    // The name of a contact that stands in a user is the user's to show.
    expect(await execute(root, users, 'res.users', 'read', [[made], ['partner_id']])).toMatchObject([
      { partner_id: [expect.any(Number), 'somebody'] },
    ]);
  });

  once('is of its user alone, whoever shows it', async () => {
    const eve = await app.read(async (ctx) => (await ctx.model(User).byLogin('eve'))?.id ?? 0);
    const token = await makeToken(client, { name: 'mine', kind: 'read' });
    await expect(execute(eve, token, 'res.partner', 'search', [[]])).rejects.toThrow(/Wrong email/);
    expect(await jsonrpc('common', 'login', ['pergola', 'eve', token])).toBe(false);
    expect(await jsonrpc('common', 'login', ['pergola', 'ada', token])).toBe(ada);
    // Nor does another user see or revoke it.
    const [id = 0] = await app.read((ctx) => ctx.model(AccessToken).search([['name', '=', 'mine']]));
    const other = await app.as('eve');
    const call = (method: string, args: readonly unknown[]) =>
      other.rpc('/web/dataset/call_kw', { model: 'auth.token', method, args, kwargs: {} });
    expect(await call('search', [[]])).toEqual([]);
    await expect(call('unlink', [[id]])).rejects.toThrow();
    await other.form('/web/account/tokens/revoke', { id });
    expect(await jsonrpc('common', 'login', ['pergola', 'ada', token])).toBe(ada);
  });

  it('is refused at once when it is revoked, on every node, and when its day is over', async () => {
    await using other = await app.secondNode();
    const token = await makeToken(client, { name: 'short', kind: 'read' });
    const ask = (site: TestApp) =>
      site.visitor().rpc('/jsonrpc', {
        service: 'object',
        method: 'execute_kw',
        args: ['pergola', ada, token, 'res.partner', 'search_count', [[]], {}],
      });
    expect(await ask(other)).toEqual(expect.any(Number));
    const [id = 0] = await app.read((ctx) => ctx.model(AccessToken).search([['name', '=', 'short']]));
    expect((await client.form('/web/account/tokens/revoke', { id })).location).toContain('done=revoked');
    await expect(ask(other)).rejects.toThrow(/Wrong email/);
    await expect(ask(app)).rejects.toThrow(/Wrong email/);
    const late = await makeToken(client, { name: 'late', kind: 'read' });
    expect(await jsonrpc('common', 'login', ['pergola', 'ada', late])).toBe(ada);
    await app.write(async (ctx) =>
      ctx.model(AccessToken).write(await ctx.model(AccessToken).search([['name', '=', 'late']]), {
        expires: new Date(Date.now() - 1_000),
      }),
    );
    expect(await jsonrpc('common', 'login', ['pergola', 'ada', late])).toBe(false);
  });

  once('is shown once, kept as a hash, noted when it is used, and told by mail', async () => {
    // The mails about the tokens of the other tests have used up what may be sent to ada in an hour.
    const dora = await makeUser(app, 'dora', MANAGER);
    const hers = app.visitor();
    await signIn(hers, 'dora');
    const token = await makeToken(hers, { name: 'once', kind: 'read' });
    const page = (await hers.get('/web/account/keys')).text;
    expect(page).toContain('once');
    expect(page).not.toContain(token);
    expect(page).toContain('never used');
    await jsonrpc('common', 'login', ['pergola', 'dora', token]);
    const { database } = app;
    const { rows } = await database.reader.query(database.knex('auth_token').toSQL().toNative());
    const row = rows.find(({ name }) => name === 'once');
    expect(row).toMatchObject({ last_address: expect.stringContaining('127.0.0.1'), token_hash: expect.any(String) });
    expect(JSON.stringify(rows)).not.toContain(token);
    const told = (await mails(app)).filter(({ name }) => name === 'auth.key_changed');
    expect(
      told.some(
        ({ email, text }) =>
          email === 'dora@example.com' && text.includes('The access token “once” was created for your account.'),
      ),
    ).toBe(true);
    expect(JSON.stringify(told)).not.toContain(token);
    const noted = await app.read((ctx) =>
      ctx.model(AuditEntry).find(
        [
          ['new_value', '!=', null],
          ['res_id', '=', dora],
        ],
        { select: { kind: true, new_value: true } },
      ),
    );
    expect(noted).toContainEqual(
      expect.objectContaining({ kind: 'token_made', new_value: { name: 'once', scope: { '*': 'r' } } }),
    );
    expect(JSON.stringify(noted)).not.toContain(token);
    // Its hash is no token, and nobody reads it.
    expect(await jsonrpc('common', 'login', ['pergola', 'dora', row?.token_hash])).toBe(false);
    const read = client.rpc('/web/dataset/call_kw', {
      model: 'auth.token',
      method: 'search_read',
      args: [[['token_hash', '!=', false]], ['token_hash']],
      kwargs: {},
    });
    await expect(read).rejects.toThrow();
  });

  once('is made by whoever has just shown that it is them, for what they may do', async () => {
    const old = await app.as('ada');
    expect((await old.get('/web/account/tokens/new')).location).toBe(
      '/web/account/confirm?redirect=%2Fweb%2Faccount%2Ftokens%2Fnew',
    );
    const asked = await old.form('/web/account/tokens/new', { name: 'x', kind: 'all', days: '7' });
    expect(asked.location).toContain('/web/account/confirm');
    const wrong = await old.form('/web/account/confirm', { password: 'wrong password', redirect: '/web/account/keys' });
    expect(wrong.status).toBe(422);
    const away = await old.form('/web/account/confirm', { password: PASSWORD, redirect: '//evil.example' });
    expect(away.location).toBe('/');
    expect((await old.get('/web/account/tokens/new')).status).toBe(200);
    for (const rights of [['ir.sequence:w'], ['res.users:w'], ['no.model:r'], []]) {
      const refused = await old.form('/web/account/tokens/new', { name: 'more', kind: 'some', days: '7', rights });
      expect(refused.text).not.toContain('pgt_');
      expect(refused.status).toBeGreaterThanOrEqual(400);
    }
    const twice = { name: 'twice', kind: 'read', days: '7' };
    await old.form('/web/account/tokens/new', twice);
    const again = await old.form('/web/account/tokens/new', twice);
    expect(again.text).toContain('already have a token with this name');
    await makeUser(app, 'customer', ['base.group_portal']);
    const customer = app.visitor();
    await signIn(customer, 'customer');
    expect((await customer.get('/web/account/tokens/new')).status).toBe(404);
  });
});

someDatabase('A changed password', (database) => {
  let app: TestApp;
  let client: Client;
  beforeEach(async () => {
    app = await createTestApp({ addons: ['auth'], database });
    await makeUser(app, 'ada', MANAGER);
    client = app.visitor();
    await signIn(client, 'ada');
    for (const name of ['crm', 'till']) await makeToken(client, { name, rights: ['res.partner:r'] });
  });
  afterEach(() => app.close());
  const count = () => app.read((ctx) => ctx.model(AccessToken).count([]));
  const password = 'seven blue chairs';

  it('lists access tokens, and revokes them if their owner wants it', async () => {
    const page = (await client.get('/web/account')).text;
    expect(page).toContain('Also revoke these 2 access tokens');
    expect(page).toMatch(/>till<[\s\S]*>crm</);
    const change = { old_password: PASSWORD, password, confirm: password };
    await client.form('/web/account/password', change);
    expect(await count()).toBe(2);
    expect((await client.get('/web/account?done=password')).text).toContain('2 access tokens are still valid');
    const again = { old_password: password, password: PASSWORD, confirm: PASSWORD, revoke_tokens: 'true' };
    expect((await client.form('/web/account/password', again)).status).toBe(303);
    expect(await count()).toBe(0);
    const after = (await client.get('/web/account?done=password')).text;
    expect(after).not.toMatch(/access token/i);
    expect((await mails(app)).filter(({ text }) => text.includes('was revoked'))).toHaveLength(2);
  });

  it('offers the same after a reset, with their number only', async () => {
    await app.visitor().form('/web/reset_password', { login: 'ada' });
    await app.runJobs();
    const link = /\/web\/reset_password\/[\w.~-]+/.exec((await mails(app)).at(-1)?.text ?? '')?.[0] ?? '';
    const visitor = app.visitor();
    const page = (await visitor.get(link)).text;
    expect(page).toContain('Also revoke the 2 access tokens');
    expect(page).not.toContain('till');
    await visitor.form(link, { password, confirm: password, revoke_tokens: 'true' });
    expect(await count()).toBe(0);
  });

  it('by call keeps them, and managers of users revoke them', async () => {
    const fields = [
      { name: 'old_pwd', value: PASSWORD },
      { name: 'new_password', value: password },
      { name: 'confirm_pwd', value: password },
    ];
    expect(await client.rpc('/web/session/change_password', { fields })).toEqual({ new_password: true });
    expect(await count()).toBe(2);
    await makeUser(app, 'chief', ['base.group_user', 'base.group_erp_manager', ...MANAGER]);
    const chief = app.visitor();
    await signIn(chief, 'chief');
    const ada = (await app.read((ctx) => ctx.model(User).byLogin('ada')))?.id ?? 0;
    const call = (model: string, method: string, args: unknown[]) =>
      chief.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    expect(await call('res.users', 'read', [[ada], ['token_count']])).toMatchObject([{ token_count: 2 }]);
    expect(await call('res.users', 'action_revoke_tokens', [[ada]])).toBe(true);
    expect(await count()).toBe(0);
    await makeUser(app, 'boss', ['base.group_system']);
    const boss = (await app.read((ctx) => ctx.model(User).byLogin('boss')))?.id ?? 0;
    await expect(call('res.users', 'action_revoke_tokens', [[boss]])).rejects.toThrow(/must be in the group/);
  });

  it('on the command line says how many remain', async () => {
    const out: string[] = [];
    const io = { out: (line: string) => out.push(line), secret: async () => password } as never;
    const call = { words: ['password', 'ada'], options: {}, io, read: app.read, write: app.write } as never;
    const command = app.application.generation.get(commands).find(({ name }) => name === 'user');
    expect(await command?.run(call)).toBe(0);
    expect(out.join('\n')).toMatch(/2 access tokens remain valid: “(till|crm)”, “(till|crm)”/);
  });
});
