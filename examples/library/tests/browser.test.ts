import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';

describe('In a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['library'], demo: true });
  });
  afterAll(() => app?.close());

  it('a reader finds a book, reserves it and changes their mind, on a phone and in the dark', async () => {
    // A user who reads English: the demo customer reads French.
    const client = await app.as('editor');
    const { page, expectNoTrouble } = await browser.openPage({ width: 360, dark: true, baseUrl: app.url, client });
    await page.goto('/library');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Garden', exact: true }).click();
    await page.getByRole('link', { name: 'Bees at Home' }).click();
    await page.getByRole('button', { name: 'Reserve' }).click();
    await page.getByText('A copy is kept for you.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel the reservation' }).click();
    await page.getByText('Free copies: 1').waitFor();
    await expectNoTrouble();
  });

  it('a librarian hands out what is kept', async () => {
    const reader = await app.as('portal');
    const id = await app.read((ctx) => ctx.ref('library.demo_bees'));
    await reader.rpc(`/library/bees-at-home-${id}/reserve`);
    const { page } = await browser.openPage({ baseUrl: app.url, client: await app.as('admin') });
    await page.goto('/web');
    await page.getByRole('link', { name: 'Library' }).first().click();
    await page.getByRole('link', { name: 'Reservations' }).click();
    await page.getByText('Bees at Home, Jo Martin').click();
    await page.getByRole('button', { name: 'Hand out' }).click();
    await page.getByRole('button', { name: 'Hand out' }).waitFor({ state: 'detached' });
    expect((await app.get(`/library/bees-at-home-${id}`)).text).toContain('Free copies: 0');
    await expectAccessible(page);
  });
});
