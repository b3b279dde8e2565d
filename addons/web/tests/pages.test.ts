import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from 'pergola/http';
import { createTestApp, someDatabase } from 'pergola/testing';
import { makeUser } from './kit.ts';

someDatabase('The layout', (database) => {
  it('has a skip link, one main, the user’s menu and the anchors that other addons change', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { text } = await app.get('/web/login');
    for (const slot of [
      'root',
      'head',
      'title',
      'body',
      'header',
      'header-bar',
      'brand',
      'header-tools',
      'main',
      'footer',
      'footer-bar',
      'sign-in',
    ]) {
      expect(text.match(new RegExp(`data-slot="${slot}"`, 'g'))).toHaveLength(1);
    }
    expect(text).toMatch(/<a class="skip-link" href="#main"/);
    expect(text).toMatch(/<html lang="en-US"/);
    expect(text.match(/<script>/g)).toHaveLength(1);
    // The only script in the page records presses until the others have run.
    expect(text).not.toMatch(
      /<script(?!>\{let p=new Set)(?! data-zone="[\w/]+">\{let z=)(?![^>]*(type="importmap"|type="application\/json"|src=))/,
    );
  });

  it('shows who is signed in, the backend to employees only, and signs out by a form', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    await makeUser(app, 'customer');
    const employee = (await (await app.as('employee')).get('/web/account')).text;
    expect(employee).toContain('Name of employee');
    expect(employee).toContain('data-slot="user-menu-backend"');
    expect(employee).toMatch(/<form method="post" action="\/web\/logout"><input type="hidden" name="csrf_token"/);
    const customer = (await (await app.as('customer')).get('/web/account')).text;
    expect(customer).not.toContain('user-menu-backend');
  });

  it('keeps nothing of one user for another', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    await makeUser(app, 'bob');
    const [ada, bob] = [await app.as('ada'), await app.as('bob')];
    for (const path of ['/web/account', '/web/logout', '/web/reset_password']) {
      const first = await ada.get(path);
      const second = await bob.get(path);
      expect(first.text).toContain('Name of ada');
      expect(second.text).not.toContain('Name of ada');
      expect(first.headers.get('cache-control')).toContain('no-store');
    }
    const { text } = await app.get('/web/reset_password');
    expect(text).not.toContain('Name of');
    // The header renders in one piece: browsers wait for the content after it.
    expect(text).toMatch(/<link rel="expect" href="#main" blocking="render">[\s\S]*<main id="main"/);
  });

  it('leads from the root of a site without a website to the backend', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    expect(await app.get('/')).toMatchObject({ status: 302, location: '/web' });
    expect((await app.get('/web')).location).toBe('/web/login?redirect=%2Fweb');
  });
});

someDatabase('Error pages', (database) => {
  it.each([
    ['/no/such/page', 404, 'Not found'],
    ['/web/login?redirect=1&redirect=2', 200, 'Sign in'],
    ['/web/content/abc', 404, 'Not found'],
  ])('are in the look of the site: %s', async (path, status, title) => {
    await using app = await createTestApp({ addons: ['web'], database });
    const answer = await app.get(path, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`<h1`);
    expect(answer.text).toContain(title);
    expect(answer.text).toContain('data-slot="header"');
  });

  it('say what was refused, in the language of whoever asked', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada', { lang: 'fr_FR' });
    const ada = await app.as('ada');
    const wrongMethod = await ada.post('/web/account/verify/x', { headers: { Origin: app.url } });
    expect(wrongMethod.status).toBe(404);
    expect(wrongMethod.text).toContain('<html lang="fr-FR"');
    expect(wrongMethod.text).toContain('Aller à la page d’accueil');
    const method = await ada.request('/web/account', { method: 'DELETE' });
    expect(method.status).toBe(405);
    const large = await ada.form('/web/login', { login: 'x'.repeat(2 * 1024 * 1024), password: 'x' });
    expect(large.status).toBe(413);
    expect(large.text).toContain('1 M');
  });

  it('name a reference, and nothing else, for a fault of ours', async () => {
    await using app = await createTestApp({ addons: ['web', 'fx_throws_in_route'], database });
    const path = app.application.generation
      .get(routes)
      .list()
      .find(({ addon, method }) => addon === 'fx_throws_in_route' && method === 'GET')?.path;
    const { status, text } = await app.get(path ?? '', { headers: { accept: 'text/html' } });
    expect(status).toBe(500);
    expect(text).toMatch(/Reference: <code[^>]*>[0-9a-f]{15}<\/code>/);
    expect(text).not.toMatch(/at .+\.ts:\d+|node_modules|Error:/);
  });
});

