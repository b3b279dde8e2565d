import { createTestApp, expectAccessible, type OpenPage, runTour, type TestApp, withBrowser } from 'pergola/testing';
import { makePage } from '../tours/make-page.ts';

const browser = withBrowser();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ addons: ['website'] });
});
afterAll(() => app?.close());

/** Opens a page as an editor, without motion, so that colours aren't checked during an animation. */
async function editorPage(): Promise<OpenPage> {
  return browser.openPage({ baseUrl: app.url, reducedMotion: true, client: await app.as('admin') });
}

describe('The tour “Make a page”', () => {
  it('is walked by a test, and what it made can be seen by visitors', async () => {
    const { page, expectNoTrouble } = await editorPage();
    await runTour(page, makePage);
    // Editing causes a layout shift, which is intended.
    await expectNoTrouble({ layoutShift: 1 });
    const { status, text } = await app.get('/our-garden');
    expect(status).toBe(200);
    expect(text).toContain('Our garden');
    expect(text).toContain('data-name="website.quote"');
  });

  it('guides a person through all of it', async () => {
    const { page, expectNoTrouble } = await editorPage();
    await page.goto('/#tutorial.website.make_page=true');
    for (const step of makePage.steps) {
      const note = page.locator('.tour-note', { hasText: step.title });
      await note.waitFor();
      await expectAccessible(page, { include: ['.tour-note'] });
      await note.locator('.btn-primary').click();
    }
    await page.locator('.toast-note', { hasText: 'You’ve completed the tour' }).waitFor();
    expect((await app.get(new URL(page.url()).pathname)).status).toBe(200);
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('speaks French on French pages', async () => {
    const { name, steps } = (await app.get('/website/tours/website.make_page?lang=fr_FR')).json<typeof makePage>();
    expect(name).toBe('Créer une page');
    expect(steps.every(({ title }, index) => title !== makePage.steps[index]?.title)).toBe(true);
    expect((await app.get('/fr/website/tours')).text).toContain('href="/fr#tutorial.website.make_page=true"');
  });
});
