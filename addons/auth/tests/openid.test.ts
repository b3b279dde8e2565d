import { User } from '@pergola/base';
import { generateKeyPair } from 'jose';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ProviderIdentity } from '../models/auth-identity.ts';
import { Passkey } from '../models/auth-passkey.ts';
import { SignInProvider } from '../models/auth-provider.ts';
import { KeyUser } from '../models/res-users.ts';
import { CALLBACK } from '../services/openid.ts';
import { claimsFor, signed, startForgingProvider, type TokenMaker, unsigned } from './forging-provider.ts';
import { makeUser, uidOf } from './kit.ts';
import { type Accounts, SECRET, startProvider, type TestProvider } from './provider.ts';

/** What the provider says of its accounts, by login: other addresses than the login, and whether it has confirmed them. */
const accounts: Accounts = {};

someDatabase('Signing in with OpenID Connect', (database) => {
  let app: TestApp;
  let house: TestProvider;
  let provider: number;
  let admin: Client;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['auth'], database });
    house = await startProvider(app.url + CALLBACK, accounts);
    await makeUser(app, 'root', ['base.group_system']);
    admin = await app.as('root');
    provider = (await call('auth.provider', 'create', [
      { name: 'Example', issuer: house.issuer, client_id: 'pergola', client_secret: SECRET },
    ])) as number;
  });
  afterAll(async () => {
    house.close();
    await app.close();
  });

  const call = (model: string, method: string, args: readonly unknown[]) =>
    admin.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });

  /** Somebody at the provider: signs in there, agrees, and is sent back; answers the query they come back with. */
  async function atProvider(start: string, login: string): Promise<string> {
    const jar = new Map<string, string>();
    let url = start;
    let init: RequestInit = {};
    for (let hop = 0; hop < 15; hop += 1) {
      if (url.startsWith(app.url)) return new URL(url).search.slice(1);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [pair = ''] = set.split(';');
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = answer.headers.get('location');
      init = {};
      if (location) url = new URL(location, url).href;
      else {
        const text = await answer.text();
        const action = /action="([^"]+)"/.exec(text)?.[1];
        if (!action) throw new Error(`The provider answered ${answer.status}: ${text.slice(0, 500)}`);
        const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? '';
        url = new URL(action, url).href;
        init = { method: 'POST', body: new URLSearchParams({ prompt, login, password: 'x' }) };
      }
    }
    throw new Error('The provider sends in circles.');
  }

  /** From the sign-in page to the provider and back; answers what came of it. */
  async function come(client: Client, login: string, redirect = '') {
    const { location } = await client.get(`/web/login/with/${provider}?redirect=${encodeURIComponent(redirect)}`);
    const answer = await atProvider(location ?? '', login);
    expect((await client.get(`${CALLBACK}?${answer}`)).text).toContain('name="answer"');
    return client.form(CALLBACK, { answer });
  }

  it('joins the account whose address both sides have confirmed, and knows it by its subject from then on', async () => {
    const ada = await makeUser(app, 'ada');
    accounts.ada1 = { email: 'ADA@example.com', email_verified: true };
    expect((await app.get('/web/login')).text).toContain('Sign in with Example');
    const client = app.visitor();
    expect(await come(client, 'ada1', '/web/account')).toMatchObject({ status: 303, location: '/web/account' });
    expect(await uidOf(client)).toBe(ada);
    accounts.ada1 = { email: 'another@example.com', email_verified: false };
    const again = app.visitor();
    await come(again, 'ada1');
    expect(await uidOf(again)).toBe(ada);
    // Somebody else at the provider who gets the address later is somebody else.
    accounts.ada2 = { email: 'ada@example.com', email_verified: true };
    const thief = app.visitor();
    expect((await come(thief, 'ada2')).status).toBe(422);
    expect(await uidOf(thief)).toBeNull();
  });

  it.each([
    ['the provider has not confirmed', 'bob', { email: 'bob@example.com', email_verified: false }],
    ['nobody here has', 'nobody', { email: 'nobody@example.com', email_verified: true }],
    ['is a pattern', 'pattern', { email: '%@example.com', email_verified: true }],
  ])('lets nobody in by an address that %s', async (_, login, account) => {
    await makeUser(app, `${login}.${database}`);
    await makeUser(app, login === 'bob' ? 'bob' : `x${login}`);
    accounts[login] = account;
    const client = app.visitor();
    const { status, text } = await come(client, login);
    expect(status).toBe(422);
    expect(text).toContain('Couldn’t sign you in');
    expect(await uidOf(client)).toBeNull();
  });

  it('lets nobody in by an address that its owner has not confirmed here, or to an account that is disabled', async () => {
    const [max, dora] = [await makeUser(app, 'max'), await makeUser(app, 'dora')];
    await app.write((ctx) => ctx.model(User).write(max, { email_verified: false }));
    accounts.max = { email: 'max@example.com', email_verified: true };
    accounts.dora = { email: 'dora@example.com', email_verified: true };
    expect((await come(app.visitor(), 'max')).status).toBe(422);
    expect((await come(app.visitor(), 'dora')).status).toBe(303);
    await app.write((ctx) => ctx.model(User).write(dora, { active: false }));
    expect((await come(app.visitor(), 'dora')).status).toBe(422);
  });

  describe('from a provider that forges', () => {
    let forger: Awaited<ReturnType<typeof startForgingProvider>>;
    let forging: number;

    beforeAll(async () => {
      forger = await startForgingProvider();
      await makeUser(app, 'victim');
      const values = { name: 'Forger', issuer: forger.issuer, client_id: 'pergola', client_secret: SECRET };
      forging = (await call('auth.provider', 'create', [values])) as number;
    });
    afterAll(() => forger.close());

    async function comeWith(maker: TokenMaker) {
      const client = app.visitor();
      const { location } = await client.get(`/web/login/with/${forging}`);
      const { status } = await client.form(CALLBACK, { answer: forger.answerTo(location ?? '', maker) });
      return { status, uid: await uidOf(client) };
    }
    const foreignKey = async () => (await generateKeyPair('RS256')).privateKey;
    const email = 'victim@example.com';
    const now = () => Math.floor(Date.now() / 1000);

    it.each<[string, TokenMaker]>([
      ['has no signature', async (about) => unsigned(claimsFor(about, { email }))],
      [
        'has a wrong signature',
        async (about) => {
          const [header, body] = (await signed(claimsFor(about, { email }), forger.privateKey)).split('.');
          return `${header}.${body}.${Buffer.alloc(256, 'x').toString('base64url')}`;
        },
      ],
      ['was signed with a key of its own', async (about) => signed(claimsFor(about, { email }), await foreignKey())],
      [
        'was changed after signing',
        async (about) => {
          const [header, , signature] = (await signed(claimsFor(about), forger.privateKey)).split('.');
          const body = Buffer.from(JSON.stringify(claimsFor(about, { email }))).toString('base64url');
          return `${header}.${body}.${signature}`;
        },
      ],
      ['is of another issuer', (about) => signed(claimsFor(about, { email, iss: house.issuer }), forger.privateKey)],
      ['is for another site', (about) => signed(claimsFor(about, { email, aud: 'another' }), forger.privateKey)],
      ['has expired', (about) => signed(claimsFor(about, { email, exp: now() - 300 }), forger.privateKey)],
      [
        'answers another question',
        (about) => signed(claimsFor({ ...about, nonce: 'x' }, { email }), forger.privateKey),
      ],
    ])('a token that %s signs no one in', async (_, maker) => {
      expect(await comeWith(maker)).toEqual({ status: 422, uid: null });
    });

    it('a right token does', async () => {
      const { status, uid } = await comeWith((about) => signed(claimsFor(about, { email }), forger.privateKey));
      expect(status).toBe(303);
      expect(uid).not.toBeNull();
    });
  });

  it('does not take an account of the former provider for one of the provider at its new address', async () => {
    const gwen = await makeUser(app, 'gwen');
    const forger = await startForgingProvider();
    const values = { name: 'Moving', issuer: house.issuer, client_id: 'pergola', client_secret: SECRET };
    const moving = (await call('auth.provider', 'create', [values])) as number;
    await app.write(async (ctx) => {
      const identities = ctx.model(ProviderIdentity);
      await identities.create({ provider_id: moving, user_id: gwen, subject: '1' });
      await identities.create({ provider_id: moving, user_id: gwen, issuer: house.issuer, subject: '2' });
    });
    try {
      await call('auth.provider', 'write', [[moving], { issuer: forger.issuer, client_secret: SECRET }]);
      for (const sub of ['1', '2']) {
        const client = app.visitor();
        const { location } = await client.get(`/web/login/with/${moving}`);
        const maker: TokenMaker = (about) =>
          signed(claimsFor(about, { sub, email: 'mallory@evil.example' }), forger.privateKey);
        expect((await client.form(CALLBACK, { answer: forger.answerTo(location ?? '', maker) })).status).toBe(422);
        expect(await uidOf(client)).toBeNull();
      }
    } finally {
      forger.close();
    }
  });

  it('asks for the second step all the same', async () => {
    const eve = await makeUser(app, 'eve');
    await app.write((ctx) =>
      ctx
        .model(Passkey)
        .create({ name: 'x', user_id: eve, credential: `c${eve}`, public_key: 'x', counter: 0, site: 'localhost' }),
    );
    expect(await app.read((ctx) => ctx.model(KeyUser).missingStep(eve))).not.toBeNull();
    accounts.eve = { email: 'eve@example.com', email_verified: true };
    const client = app.visitor();
    expect((await come(client, 'eve')).location).toBe('/web/login/second');
    expect(await uidOf(client)).toBeNull();
  });

  it('takes an answer once, from the session that asked, unchanged, and leads nowhere else', async () => {
    await makeUser(app, 'ann');
    accounts.ann = { email: 'ann@example.com', email_verified: true };
    const begin = async (client: Client) =>
      (await client.get(`/web/login/with/${provider}?redirect=//evil.example`)).location ?? '';
    const [client, other] = [app.visitor(), app.visitor()];
    const asked = await begin(client);
    const query = new URL(asked).searchParams;
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('state')?.length).toBeGreaterThan(30);
    expect(query.get('nonce')?.length).toBeGreaterThan(30);
    expect(asked).not.toContain(SECRET);
    const answer = await atProvider(asked, 'ann');
    // Sent to somebody else, who is to be signed in as ann: their session asked nothing, or something else.
    expect((await other.form(CALLBACK, { answer })).status).toBe(422);
    await begin(other);
    expect((await other.form(CALLBACK, { answer })).status).toBe(422);
    const forged = new URLSearchParams(answer);
    forged.set('state', 'x'.repeat(43));
    expect((await client.form(CALLBACK, { answer: forged.toString() })).status).toBe(422);
    expect(await client.form(CALLBACK, { answer })).toMatchObject({ status: 303, location: '/' });
    const late = app.visitor();
    await late.form(CALLBACK, { answer });
    expect(await uidOf(late)).toBeNull();
    expect((await client.form(CALLBACK, { answer })).status).toBe(422);
    // Opening an address signs nobody in.
    const third = app.visitor();
    await third.get(`${CALLBACK}?${await atProvider(await begin(third), 'ann')}`);
    expect(await uidOf(third)).toBeNull();
    expect((await third.form(CALLBACK, { answer: 'error=access_denied' })).status).toBe(422);
  });

  it('never sends its secret back, and forgets it with another address', async () => {
    const read = () => call('auth.provider', 'read', [[provider], ['client_secret', 'has_secret', 'issuer']]);
    expect(await read()).toMatchObject([{ client_secret: false, has_secret: true }]);
    await expect(call('auth.provider', 'read', [[provider], ['sealed_secret']])).rejects.toThrow();
    const { database: db } = app;
    const kept = async () => JSON.stringify((await db.reader.query(db.knex('auth_provider').toSQL().toNative())).rows);
    expect(await kept()).not.toContain(SECRET);
    for (const wrong of ['http://evil.example', 'javascript:alert(1)', 'https://user@evil.example', 'nothing'])
      await expect(call('auth.provider', 'create', [{ name: 'x', issuer: wrong, client_id: 'x' }])).rejects.toThrow();
    const other = (await call('auth.provider', 'create', [
      { name: 'Other', issuer: 'https://one.example', client_id: 'x', client_secret: SECRET },
    ])) as number;
    await call('auth.provider', 'write', [[other], { issuer: 'https://evil.example' }]);
    expect(await call('auth.provider', 'read', [[other], ['has_secret']])).toMatchObject([{ has_secret: false }]);
    expect(await app.read(async (ctx) => (await ctx.model(SignInProvider).known(other))?.secret)).toBe('');
    await call('auth.provider', 'write', [[other], { active: false }]);
    expect((await app.get(`/web/login/with/${other}`)).location).toBe('/web/login');
    expect(await app.read((ctx) => ctx.model(SignInProvider).count([['id', '=', provider]]))).toBe(1);
    await makeUser(app, 'clerk', ['base.group_erp_manager']);
    const clerk = await app.as('clerk');
    const theirs = clerk.rpc('/web/dataset/call_kw', {
      model: 'auth.provider',
      method: 'search',
      args: [[]],
      kwargs: {},
    });
    await expect(theirs).rejects.toThrow();
  });
});