it('the page of a refused form names fields by their labels in the reader’s language, with the values of the text', async () => {
  const root = mkdtempSync(join(tmpdir(), 'refused-'));
  const addon = join(root, 'refused');
  mkdirSync(join(addon, 'i18n'), { recursive: true });
  writeFileSync(
    join(addon, 'addon.ts'),
    `import { access, defineAddon, f, InvalidInput, model, redirect, route, z } from 'pergola';
class Booking extends model('refused.booking', { hours: f.integer({ label: 'Hours', max: 4 }) }, { label: 'Booking' }) {}
const most = 'At most {most} hours at once.';
const booked = route.form('/booked', { name: 'refused.booked', writes: true, body: z.object({ hours: z.coerce.number().max(9, 'That is too long.').meta({ title: 'Hours' }) }) },
  async ({ body }) => {
    if (body.hours > 4) throw new InvalidInput(most, { params: { most: 4 }, fields: { hours: most } });
    return redirect('/');
  });
const written = route.form('/written', { name: 'refused.written', writes: true, body: z.object({ hours: z.coerce.number() }) },
  async ({ ctx, body }) => {
    await ctx.sudo().model(Booking).create({ hours: body.hours });
    return redirect('/');
  });
export default defineAddon({ name: 'refused', title: 'R', summary: 'R', version: '1.0.0', depends: ['website'], models: [Booking], access: [access(Booking, {})], routes: [booked, written] });
`,
  );
  const french = {
    Hours: 'Heures',
    'At most {most} hours at once.': 'Au plus {most} heures à la fois.',
    'That is too long.': 'C’est trop long.',
  };
  const entries = Object.entries(french).map(([id, text]) => `msgid "${id}"\nmsgstr "${text}"\n`);
  writeFileSync(
    join(addon, 'i18n/fr.po'),
    `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n${entries.join('\n')}`,
  );
  try {
    await using app = await createTestApp({ addons: ['refused'], roots: [root] });
    const faults = async (path: string, hours: string) =>
      [...(await app.form(path, { hours })).text.matchAll(/data-slot="error-field">([^<]+)</g)].map(([, text]) => text);
    expect(await faults('/booked', '12')).toEqual(['Hours: That is too long.']);
    expect(await faults('/booked', '6')).toEqual(['Hours: At most 4 hours at once.']);
    expect(await faults('/written', '6')).toEqual([expect.stringMatching(/^Hours: .*4/)]);
    expect(await faults('/fr/booked', '6')).toEqual(['Heures\u00a0: Au plus 4 heures à la fois.']);
    expect(await faults('/fr/written', '6')).toEqual([expect.stringMatching(/^Heures\u00a0: .*4/)]);
    const plain = (await app.form('/booked', { hours: '12' })).text;
    expect(plain).not.toContain('explain');
    expect(plain).not.toContain('Please correct the marked fields.');
    await using developed = await createTestApp({ addons: ['refused'], roots: [root], dev: true });
    const { text } = await developed.form('/booked', { hours: '12' });
    expect(text).toContain('More: npx pergola explain core.invalid_form');
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('under dev, a page names its template, for patches', async () => {
  await using app = await createTestApp({ addons: ['web'], dev: true });
  expect((await app.get('/web/login')).headers.get('x-pergola-template')).toBe('web.login');
});

it('a refused form comes back on its page with what is wrong', async () => {
  await using app = await createTestApp({ addons: ['web'], dev: true });
  const tooLong = { redirect: `/${'x'.repeat(5_000)}` };
  const { status, text } = await app.form('/web/logout', tooLong);
  expect(status).toBe(422);
  expect(text).toContain('action="/web/logout"');
  expect(text).toMatch(/data-form-note[^>]*>[^<]*\S/);
});
