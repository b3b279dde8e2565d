import { PricelistItem } from '@pergola/sale';
import type { Decimal, Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { ShopPricelist } from '../models/product-pricelist.ts';
import { type Shelf, stockUp } from './kit.ts';

eachDatabase('Promo codes', (database) => {
  let app: TestApp;
  let shelf: Shelf;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    shelf = await app.write(stockUp);
    for (const code of ['dankefür', ' Summer 25 ', 'ＷＩＤＥ', 'Straße']) await makeList(code);
  });
  afterAll(() => app.close());

  /** A list of half prices that a code opens. */
  const makeList = (code: string, values: object = {}): Promise<Id> =>
    app.write(async (ctx) => {
      const currency_id = await ctx.ref('base.eur');
      const list = await ctx.model(ShopPricelist).create({ name: `Half ${code}`, code, currency_id, ...values });
      await ctx
        .model(PricelistItem)
        .create({ pricelist_id: list, compute_price: 'percentage', percent_price: '50' as Decimal });
      return list;
    });

  it.each([
    ['DANKEFÜR', true],
    ['dankefu\u0308r', true],
    ['summer 25', true],
    ['SUMMER\u00a0 25', true],
    ['Sum\u200bmer 25\u200e', true],
    ['wide', true],
    ['STRASSE', true],
    ['summer25', false],
    ['dankefur', false],
    ['\u200b', false],
    ['%', false],
  ])('“%s” is found: %s', async (typed, isFound) => {
    const visitor = app.visitor();
    await visitor.form('/shop/cart/update', { product_id: shelf.ropeVariant, add_qty: 1 });
    const { location } = await visitor.form('/shop/pricelist', { promo: typed });
    expect(location?.includes('promo=taken')).toBe(isFound);
    const { total } = await visitor.rpc<{ total: { value: number } }>('/shop/cart/lines', {});
    expect(total.value).toBe(isFound ? 5 : 10);
  });

  it('open one list, even if two are created at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const made = await Promise.allSettled([makeList(`twice ${round}`), makeList(`TWICE ${round}`)]);
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('open one list, however they are written', async () => {
    const refusal = { code: 'website_sale.code_taken' };
    await expect(makeList('DANKEFÜR')).rejects.toMatchObject(refusal);
    await expect(makeList('summer  25')).rejects.toMatchObject(refusal);
    // A list that is switched off opens nothing, until it is switched on again.
    const off = await makeList('wide', { active: false });
    await expect(app.write((ctx) => ctx.model(ShopPricelist).write(off, { active: true }))).rejects.toMatchObject(
      refusal,
    );
    const other = await makeList('winter');
    await app.write((ctx) => ctx.model(ShopPricelist).write(other, { code: 'Winter' }));
    await expect(app.write((ctx) => ctx.model(ShopPricelist).write(other, { code: 'WIDE' }))).rejects.toMatchObject(
      refusal,
    );
  });
});
