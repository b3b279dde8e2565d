import { randomBytes } from 'node:crypto';
import { User } from '@pergola/base';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { Passkey } from '../models/auth-passkey.ts';
import { type Forged, SoftKey } from './authenticator.ts';
import { mails, makeUser, signIn, uidOf } from './kit.ts';

type Asked = Parameters<SoftKey['sign']>[0];
type Kept = { kept: boolean; codes: string[]; to: string };

eachDatabase('A passkey', (database, once) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['auth'], database });
  });
  afterAll(() => app.close());

  const register = async (client: Client, key: SoftKey, forged: Forged = {}, name = 'Phone'): Promise<Kept> => {
    const asked = await client.rpc<Asked>('/web/passkeys/options');
    return client.rpc('/web/passkeys/register', { name, response: key.make(asked, forged) });
  };
  const options = (client: Client) => client.rpc<Asked>('/web/login/passkey/options');
  const show = async (client: Client, response: object, redirect = '') =>
    (await client.rpc<{ to: string | null }>('/web/login/passkey', { response, redirect })).to;
  const enter = async (client: Client, key: SoftKey, forged: Forged = {}, redirect = '') =>
    show(client, key.sign(await options(client), forged), redirect);

  let number = 0;
  /** Somebody with a passkey. */
  async function somebody() {
    number += 1;
    const login = `key${number}`;
    const id = await makeUser(app, login);
    const client = app.visitor();
    await signIn(client, login);
    const key = new SoftKey(app.url);
    const kept = await register(client, key);
    return { login, id, client, key, kept };
  }

  once('signs in without login and password, and without another step', async () => {
    const { id, key, kept } = await somebody();
    expect(kept).toMatchObject({ kept: true, to: '/web/account/keys' });
    expect(kept.codes).toHaveLength(10);
    const client = app.visitor();
    expect(await enter(client, key, {}, '/web/account')).toBe('/web/account');
    expect(await uidOf(client)).toBe(id);
    expect(await enter(app.visitor(), key)).toBe('/web');
    expect(await enter(app.visitor(), key, {}, '//evil.example')).toBe('/');
  });

  once('makes the password alone worth nothing, and is the second step beside it', async () => {
    const { id, login, key, kept } = await somebody();
    const client = app.visitor();
    expect((await signIn(client, login)).location).toBe('/web/login/second');
    expect((await client.get('/web/login/second')).text).toContain('Use one of your passkeys');
    expect(await enter(client, key)).toBe('/web');
    expect(await uidOf(client)).toBe(id);
    const lost = app.visitor();
    await signIn(lost, login);
    expect((await lost.form('/web/login/second/recovery', { recovery: kept.codes[3] ?? '' })).status).toBe(303);
  });

  once.each([
    ['another site asked for it', { origin: 'https://evil.example' }],
    ['it is for another host', { rpId: 'evil.example' }],
    ['its owner was not verified', { verified: false }],
    ['it answers something else', { challenge: randomBytes(32).toString('base64url') }],
    ['it was made for something else', { type: 'webauthn.create' }],
    ['its counter stands still', { counter: 1 }],
    ['it says that it is of somebody else', { userHandle: randomBytes(32).toString('base64url') }],
  ])('opens nothing when %s', async (_, forged) => {
    const { key } = await somebody();
    const client = app.visitor();
    expect(await enter(client, key, forged)).toBeNull();
    expect(await uidOf(client)).toBeNull();
  });

  once.each([
    ['another site asked for it', { origin: 'https://evil.example' }],
    ['it is for another host', { rpId: 'evil.example' }],
    ['its owner was not verified', { verified: false }],
    ['it answers something else', { challenge: randomBytes(32).toString('base64url') }],
  ])('is not kept when %s', async (_, forged) => {
    const { client } = await somebody();
    expect(await register(client, new SoftKey(app.url), forged)).toMatchObject({ kept: false, codes: [] });
  });

  it('answers a challenge once, with the session that asked for it, for what it was asked for', async () => {
    const { client: owner, key } = await somebody();
    const [client, other] = [app.visitor(), app.visitor()];
    const asked = await options(client);
    const response = key.sign(asked);
    // Somebody who heard it has another session.
    expect(await show(other, response)).toBeNull();
    await options(other);
    expect(await show(other, response)).toBeNull();
    expect(await show(client, response)).toBe('/web');
    expect(await show(client, response)).toBeNull();
    // Of two at the same time, one gets in.
    const twin = app.visitor();
    const both = await options(twin);
    const sent = [key.sign(both), key.sign(both)];
    const got = await Promise.all(sent.map((one) => show(twin, one).catch(() => null)));
    expect(got.filter((to) => to !== null).length).toBeLessThanOrEqual(1);
    // A wrong answer uses it up too.
    const third = app.visitor();
    const again = await options(third);
    expect(await show(third, key.sign(again, { verified: false }))).toBeNull();
    expect(await show(third, key.sign(again))).toBeNull();
    // One for signing in makes no passkey.
    const forSignIn = await options(owner);
    const made = new SoftKey(app.url).make({ ...forSignIn, rp: { id: 'localhost' } });
    expect(await owner.rpc('/web/passkeys/register', { name: 'x', response: made })).toMatchObject({ kept: false });
  });

  once('says the same of one that nobody knows, of one that does not hold, and of one of a disabled user', async () => {
    const { id, key } = await somebody();
    const unknown = new SoftKey(app.url);
    expect(await enter(app.visitor(), unknown)).toBeNull();
    await app.write((ctx) => ctx.model(User).write(id, { active: false }));
    expect(await enter(app.visitor(), key)).toBeNull();
    // What is asked tells nobody who has a passkey.
    expect(await options(app.visitor())).not.toHaveProperty(
      'allowCredentials',
      expect.arrayContaining([expect.anything()]),
    );
  });

  once('is added by nobody but the owner, who has just shown that it is them', async () => {
    const { login, client, key } = await somebody();
    await expect(app.visitor().rpc('/web/passkeys/options')).rejects.toThrow(/Confirm your identity first/);
    const open = await app.as(login);
    await expect(open.rpc('/web/passkeys/options')).rejects.toThrow(/Confirm your identity first/);
    // Whoever knows the password alone does not get past the second step by adding one.
    const thief = app.visitor();
    await signIn(thief, login);
    await expect(thief.rpc('/web/passkeys/options')).rejects.toThrow(/Confirm your identity first/);
    // The same one twice, and for another user.
    const other = await somebody();
    expect(await register(other.client, key)).toMatchObject({ kept: false });
    expect(await register(client, key)).toMatchObject({ kept: false });
    // A challenge of one user is none of another's.
    const asked = await client.rpc<Asked>('/web/passkeys/options');
    const response = new SoftKey(app.url).make(asked);
    expect(await other.client.rpc('/web/passkeys/register', { name: 'x', response })).toMatchObject({ kept: false });
  });

  once('is renamed and removed by its owner alone, who learns of it by mail', async () => {
    const { id, login, client, key } = await somebody();
    const other = await somebody();
    const [passkey = 0] = await app.read((ctx) => ctx.model(Passkey).search([['user_id', '=', id]]));
    const path = '/web/account/keys/passkeys';
    await other.client.form(`${path}/rename`, { id: passkey, name: 'Stolen' });
    await other.client.form(`${path}/remove`, { id: passkey });
    expect((await client.get('/web/account/keys')).text).toContain('Phone');
    await client.form(`${path}/rename`, { id: passkey, name: 'Old phone' });
    expect((await client.get('/web/account/keys')).text).toContain('Old phone');
    expect((await (await app.as(login)).form(`${path}/remove`, { id: passkey })).location).toContain('/confirm');
    expect((await client.form(`${path}/remove`, { id: passkey })).location).toContain('done=removed');
    expect(await enter(app.visitor(), key)).toBeNull();
    expect((await signIn(app.visitor(), login)).location).toBe('/web');
    const told = (await mails(app)).filter(({ email }) => email === `${login}@example.com`).map(({ text }) => text);
    expect(told).toEqual([expect.stringContaining('added'), expect.stringContaining('removed')]);
  });

  once('is nothing that anybody reads or writes by a call', async () => {
    const admin = await app.as('admin');
    for (const model of ['auth.passkey', 'auth.totp', 'auth.recovery_code', 'auth.challenge'])
      for (const method of ['search_read', 'create', 'unlink', 'fields_get'])
        await expect(admin.rpc('/web/dataset/call_kw', { model, method, args: [[]], kwargs: {} })).rejects.toThrow(
          /Unknown model/,
        );
  });
});
