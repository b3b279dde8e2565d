import { mail } from 'pergola';
import { type Client, createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import type { MailServerInput, ShownMailServer } from '../services/admin/mail-server.ts';
import { makeUser } from './kit.ts';

const SECRET = 's3cret & more';

someDatabase('the mail server', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let root: Client;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'root', { groups: ['base.group_system'] });
    await makeUser(app, 'clerk', { groups: ['base.group_erp_manager'] });
    root = await app.as('root');
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const shown = (client: Client) => client.rpc<ShownMailServer>('/web/backend/mail-server', {});
  const change = (input: MailServerInput) => root.rpc<ShownMailServer>('/web/backend/mail-server/change', { ...input });
  const own = (): MailServerInput => ({
    host: '127.0.0.1',
    port: Number(new URL(mailbox.url).port),
    security: 'none',
    user: '',
    password: null,
    from: 'club@example.org',
  });

  test('is set on the screen; what is tried and what the site sends leave by it', async () => {
    expect(await shown(root)).toMatchObject({ source: 'none', host: '' });
    expect(await root.rpc('/web/backend/mail-server/try', { to: 'a@example.org' })).toEqual({
      problem: expect.stringContaining('No mail server'),
    });
    expect(await change(own())).toMatchObject({ source: 'settings', host: '127.0.0.1', sender: 'club@example.org' });
    expect(await root.rpc('/web/backend/mail-server/try', { to: 'a@example.org' })).toEqual({ problem: null });
    const tried = await mailbox.waitFor(({ envelopeTo }) => envelopeTo.includes('a@example.org'));
    expect(tried.from?.address).toBe('club@example.org');
    const hello = mail('web.invite', { subject: 'Hello', template: 'web.mail_invite' });
    await app.write((ctx) => ctx.mail.send(hello, { to: { email: 'b@example.org' }, values: { url: '/', name: 'B' } }));
    await app.runJobs();
    await mailbox.waitFor(({ envelopeTo }) => envelopeTo.includes('b@example.org'));
    mailbox.refuse(550);
    const refused = await root.rpc<{ problem: string }>('/web/backend/mail-server/try', { to: 'c@example.org' });
    mailbox.refuse(null);
    expect(refused.problem).toContain('refused at the request of the test');
  });

  test('says in plain words what keeps it from the server', async () => {
    const tried = async (input: Partial<MailServerInput>) => {
      await change({ ...own(), ...input });
      return (await root.rpc<{ problem: string }>('/web/backend/mail-server/try', { to: 'a@example.org' })).problem;
    };
    expect(await tried({ port: 1 })).toMatch(
      /^Nothing is responding at this host and port\. Check both\. \(.*ECONNREFUSED/,
    );
    expect(await tried({ host: 'nowhere.invalid' })).toMatch(/^No server has this name/);
    expect(await tried({ security: 'tls' })).toMatch(/^Couldn’t establish an encrypted connection/);
    expect(await tried({ security: 'starttls' })).toMatch(/^Couldn’t establish an encrypted connection/);
    expect(await tried({ user: 'ada', password: 'x' })).toMatch(/^The server rejected this user and password/);
    await change({ ...own(), host: '' });
  });

  test('keeps its password to itself, and gives it to no other server', async () => {
    const with_ = await change({ ...own(), user: 'ada', password: SECRET });
    expect(with_.hasPassword).toBe(true);
    expect(JSON.stringify(await shown(root))).not.toContain('s3cret');
    expect(JSON.stringify(await root.rpc('/web/backend/settings', {}))).not.toContain('s3cret');
    expect((await change({ ...own(), user: 'ada', from: '' })).hasPassword).toBe(true);
    await expect(change({ ...own(), user: 'ada', host: 'elsewhere.example' })).rejects.toThrow(/password again/);
    await expect(change({ ...own(), user: 'ada', security: 'tls' })).rejects.toThrow(/password again/);
    const [row] = await app.read((ctx) => ctx.db('core_setting').where({ name: 'core.mail_server' }).select('value'));
    expect(String(row?.value)).toMatch(/^"?sealed:/);
    await expect(change({ ...own(), host: 'not a host' })).rejects.toThrow();
    await expect(change({ ...own(), from: 'nobody' })).rejects.toThrow();
    expect(await change({ ...own(), host: '' })).toMatchObject({ source: 'none', hasPassword: false });
  });

  test('is for those who run the site', async () => {
    const clerk = await app.as('clerk');
    for (const path of ['', '/change', '/try'])
      await expect(clerk.rpc(`/web/backend/mail-server${path}`, { to: 'a@example.org', ...own() })).rejects.toThrow();
  });
});

test('The environment wins over what is set on the screen, and is shown without its password', async () => {
  await using app = await createTestApp({ addons: ['web'], env: { SMTP_URL: 'smtps://ada:hush@mail.example.org' } });
  await makeUser(app, 'root', { groups: ['base.group_system'] });
  const root = await app.as('root');
  const server = await root.rpc<ShownMailServer>('/web/backend/mail-server', {});
  expect(server).toMatchObject({
    source: 'environment',
    host: 'mail.example.org',
    port: 465,
    security: 'tls',
    user: 'ada',
  });
  expect(JSON.stringify(server)).not.toContain('hush');
  const input = { host: 'other.example', port: 25, security: 'none', user: '', password: null, from: '' };
  await expect(root.rpc('/web/backend/mail-server/change', input)).rejects.toThrow(/SMTP_URL/);
});
