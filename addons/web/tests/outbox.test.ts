import { globSync, readFileSync } from 'node:fs';
import { mailServerSetting } from 'pergola/mail';
import { createTestApp, someDatabase } from 'pergola/testing';
import { linkIn, makeUser, signIn } from './kit.ts';

const LINK = 'data-slot="outbox-link"';

// The first test of each kind creates the database.
someDatabase('A site without a mail server', (database) => {
  it('leads whoever tries it out on their machine to the mail that they were told of', async () => {
    await using app = await createTestApp({ addons: ['web'], database, demo: true });
    await app.form('/web/reset_password', { login: 'admin' });
    await app.runJobs();
    expect((await app.get('/web/reset_password?sent=1')).text).toMatch(/<a href="\/web\/outbox">/);
    const { text } = await app.get('/web/outbox');
    const [, path = ''] = /href="(\/web\/outbox\/\d+)"/.exec(text) ?? [];
    const mail = (await app.get(path)).text;
    expect(mail).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="/);
    const html = (/srcdoc="([^"]*)"/.exec(mail)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#x3D;', '=');
    expect(html).toContain('<base target="_blank">');
    expect((await app.get(linkIn(html, '/web/reset_password/'))).status).toBe(200);
  });

  it.each([
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1:1' }, null],
    ['in production', { NODE_ENV: 'production', TRUSTED_PROXIES: 'loopback' }, null],
    ['from another machine', { TRUSTED_PROXIES: 'loopback' }, '203.0.113.9'],
    ['behind a proxy that nobody named', {}, '127.0.0.1'],
  ])('shows its mails to nobody %s', async (_, env, from) => {
    await using app = await createTestApp({ addons: ['web'], database, demo: true, env: { ...env } }).catch(
      noProduction,
    );
    if (!app) return;
    const visitor = from === null ? app : app.visitor(from);
    expect((await visitor.get('/web/outbox')).status).toBe(404);
    expect((await visitor.get('/web/outbox/1')).status).toBe(404);
    if (from === null) expect((await app.get('/web/reset_password?sent=1')).text).not.toContain(LINK);
  });

  it('shows its mails to nobody where visitors use another address', async () => {
    const env = { BASE_URL: 'http://shop.example' };
    await using app = await createTestApp({ addons: ['web'], database, demo: true, env });
    const here = `http://localhost:${app.config.port}`;
    expect((await fetch(`${here}/web/outbox`)).status).toBe(404);
    expect(await (await fetch(`${here}/web/reset_password?sent=1`)).text()).not.toContain(LINK);
  });

  it('keeps them to administrators once the demo password is gone, and without demo data', async () => {
    await using app = await createTestApp({ addons: ['web'], database, demo: true });
    await makeUser(app, 'customer');
    await app.write(async (ctx) => {
      const users = ctx.modelNamed('res.users');
      await users.write(await users.search([['login', '=', 'admin']]), { demo_password: false });
    });
    const customer = app.visitor();
    await signIn(customer, 'customer');
    for (const client of [app, customer]) {
      expect((await client.get('/web/outbox')).status).toBe(404);
      expect((await client.get('/web/reset_password?sent=1')).text).not.toContain(LINK);
    }
    const admin = await app.as('admin');
    expect((await admin.get('/web/reset_password?sent=1')).text).toContain(LINK);
    expect((await admin.get('/web/outbox')).location).toBe('/web/settings/mails');
  });
});

someDatabase('Pages that announce an email', (database) => {
  const held = 'This site can’t send emails at the moment.';
  const server = { host: '127.0.0.1', port: 1, security: 'none', user: '', password: '', from: '' } as const;

  it('say that emails are held while there is no mail server, whether an account exists or not', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    for (const login of ['admin', 'unknown@example.org']) {
      const { location = '' } = await app.form('/web/reset_password', { login });
      expect((await app.get(location ?? '')).text).toContain(held);
    }
    const page = '/web/reset_password?sent=1';
    await app.write((ctx) => ctx.settings.set(mailServerSetting, server));
    expect((await app.get(page)).text).not.toContain(held);
  });

  it('never claim that it was sent', () => {
    const claims =
      /\bwe(’ve| have)? (just )?(e?mailed|sent|written|wrote)\b|\b(sent|emailed|written to) you\b|mail is on its way|\byou get an? e?mail/i;
    const texts = globSync('addons/*/i18n/*.pot').flatMap(
      (file) => readFileSync(file, 'utf8').match(/^msgid .*/gm) ?? [],
    );
    expect(texts.length).toBeGreaterThan(3000);
    expect(texts.filter((text) => claims.test(text) && !text.includes(' again'))).toEqual([]);
  });
});

/** In production a site with demo passwords doesn't start at all, which is just as good. */
function noProduction(error: unknown): null {
  if (String(error).includes('demo password')) return null;
  throw error;
}
