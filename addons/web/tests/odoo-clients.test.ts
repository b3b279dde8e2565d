import jsonClient from '@fernandoslim/odoo-jsonrpc';
import XmlClient from 'odoo-await';
import { createTestApp, type TestApp } from '#core/testing';
import { makeUser, PASSWORD } from './kit.ts';

/** Both libraries as they come from the registry, unchanged. */
describe('Programs written for Odoo', () => {
  let app: TestApp;
  const login = 'program@example.com';
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'] });
    await makeUser(app, login, { groups: ['base.group_user', 'base.group_partner_manager'] });
  }, 60_000);
  afterAll(() => app.close());

  const domain = (name: string) => [['name', 'like', name]];

  it('work over JSON-RPC with a session, and with a key that comes with every call', async () => {
    const { port } = app.config;
    const connection = { baseUrl: 'http://localhost', port, db: 'pergola', username: login };
    for (const secret of [{ password: PASSWORD }, { apiKey: PASSWORD }]) {
      const client = new jsonClient.default({ ...connection, ...secret });
      expect(await client.connect()).toMatchObject({ uid: expect.any(Number) });
      const id = await client.create('res.partner', {
        name: 'Json Ltd',
        is_company: true,
        comment: '<p>5 < 6 & é</p>',
      });
      expect(await client.searchRead('res.partner', domain('Json'), ['name', 'is_company', 'country_id'])).toEqual([
        { id, name: 'Json Ltd', is_company: true, country_id: false },
      ]);
      expect(await client.update('res.partner', id, { city: 'Gent' })).toBe(true);
      expect(await client.read('res.partner', id, ['city'])).toBeTruthy();
      expect(await client.search('res.partner', domain('Json'))).toEqual([id]);
      expect(await client.getFields('res.partner')).toMatchObject({ name: { type: 'char', required: true } });
      expect(await client.call_kw('res.partner', 'read_group', [domain('Json'), ['city'], ['city']])).toMatchObject([
        { city: 'Gent', city_count: 1 },
      ]);
      expect(await client.delete('res.partner', id)).toBe(true);
      expect(await client.search('res.partner', domain('Json'))).toEqual([]);
    }
  });

  it('work over XML-RPC', async () => {
    const client = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: PASSWORD });
    expect(await client.connect()).toEqual(expect.any(Number));
    const id = await client.create('res.partner', { name: 'Xml <& Söhne>', is_company: true });
    expect(await client.searchRead('res.partner', domain('Xml'), ['name', 'is_company', 'country_id'])).toEqual([
      { id, name: 'Xml <& Söhne>', is_company: true, country_id: false },
    ]);
    expect(await client.update('res.partner', id, { city: 'Gent' })).toBe(true);
    expect(await client.read('res.partner', [id], ['city'])).toEqual([{ id, city: 'Gent' }]);
    expect(await client.search('res.partner', { name: 'Xml <& Söhne>' })).toEqual([id]);
    expect(await client.getFields('res.partner')).toMatchObject({ name: { type: 'char', required: true } });
    expect(await client.execute_kw('res.partner', 'read_group', [[domain('Xml'), ['city'], ['city']]])).toMatchObject([
      { city: 'Gent', city_count: 1 },
    ]);
    expect(await client.delete('res.partner', id)).toBe(true);
    expect(await client.search('res.partner', domain('Xml'))).toEqual([]);
  });

  it('are told what is refused, and nothing of it stays', async () => {
    const client = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: PASSWORD });
    await client.connect();
    await expect(client.create('res.partner', { name: '' })).rejects.toThrow(/name/i);
    await expect(client.create('ir.sequence', { name: 'No' })).rejects.toThrow(/ir\.sequence/);
    await expect(client.update('res.users', [1], { password: 'a new password' })).rejects.toThrow(
      /action_reset_password.*pergola user password.*change_password/,
    );
    await expect(client.execute_kw('res.partner', 'sudo', [[]])).rejects.toThrow(/sudo/);
    const stranger = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: 'wrong' });
    await expect(stranger.connect()).rejects.toMatch(/credentials/);
    const post = (body: string) => app.post('/xmlrpc/2/object', { body, headers: { 'Content-Type': 'text/xml' } });
    expect(
      (await post('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><methodCall>&b;</methodCall>')).text,
    ).toContain('faultCode');
    expect((await post('<methodCall><methodName>execute_kw</methodName></methodCall>')).text).toContain('faultCode');
    expect((await app.post('/xmlrpc/2/db', { body: '<a/>' })).status).toBe(404);
  });
});
