import { createTestApp, type TestApp, withBrowser } from 'pergola/testing';

let app: TestApp;
const browser = withBrowser();
beforeAll(async () => {
  app = await createTestApp({ addons: ['fx_slots', 'web'] });
});
afterAll(() => app.close());

const asScript = { accept: 'application/json' };

describe('An action', () => {
  it('is a call and a form, with what other addons put around it', async () => {
    expect(await app.rpc('/fx_islands/add', { name: 'rose' })).toEqual({ said: 'ROSE!' });
    const answer = await app.form('/fx_islands/add/form', { name: 'rose' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/fx_islands/basket?said=ROSE!']);
  });

  it('answers a script that sends its form where it would go, and what it answered', async () => {
    const answer = await app.form('/fx_islands/add/form', { name: 'rose' }, asScript);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { location: '/fx_islands/basket?said=ROSE!', result: { said: 'ROSE!' } },
    ]);
  });

  it('may go on with a page, of which a script gets what was answered', async () => {
    expect((await app.form('/fx_islands/praise/form', { name: 'rose' })).text).toContain('ROSE');
    const answer = await app.form('/fx_islands/praise/form', { name: 'rose' }, asScript);
    expect(JSON.parse(answer.text)).toEqual({ location: null, result: { said: 'ROSE' } });
  });

  it('refuses what does not fit with the field it is about', async () => {
    await expect(app.rpc('/fx_islands/add', { name: 'a very long name' })).rejects.toThrow();
    const answer = await app.form('/fx_islands/add/form', { name: 'a very long name' }, asScript);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { code: 'core.invalid_form', fields: { name: expect.any(String) } },
    });
    expect((await app.form('/fx_islands/add/form', { name: '' })).status).toBe(422);
  });
});

describe('An island with slots, content and an action', () => {
  async function open() {
    const opened = await browser.openPage({ baseUrl: app.url, width: 800, height: 600 });
    await opened.page.goto('/fx_islands/basket');
    return opened;
  }

  it('is whole before any script, patches included', async () => {
    const { text } = await app.get('/fx_islands/basket');
    expect(text).toContain('<p data-slot="advice">Kept <b>as it is</b></p><p class="patched">Patched in</p>');
    expect(text).toContain('<button type="button" class="note">Note</button>');
    expect(text).toContain('Worth 1,234.5');
    expect(text).toMatch(/<form [^>]*action="\/fx_islands\/add\/form" method="post"/);
  });

  it('keeps its content, answers without a new page, and shows at once what will be', async () => {
    const { page, expectNoTrouble } = await open();
    await page.locator('pergola-island[data-awake]').waitFor({ state: 'attached' });
    await page.locator('.note').first().click();
    await page.getByText('first').waitFor();
    await page.route('**/add/form', async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.continue();
    });
    await page.locator('input[name=name]').fill('ash');
    await page.locator('input[name=name]').press('Enter');
    await page.getByText('ash …').waitFor();
    await page.getByText('ASH!').waitFor();
    expect(await page.locator('input[name=name]').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByText('CALLED!').waitFor();
    expect(await page.locator('.patched').textContent()).toBe('Patched in');
    expect(await page.locator('[data-slot=advice] b').textContent()).toBe('as it is');
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('says what is wrong with a field, and that there is no connection', async () => {
    const { page } = await open();
    await page.locator('pergola-island[data-awake]').waitFor({ state: 'attached' });
    await page.locator('input[name=name]').fill('a very long name');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('form [role=alert]').waitFor();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('name');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByText('Offline').waitFor();
    expect(await page.locator('.toast-note').textContent()).toContain('Couldn’t reach the server');
  });

  it('does what was typed and pressed before it was awake', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    let letThrough = (): void => {};
    const wanted = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route('**/basket.*.js', async (route) => {
      await wanted;
      await route.continue();
    });
    await page.goto('/fx_islands/basket', { waitUntil: 'domcontentloaded' });
    await page.locator('pergola-island').waitFor({ state: 'attached' });
    await page.locator('input[name=name]').pressSequentially('elm');
    await page.getByRole('button', { name: 'Add' }).click();
    letThrough();
    await page.getByText('ELM!').waitFor();
    expect(page.url()).toMatch(/basket$/);
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('speaks the language of the page, the slots of other addons too', async () => {
    const admin = await app.as('admin');
    await app.write(async (ctx) => {
      const users = ctx.modelNamed('res.users');
      await users.write(await users.search([['login', '=', 'admin']]), { lang: 'fr_FR' });
    });
    const { text } = await admin.get('/fx_islands/basket');
    expect(text).toContain('Remarque');
    expect(text).toMatch(/Vaut 1\s234,5/);
    expect(text).toMatch(/<pergola-token><input type="hidden" name="csrf_token" value="[^"]+"><\/pergola-token>/);
    expect(text).toMatch(/id="pergola-session">\{"user":\d+\}</);
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url, client: admin });
    await page.goto('/fx_islands/basket');
    await page.locator('section[data-user]').waitFor();
    await page.locator('input[name=name]').fill('oak');
    await page.locator('input[name=name]').press('Enter');
    await page.getByText('OAK!').waitFor();
    expect(await page.locator('.note').first().textContent()).toBe('Remarque');
    await expectNoTrouble({ layoutShift: 1 });
  });
});
