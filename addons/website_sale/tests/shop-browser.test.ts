import { setTimeout as sleep } from 'node:timers/promises';
import { SaleOrder } from '@pergola/sale';
import { createTestApp, expectAccessible, runTour, type TestApp, withBrowser } from 'pergola/testing';
import { buyProduct } from '../tours/buy-product.ts';
import { address, fill } from './kit.ts';

describe('the shop in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], demo: true });
    await app.runJobs();
  });
  afterAll(() => app.close());

  /** How often in a row the tour is walked. */
  const times = Number(process.env.TOURS ?? 1);
  it(
    `the tour buys a product, ${times} times in a row and twice at once, on quiet pages`,
    async () => {
      const walk = async (): Promise<void> => {
        const { page, trouble } = await browser.openPage({ baseUrl: app.url });
        await runTour(page, buyProduct);
        expect(await page.locator('.shop-thanks').textContent()).toBe('Thank you for your order');
        expect(trouble).toMatchObject({ consoleErrors: [], pageErrors: [] });
        await page.close();
      };
      for (let round = 1; round < times; round += 1) await walk();
      await Promise.all([walk(), walk()]);
    },
    120_000 + 30_000 * times,
  );

  it('the site’s name is whole beside the cart where a page is seen four times as large; forced colours show what is ticked', async () => {
    const { page } = await browser.openPage({ width: 320, height: 640, baseUrl: app.url });
    await page.goto('/shop');
    const name = page.locator('[data-slot=brand-name]');
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    // The focus goes from sign to sign as the eye does.
    await page.locator('[data-slot=search-toggle]').focus();
    const places: number[] = [];
    for (let step = 0; step < 3; step += 1) {
      await page.keyboard.press('Tab');
      places.push((await page.locator(':focus').boundingBox())?.x ?? 0);
    }
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ forcedColors: 'active' });
    const box = page.locator('.shop-facet input[type=checkbox]').first();
    const plain = await box.screenshot();
    await box.evaluate((input) => Object.assign(input, { checked: true }));
    expect((await box.screenshot()).equals(plain)).toBe(false);
  });

  it('products out of sight load no picture when a pointer comes to the list, which lives from then on', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/shop', { waitUntil: 'networkidle' });
    const pictures: string[] = [];
    page.on('request', (request) => request.resourceType() === 'image' && pictures.push(request.url()));
    await page.locator('#shop-count').hover();
    await page.waitForFunction(() => window.onpageshow !== null);
    await sleep(500);
    expect(pictures).toEqual([]);
    await page.selectOption('#shop-order', { index: 1 });
    await page.waitForURL('**/shop?order=*');
  });

  it('what the cart counts down has its place before the page lives, however wide it is', async () => {
    const client = app.visitor();
    const can = (await client.get('/shop?search=watering')).text;
    const { text } = await client.get(/\/shop\/product\/watering-can-\d+/.exec(can)?.[0] ?? '');
    await fill(app, client, Number(/"variants":\[\[(\d+)/.exec(text)?.[1]));
    const { page } = await browser.openPage({ baseUrl: app.url, client });
    await page.goto('/shop/cart');
    const left = page.locator('.shop-hold-left', { hasText: /\d:\d\d/ });
    const moved = await left.evaluate((span) => {
      const hold = span.closest<HTMLElement>('.shop-hold');
      const heights = (): (number | undefined)[] =>
        Array.from({ length: 30 }, (_, step) => {
          if (hold) hold.style.width = `${280 + step * 10}px`;
          return hold?.offsetHeight;
        });
      const living = heights();
      span.replaceChildren();
      const before = heights();
      return living.filter((height, step) => height !== before[step]);
    });
    expect(moved).toEqual([]);
  });

  it.each([
    [360, true, '/fr'],
    [1280, false, ''],
  ])('is accessible and quiet, %i pixels wide (dark: %s)', async (width, dark, lang) => {
    const { page, expectNoTrouble } = await browser.openPage({ width, height: 800, dark, baseUrl: app.url });
    const look = async (path: string): Promise<void> => {
      await page.goto(lang + path);
      await expectNoTrouble();
      await expectAccessible(page);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    };
    await look('/shop');
    await look('/shop?view=list&search=a');
    await page.goto(`${lang}/shop`);
    await page.locator('.oe_product_cart a.stretched-link').first().click();
    await page.waitForSelector('#product_detail');
    await expectAccessible(page);
    await page.locator('.shop-colours label').nth(2).click();
    await page.waitForSelector('.shop-attribute label.css_not_available');
    // The large picture comes so late that what moves then is no answer to the press.
    await page.route('**/2400x2400*', async (route) => {
      await sleep(700);
      await route.continue();
    });
    await page.locator('[data-zoom]').first().click();
    await page.locator('[data-zoom-dialog][open] .shop-zoom-frame:not(.is-waiting)').waitFor();
    await expectAccessible(page);
    await expectNoTrouble();
    await page.keyboard.press('Escape');
    await page.locator('#add_to_cart').click();
    await page.locator('[data-slot=mini-cart] li').waitFor();
    expect(await page.locator('.my_cart_quantity').textContent()).toBe('1');
    await expectAccessible(page);
    await page.locator('[data-slot=mini-cart] a[href$="/shop/cart"]').click();
    await page.waitForURL('**/shop/cart');
    await look('/shop/cart');
    await look('/shop/checkout');
    for (const [name, value] of Object.entries(address)) if (name !== 'shipping_id') await page.fill(`#${name}`, value);
    await page.selectOption('#country_id', { value: String(await app.read((ctx) => ctx.ref('base.be'))) });
    await page.locator('.a-submit').press('Enter');
    await page.waitForURL('**/shop/payment');
    await expectNoTrouble();
    await expectAccessible(page);
    await page.locator('#payment_method input[type=radio]').first().press(' ');
    await page.locator('.oe_sale_acquirer_button:not([data-hidden]) button').press('Enter');
    await page.locator('.shop-thanks').waitFor();
    await expectAccessible(page);
  });

  it('a line that was taken out in another tab is gone from the cart when one changes it', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto('/shop?search=apron');
    await page.locator('.oe_product_cart a.stretched-link').first().click();
    await page.locator('#add_to_cart').click();
    await page.locator('[data-slot=mini-cart] a[href$="/shop/cart"]').click();
    await page.waitForURL('**/shop/cart');
    const other = await page.context().newPage();
    await other.goto('/shop/cart');
    await other.locator('[data-slot=cart-line] .js_delete_product').first().click();
    await other.locator('[data-slot=cart-line]').waitFor({ state: 'detached' });
    await page.locator('a.js_add_cart_json[data-step="1"]').first().click();
    await page.waitForURL('**/shop/cart?note=changed');
    expect(await page.locator('main').textContent()).toContain('Something in your cart has changed.');
    expect(await page.locator('[data-slot=cart-line]').count()).toBe(0);
    expect(await page.locator('.my_cart_quantity').isVisible()).toBe(false);
  });

  it('two tabs that put the first thing in the cart at the same moment begin one cart', async () => {
    const carts = () =>
      app.read((ctx) => ctx.model(SaleOrder).find([['is_cart', '=', true]], { select: { cart_quantity: true } }));
    const before = new Set((await carts()).map(({ id }) => id));
    const { page } = await browser.openPage({ baseUrl: app.url });
    const tabs = [page, await page.context().newPage()];
    const answers = tabs.map((tab) => tab.waitForResponse('**/shop/cart/update_json'));
    for (const [index, tab] of tabs.entries()) {
      await tab.goto('/shop?search=apron');
      await tab.goto(
        (await tab
          .locator('.oe_product_cart a.stretched-link')
          .nth(index === 0 ? 0 : -1)
          .getAttribute('href')) ?? '',
      );
      await tab.locator('#add_to_cart').waitFor();
      // So that the island is awake when it is pressed.
      await tab.locator('#add_to_cart').hover();
      await tab.waitForLoadState('networkidle');
    }
    await Promise.all(
      tabs.map((tab) => tab.locator('#add_to_cart').evaluate((button) => (button as HTMLElement).click())),
    );
    await Promise.all(answers);
    expect((await carts()).filter(({ id }) => !before.has(id))).toMatchObject([{ cart_quantity: 2 }]);
  });

  it('who filters by keyboard goes on where they were, on a page that begins at its top', async () => {
    const { page } = await browser.openPage({ width: 1280, height: 800, baseUrl: app.url });
    await page.goto('/shop');
    const box = page.locator('.shop-facet input[type=checkbox]').last();
    const id = await box.getAttribute('id');
    await box.focus();
    await page.keyboard.press('Space');
    await page.waitForURL('**/shop?attrib=*');
    await page.waitForLoadState();
    expect(await page.evaluate(() => [document.activeElement?.id, scrollY])).toEqual([id, 0]);
    await page.locator('#shop-order').focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL('**/shop?*order=*');
    await page.waitForLoadState();
    expect(await page.evaluate(() => [document.activeElement?.id, scrollY])).toEqual(['shop-order', 0]);
  });

  it('in the drawer of a phone filters are chosen one after the other, and shown at once', async () => {
    const { page, expectNoTrouble } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
    await page.goto('/shop');
    await page.locator('.shop-side-toggle').click();
    const show = page.locator('[data-slot=apply]');
    await show.filter({ hasText: 'Show 40 products' }).waitFor();
    await page.locator('.shop-facet-values label', { hasText: 'Leaf green' }).click();
    await show.filter({ hasText: 'Show 5 products' }).waitFor();
    await page.locator('.shop-facet-values label', { hasText: 'Sky blue' }).click();
    await show.filter({ hasText: 'Show 6 products' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await expectAccessible(page);
    await show.click();
    await page.waitForURL('**/shop?attrib=*&attrib=*');
    expect(await page.locator('#shop-count').textContent()).toBe('6 products');
    await expectNoTrouble();
  });

  it.each([
    ['fetches the picture that its page shows', false],
    ['fetches nothing for those who save data', true],
  ])('a pointer that rests on a product %s', async (_, savesData) => {
    const { page, trouble } = await browser.openPage({ width: 1280, height: 800, baseUrl: app.url });
    await page.addInitScript((saveData) => {
      Object.defineProperty(navigator, 'connection', { value: { saveData } });
    }, savesData);
    await page.goto('/shop', { waitUntil: 'networkidle' });
    const product = page.locator('.oe_product_cart a.stretched-link').first();
    const { text } = await app.get((await product.getAttribute('href')) ?? '');
    // The one that fits its place in a window of this width.
    const picture = /class="product_detail_img"[^>]*[ "](\/web\/image\/[^" ]*\/640x640[^" ]*) /.exec(text)?.[1] ?? '';
    const asked = page.waitForRequest(app.url + picture, { timeout: savesData ? 1000 : 60_000 }).then(
      () => true,
      () => false,
    );
    await product.hover();
    expect(await asked).toBe(!savesData);
    await product.click();
    await page.waitForURL('**/shop/product/**');
    // It is the one that is shown.
    const shown = page.locator('.product_detail_img').first();
    expect(await shown.evaluate(({ currentSrc }: HTMLImageElement) => currentSrc)).toBe(app.url + picture);
    expect(trouble).toMatchObject({ consoleErrors: [], pageErrors: [] });
  });

  it.each([360, 640, 800, 1280])('leaves no hole in the last row, %i pixels wide', async (width) => {
    const { page } = await browser.openPage({ width, height: 800, baseUrl: app.url });
    for (const path of ['/shop', '/shop?page=2', '/shop?search=seeds']) {
      await page.goto(path);
      const [right, last] = await page.evaluate(() => {
        const grid = document.querySelector('.shop-grid')?.getBoundingClientRect();
        const cards = [...document.querySelectorAll('.shop-grid > *')].map((card) => card.getBoundingClientRect());
        const bottom = Math.max(...cards.map((card) => card.top));
        const row = cards.filter((card) => Math.abs(card.top - bottom) < 5);
        const isOnly = cards.every((card) => Math.abs(card.top - bottom) < 5);
        return [isOnly ? 0 : (grid?.right ?? 0), isOnly ? 0 : Math.max(...row.map((card) => card.right))];
      });
      expect({ path, last: Math.round(last ?? 0) }).toEqual({ path, last: Math.round(right ?? 0) });
    }
  });

  it('without JavaScript one chooses, changes the cart, orders and pays', async () => {
    const { page } = await browser.openPage({ baseUrl: app.url, javaScript: false });
    await page.goto('/shop?search=apron');
    await page.locator('.oe_product_cart a.stretched-link').first().click();
    await page.locator('.shop-attribute label', { hasText: 'L' }).last().click();
    await page.locator('#add_to_cart').click();
    expect(await page.locator('#cart_products').textContent()).toContain('Linen apron');
    await page.locator('#cart_products input.js_quantity').fill('2');
    await page.locator('#cart_products noscript button, #cart_products button', { hasText: 'Update' }).first().click();
    expect(await page.locator('.my_cart_quantity').textContent()).toBe('2');
    await page.locator('a', { hasText: 'Process Checkout' }).click();
    await page.fill('#name', 'Ada');
    await page.fill('#email', 'ada@example.org');
    await page.fill('#phone', '+32 2 555 12 12');
    await page.fill('#street2', '1 Lane');
    await page.fill('#zip', '1000');
    await page.fill('#city', 'Brussels');
    await page.selectOption('#country_id', { label: 'Belgium' });
    await page.locator('button', { hasText: 'Confirm' }).click();
    await page.locator('.oe_sale_acquirer_button button').first().click();
    await page.locator('[data-slot=payment-form] button').click();
    expect(await page.locator('.shop-thanks').textContent()).toBe('Thank you for your order');
  });
});
