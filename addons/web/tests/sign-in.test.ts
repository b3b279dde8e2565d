import { User } from '@pergola/base';
import { createTestApp, someDatabase } from 'pergola/testing';
import { makeUser, PASSWORD, signIn, uidOf } from './kit.ts';

someDatabase('Sign-in', (database) => {
  it('leads employees to the backend, everybody else home, and back to where one wanted to go', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    await makeUser(app, 'customer');
    const employee = app.visitor();
    expect(await signIn(employee, 'employee')).toMatchObject({ status: 303, location: '/web' });
    expect(await employee.get('/web/login')).toMatchObject({ status: 302, location: '/web' });
    expect(await signIn(app.visitor(), ' CUSTOMER ')).toMatchObject({ status: 303, location: '/' });
    expect(await signIn(app.visitor(), 'customer', PASSWORD, '/shop?page=2#x')).toMatchObject({
      location: '/shop?page=2#x',
    });
  });

  it('sends visitors of pages for users to the sign-in page and back', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    const { status, location } = await app.get('/web/account?done=saved');
    expect({ status, location }).toEqual({
      status: 303,
      location: '/web/login?redirect=%2Fweb%2Faccount%3Fdone%3Dsaved',
    });
    expect((await app.get(location ?? '')).text).toMatch(/name="redirect" value="\/web\/account\?done(=|&#x3D;)saved"/);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/%2f%2fevil.example',
    '\t//evil.example',
  ])('never leads away from the site: %j', async (redirect) => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    expect((await signIn(app, 'customer', PASSWORD, redirect)).location).toBe('/');
    expect((await app.get(`/web/login?redirect=${encodeURIComponent(redirect)}`)).location).toBe('/');
    expect((await app.form('/web/logout', { redirect })).location).toBe('/');
    const page = await app.get(`/web/login?redirect=${encodeURIComponent(redirect)}`);
    expect(page.text).toContain('name="redirect" value="/"');
  });

  it('says the same for a wrong password and for a login nobody has, and keeps what was typed but the password', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    const wrong = await signIn(app.visitor(), 'customer', 'wrong password');
    const nobody = await signIn(app.visitor(), 'customes', 'wrong password');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Wrong email or password.');
    expect(wrong.text).toContain('value="customer"');
    expect(wrong.text).not.toContain('wrong password');
    expect(nobody.text).toBe(wrong.text.replace('value="customer"', 'value="customes"'));
    const names = (headers: Headers) => [...headers.keys()].sort();
    expect(names(nobody.headers)).toEqual(names(wrong.headers));
  });

  it('is not for disabled users, nor for those without a password', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'gone');
    await makeUser(app, 'invited', { password: null });
    await app.write((ctx) => ctx.model(User).write(id, { active: false }));
    expect((await signIn(app.visitor(), 'gone')).status).toBe(422);
    expect((await signIn(app.visitor(), 'invited', '')).status).toBe(422);
    expect((await signIn(app.visitor(), 'invited', 'anything')).status).toBe(422);
  });

  it('gives the session a new id, and the old one is nobody', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    await makeUser(app, 'other');
    await signIn(app, 'other');
    const before = app.cookie('session_id');
    expect(before).toBeDefined();
    await signIn(app, 'customer');
    const after = app.cookie('session_id');
    expect(after).not.toBe(before);
    const old = await app.visitor().get('/web/account', { headers: { cookie: `session_id=${before}` } });
    expect(old.status).toBe(303);
  });

  it('ends with a POST only; the page has the button', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'customer');
    for (const path of ['/web/logout', '/web/session/logout']) {
      await signIn(app, 'customer');
      const page = await app.get(path);
      expect(page.text).toMatch(/<form[^>]+method="post" action="\/web\/logout"/);
      expect(await uidOf(app)).toBe(id);
      const old = app.cookie('session_id');
      expect(await app.form(path)).toMatchObject({ status: 303, location: '/' });
      expect(await uidOf(app)).toBeNull();
      const again = await app.visitor().get('/web/account', { headers: { cookie: `session_id=${old}` } });
      expect(again.status).toBe(303);
    }
  });

  it('is refused when another site sends the form, or the token is missing', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    const body = new URLSearchParams({ login: 'customer', password: PASSWORD });
    const headers = { Origin: 'https://evil.example' };
    expect((await app.post('/web/login', { body, headers })).status).toBe(403);
    expect((await app.post('/web/login', { body })).status).toBe(403);
    await signIn(app, 'customer');
    const empty = new URLSearchParams({ csrf_token: '' });
    expect((await app.post('/web/logout', { body: empty, headers: { Origin: app.url } })).status).toBe(403);
  });

  it('is limited to ten tries a minute for an account, whether it exists or not, and tells when to try again', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    for (const login of ['customer', 'nobody']) {
      const statuses: number[] = [];
      let last = await signIn(app.visitor(), login, 'wrong');
      for (let tries = 0; tries < 10; tries++) {
        statuses.push(last.status);
        last = await signIn(app.visitor(), login, 'wrong');
      }
      expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
      expect(last.status).toBe(429);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(last.text).toContain('You’ve tried too many times');
    }
  });

  it('is noted with the user', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'customer');
    await signIn(app, 'customer');
    const { login_date } = await app.read((ctx) => ctx.model(User).get(id, { select: { login_date: true } }));
    expect(Date.now() - (login_date?.getTime() ?? 0)).toBeLessThan(60_000);
  });
});
