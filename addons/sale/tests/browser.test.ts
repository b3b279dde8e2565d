import type { Ctx, Id } from 'pergola';
import { createTestApp, expectAccessible, type TestApp, until, withBrowser } from 'pergola/testing';
import { Payments } from '../services/payment/payments.ts';
import { acquirerOf, makeCart, makeProduct, offerTestCard, totalsOf } from './kit.ts';

describe('paying in a browser', () => {
  const browser = withBrowser();
  let app: TestApp;
  let product: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale', 'website'] });
    product = await app.write((ctx) => makeProduct(ctx, { name: 'Bird house', list_price: '24' }));
    await app.write(offerTestCard);
  });
  afterAll(() => app.close());

  const begin = (provider: 'transfer' | 'test_card') =>
    app.write(async (ctx: Ctx) => {
      const order = await makeCart(ctx, [product]);
      const { form } = await ctx
        .get(Payments)
        .start({ order, acquirer: await acquirerOf(ctx, provider), returnUrl: '/' });
      return { order, form, address: `${form.action}?${new URLSearchParams(form.fields)}` };
    });
  const stateOf = async (order: Id) => {
    const { state, payment_state } = await app.read((ctx) => totalsOf(ctx, order));
    return [state, payment_state];
  };

  it.each([
    [360, false, ''],
    [1280, true, '/fr'],
  ])('shows the test card, %i pixels wide (dark: %s)', async (width, dark, prefix) => {
    const { address } = await begin('test_card');
    const { page, expectNoTrouble } = await browser.openPage({ width, height: 800, dark, baseUrl: app.url });
    await page.goto(prefix + address);
    expect(await page.locator('[data-slot=test-card]').innerText()).toContain('24');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/test-card-${width}.png` });
    await expectAccessible(page);
    await expectNoTrouble();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });

  it.each([
    ['paid', ['sale', 'paid']],
    ['refused', ['draft', 'none']],
    ['pending', ['sent', 'pending']],
  ])('ends as chosen: %s', async (outcome, expected) => {
    const { order, address } = await begin('test_card');
    const { page } = await browser.openPage({ baseUrl: app.url });
    await page.goto(address);
    await page.locator(`button[value=${outcome}]`).press('Enter');
    await page.waitForURL(`${app.url}/`);
    expect(await stateOf(order)).toEqual(expected);
    await page.goto(address);
    expect(await page.locator('[data-slot=test-card-form]').count()).toBe(0);
    if (outcome !== 'pending') return;
    await until(async () => {
      await app.runJobs();
      return (await stateOf(order))[1] === 'paid';
    });
    expect(await stateOf(order)).toEqual(['sale', 'paid']);
  });

  it('knows only payments whose token comes along, and no other place to return to', async () => {
    const { order, form } = await begin('transfer');
    const send = (fields: Record<string, string>) => app.form(form.action, fields);
    expect((await send({ ...form.fields, token: 'guessed' })).status).toBe(404);
    expect((await send({ ...form.fields, reference: 'SO99999' })).status).toBe(404);
    expect(await stateOf(order)).toEqual(['sent', 'none']);
    const answer = await send({ ...form.fields, return_url: 'https://evil.example/' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(await stateOf(order)).toEqual(['sent', 'pending']);
    // Coming back to it changes nothing, and never makes a payment less than it is.
    expect((await send(form.fields)).status).toBe(303);
    expect(await stateOf(order)).toEqual(['sent', 'pending']);
    const card = await begin('test_card');
    const forged = await app.get(card.address.replace(/token=[^&]*/, 'token=x'));
    expect(forged.status).toBe(404);
  });
});
