import { Website, WebsitePage } from '@pergola/website';
import { createTestApp, expectAccessible, type Mailbox, openMailbox, type TestApp, withBrowser } from 'pergola/testing';
import { linkIn } from './kit.ts';

describe('The subscription widget in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['mass_mailing'], demo: true, env: { SMTP_URL: mailbox.url } });
    await app.write((ctx) =>
      ctx.model(WebsitePage).create({
        name: 'Widget',
        url: '/widget',
        content: '<div data-block="mass_mailing.subscribe" data-options="{}"></div>',
        website_published: true,
      }),
    );
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  it('marks what is no address, tells what comes next, and knows who is subscribed', async () => {
    await app.runJobs();
    mailbox.clear();
    const address = `ada-${Date.now()}@example.org`;
    const { page, expectNoTrouble } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
    await page.goto('/widget');
    const widget = page.locator('main .js_subscribe').first();
    const email = widget.locator('.js_subscribe_email');
    await page.waitForLoadState('networkidle');
    await email.fill('nothing');
    await widget.locator('.js_subscribe_btn').click();
    await widget.locator('.invalid-feedback').first().waitFor();
    expect(await widget.getAttribute('class')).toContain('has-error');
    await expectAccessible(page);
    await email.fill(address);
    await email.press('Enter');
    await widget.locator('.alert').waitFor();
    expect(await widget.locator('.alert').textContent()).toContain('Open its link');
    expect(await email.isDisabled()).toBe(true);
    expect(await widget.locator('.js_subscribe_btn').isVisible()).toBe(false);
    expect(await widget.locator('.js_subscribed_btn').isVisible()).toBe(true);
    await expectAccessible(page);
    await app.runJobs();
    await page.goto(linkIn(mailbox.received()[0], 'confirm'));
    await page.getByRole('button', { name: 'Yes, subscribe me' }).click();
    await page.getByText('You’re subscribed').waitFor();
    await page.goto('/widget');
    await widget.locator('.js_subscribed_btn').waitFor();
    expect(await email.inputValue()).toBe(address);
    await expectNoTrouble();
  });

  it('can be read at the foot of a page, and nothing lies on what is there', async () => {
    const write = (footer: string) =>
      app.write((ctx) =>
        ctx.model(Website).write(1, { look: { footer }, social_github: 'https://github.com/example' }),
      );
    await write('website.strong_footer');
    const { page } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
    await page.goto('/');
    const footer = page.locator('.site-footer');
    const white = await footer.evaluate((element) => getComputedStyle(element).color);
    const placeholder = await footer
      .locator('input[type=email]')
      .evaluate((input) => getComputedStyle(input, '::placeholder').color);
    expect(placeholder).not.toBe(white);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.locator('.back-to-top[data-shown]').waitFor();
    const top = (await page.locator('.back-to-top').boundingBox())?.y ?? 0;
    const last = (await footer.locator('.site-footer-legal').boundingBox()) ?? { y: 0, height: 0 };
    expect(last.y + last.height).toBeLessThanOrEqual(top);
    await write('website.centred_footer');
    await page.reload();
    const empty = await footer.locator('.site-footer-news').evaluate((news) => {
      const [outer, inner] = [news, news.lastElementChild ?? news].map((one) => one.getBoundingClientRect().bottom);
      return (outer ?? 0) - (inner ?? 0);
    });
    expect(empty).toBeLessThan(16);
    const account = await footer.locator('.site-social').getByRole('link').boundingBox();
    expect((account?.x ?? 0) + (account?.width ?? 0) / 2).toBeCloseTo(360 / 2, 0);
    await write('website.columns');
  });

  it.each([
    [360, true, '/fr/newsletter'],
    [1280, false, '/newsletter'],
  ])('is for everybody on the page of the newsletter, %i pixels wide (dark: %s)', async (width, dark, path) => {
    const { page, expectNoTrouble } = await browser.openPage({ width, dark, baseUrl: app.url });
    await page.goto(path);
    await expectNoTrouble();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  it('works without JavaScript, in French and in the dark', async () => {
    const { page } = await browser.openPage({
      width: 360,
      dark: true,
      javaScript: false,
      locale: 'fr-FR',
      baseUrl: app.url,
    });
    await page.goto('/fr/newsletter');
    await page.locator('[data-slot=newsletter] [name=list_id]').last().check();
    await page.locator('.js_subscribe_email').first().fill('nothing');
    await page.locator('.js_subscribe_btn').first().click();
    expect(await page.locator('.js_subscribe.has-error').count()).toBe(1);
    await page.locator('.has-error .js_subscribe_email').fill('eve@example.org');
    await page.locator('.has-error .js_subscribe_btn').click();
    expect(await page.locator('main [role=status]').textContent()).toContain('e-mail');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
