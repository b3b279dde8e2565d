import chroma from 'chroma-js';
import { createTestApp, expectAccessible, type TestApp, withBrowser } from 'pergola/testing';
import { shippedLooks } from '../look/shipped.ts';
import { Website } from '../models/website.ts';
import { WebsiteMenu } from '../models/website-menu.ts';

/** Computed colour: `rgb(6, 21, 15)`, or `color(srgb 0.1 0.2 0.2)` for mixed colours. */
function painted(text: string): chroma.Color {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return text.startsWith('color(') ? chroma.gl(red, green, blue) : chroma(red, green, blue);
}

describe('pages in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], demo: true });
    await app.write(async (ctx) => {
      const parent_id = await ctx.model(WebsiteMenu).create({
        name: { en_US: 'More', fr_FR: 'Plus' },
        parent_id: await ctx.ref('website.main_menu'),
      });
      await ctx.model(WebsiteMenu).create([
        { name: 'One', url: '/legal', parent_id },
        { name: 'Two', url: '/website/contact', parent_id },
      ]);
    });
  });
  afterAll(() => app.close());

  it.each([
    [360, false],
    [360, true],
    [1280, false],
    [1280, true],
  ])('are accessible and quiet, %i pixels wide (dark: %s), in both languages', async (width, dark) => {
    const { page, expectNoTrouble } = await browser.openPage({ width, height: 760, dark, baseUrl: app.url });
    for (const path of ['/contactus', '/fr/contactus', '/legal', '/fr/website/contact/sent']) {
      await page.goto(path);
      await expectNoTrouble();
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    }
  });

  it.each((shippedLooks.palettes ?? []).map(({ id }) => id))(
    'boxes that say something are of the site’s own colours, stand out from the ground, and can be read: %s',
    async (palette) => {
      await app.write((ctx) => ctx.model(Website).write(1, { look: { palette } }));
      for (const dark of [false, true]) {
        const { page } = await browser.openPage({ width: 1280, dark, baseUrl: app.url });
        await page.goto('/legal');
        const colours = await page.evaluate(() => {
          const kinds = ['primary', 'secondary', 'success', 'info', 'warning', 'danger'];
          const boxes = kinds.map((kind) => {
            const box = Object.assign(document.createElement('div'), { className: `alert alert-${kind}` });
            box.innerHTML =
              '<a href="/">A link</a> <small class="text-body-secondary">Less</small> <button class="btn btn-outline-secondary">Do</button>';
            document.body.append(box);
            return [kind, box, [box, ...box.children]] as const;
          });
          const colourOf = (element: Element, name: 'color' | 'backgroundColor') => getComputedStyle(element)[name];
          const ground = colourOf(document.body, 'backgroundColor');
          const paletteColours = ['--bs-secondary-bg', '--bs-primary'].map((name) =>
            getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
          );
          return boxes.map(([kind, box, texts]) => ({
            kind,
            ground,
            own: paletteColours,
            box: colourOf(box, 'backgroundColor'),
            inks: texts.map((element) => colourOf(element, 'color')),
          }));
        });
        for (const { kind, ground, own: paletteColours, box, inks } of colours) {
          const weakest = Math.min(...inks.map((ink) => chroma.contrast(painted(ink), painted(box))));
          const isLighter = painted(box).luminance() > painted(ground).luminance();
          expect([kind, isLighter, weakest >= 4.5]).toEqual([kind, dark, true]);
          // Between the surface and the strong colour of the palette.
          const [surface = '', primary = ''] = paletteColours;
          if (kind === 'info')
            expect(chroma.deltaE(painted(box), chroma.mix(surface, primary, 0.08, 'rgb'))).toBeLessThan(1);
        }
      }
      await app.write((ctx) => ctx.model(Website).write(1, { look: {} }));
    },
  );

  it('a form that was refused begins at what is wrong; forced colours show where the focus is, and where one is', async () => {
    const { page } = await browser.openPage({ width: 320, height: 640, baseUrl: app.url });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/website/contact');
    await page.locator('main form button[type=submit]').press('Enter');
    await page.locator('#contact-name:focus[aria-invalid=true]').waitFor();
    const ring = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        (element as HTMLElement).focus();
        return getComputedStyle(element).outlineStyle;
      });
    for (const selector of ['#contact-name', '[data-slot=menu-toggle]', 'main form button[type=submit]'])
      expect({ selector, ring: await ring(selector) }).toEqual({ selector, ring: 'solid' });
    const ground = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await ground('.site-nav [aria-current]')).not.toBe(await ground('.site-nav a:not([aria-current])'));
    // The site's name isn't cut off with wider letter spacing.
    const name = page.locator('[data-slot=brand-name]');
    await page
      .addStyleTag({ content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' })
      .catch(() => {});
    expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
  });

  it.each([
    [360, true, '/fr/countries'],
    [1280, false, '/countries'],
  ])('columns and the publish toggle are for everybody, %i pixels wide (dark: %s)', async (width, dark, path) => {
    const client = await app.as('editor');
    const { page, expectNoTrouble } = await browser.openPage({ width, height: 760, dark, baseUrl: app.url, client });
    await page.goto(path);
    await expectNoTrouble();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const column = page.locator('.js_kanban_col').first();
    await column.locator('a[data-step=next]').press('Enter');
    await column.locator('.page-item.active', { hasText: '2' }).waitFor();
    const toggle = page.locator('.js_publish_btn').first();
    for (const state of ['css_unpublished', 'css_published']) {
      await toggle.press('Enter');
      await page.locator(`.js_publish_management.${state}`).first().waitFor();
      await expectAccessible(page);
    }
    await expectNoTrouble({ layoutShift: 1 });
  });

  it('on a phone the menu is a panel that opens, closes and works by keyboard', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
    await page.goto('/contactus');
    const link = page.locator('#site-menu a[href="/legal"]');
    await link.waitFor({ state: 'hidden' });
    await page.locator('[data-slot=menu-toggle]').focus();
    await page.keyboard.press('Enter');
    await page.locator('#site-menu summary', { hasText: 'More' }).press('Enter');
    await link.waitFor();
    await expectAccessible(page);
    await page.locator('#site-menu .site-menu-close').click();
    await link.waitFor({ state: 'hidden' });
    await page.locator('[data-slot=menu-toggle]').click();
    await page.locator('#site-menu summary', { hasText: 'More' }).click();
    // Elements below an open menu stay at the pressed position.
    await page.locator('#site-menu .site-menu-languages summary').click();
    await page.locator('#site-menu').getByRole('link', { name: 'Français' }).waitFor();
    await link.click();
    await page.waitForURL('**/legal');
    await expectNoTrouble();
  });

  it('what lies over the page closes when the focus leaves it; Escape closes the innermost, and gives the focus back', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
    await page.goto('/contactus');
    const [menu, toggle] = [page.locator('#site-menu'), page.locator('[data-slot=menu-toggle]')];
    const isOn = (selector: string) =>
      page.evaluate((where) => document.activeElement?.closest(where) != null, selector);
    await toggle.press('Enter');
    await menu.locator('.site-menu-close:focus').waitFor();
    for (let step = 0; step < 20 && (await isOn('#site-menu')); step++) await page.keyboard.press('Tab');
    expect(await isOn('#site-menu')).toBe(false);
    expect(await menu.isVisible()).toBe(false);
    await toggle.press('Enter');
    const more = menu.locator('summary', { hasText: 'More' });
    await more.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect([await more.evaluate((summary) => summary.matches(':focus')), await menu.isVisible()]).toEqual([true, true]);
    await page.keyboard.press('Escape');
    expect([await isOn('[data-slot=menu-toggle]'), await menu.isVisible()]).toEqual([true, false]);
    const search = page.locator('#site-search');
    await page.locator('[data-slot=search-toggle]').press('Enter');
    await search.getByRole('combobox').fill('con');
    await search.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    expect([await search.getByRole('option').count(), await search.isVisible()]).toEqual([0, true]);
    await page.keyboard.press('Escape');
    expect([await isOn('[data-slot=search-toggle]'), await search.isVisible()]).toEqual([true, false]);
    // Enter submits the form, with suggestions open and before they appear.
    await page.locator('[data-slot=search-toggle]').press('Enter');
    await search.getByRole('combobox').fill('conta');
    await search.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=conta');
    await page.locator('[data-slot=search-toggle]').press('Enter');
    await search.getByRole('combobox').fill('cont');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=cont');
    await expectNoTrouble();
  });

  it('on a wide screen menus open below their entry, and close when somebody looks elsewhere', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/contactus');
    const more = page.locator('#site-menu summary', { hasText: 'More' });
    const link = page.locator('#site-menu a[href="/legal"]');
    await more.click();
    expect(await link.isVisible()).toBe(true);
    await page.locator('.site-header-tools [data-slot=languages] summary').click();
    expect(await link.isVisible()).toBe(false);
    await page.mouse.click(5, 500);
    expect(await page.locator('details[open]').count()).toBe(0);
    await more.press('Enter');
    expect(await link.isVisible()).toBe(true);
    await link.focus();
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectNoTrouble();
  });

  it('the language changes where one is, the place in the page included', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/contactus?x=1#contact-form');
    await page.locator('.site-header-tools [data-slot=languages] summary').click();
    await page.locator('.site-header-tools [data-slot=languages] a[hreflang=fr]').click();
    await page.waitForURL(`${app.url}/fr/contactus?x=1#contact-form`);
    await page.goto('/legal');
    expect(new URL(page.url()).pathname).toBe('/fr/legal');
    await page.locator('.site-header-tools [data-slot=languages] summary').click();
    await page.locator('.site-header-tools [data-slot=languages] a[hreflang=en]').click();
    await page.waitForURL(`${app.url}/legal`);
    await expectNoTrouble();
  });

  it('a browser that speaks French begins in French', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, locale: 'fr-FR' });
    await page.goto('/contactus');
    expect(new URL(page.url()).pathname).toBe('/fr/contactus');
    expect(await page.locator('html').getAttribute('lang')).toBe('fr-FR');
  });

  it('without JavaScript there are menus, languages and the contact form', async () => {
    const { page } = await browser.openPage({ width: 360, baseUrl: app.url, javaScript: false });
    await page.goto('/contactus');
    await page.locator('[data-slot=menu-toggle]').click();
    expect(await page.locator('#site-menu .site-nav-link').first().isVisible()).toBe(true);
    await page.locator('#site-menu .site-menu-close').click();
    await page.locator('[data-slot=contact-send]').click();
    await page.waitForURL('**/website/contact');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(4);
    await expectAccessible(page);
  });
});
