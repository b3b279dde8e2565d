import { Country, Partner } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { AccountTax } from '../models/account-tax.ts';
import { ProductAttribute } from '../models/product-attribute.ts';
import { ProductAttributeExclusion } from '../models/product-attribute-exclusion.ts';
import { ProductAttributeLine } from '../models/product-attribute-line.ts';
import { ProductAttributeValue } from '../models/product-attribute-value.ts';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { SalePartner } from '../models/res-partner.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { makeCart, makeProduct, makeTax } from './kit.ts';

eachDatabase('Deleting what the shop’s rules refer to', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const unlink = (model: string, ids: Id | readonly Id[]) =>
    admin.rpc('/web/dataset/call_kw', { model, method: 'unlink', args: [[ids].flat()], kwargs: {} });
  const dependants = (model: string, ids: readonly Id[]) =>
    admin.rpc<{ model: string; effect: string; count: number; names: string[] }[]>('/web/backend/dependants', {
      model,
      ids,
    });

  /** A shirt in sizes and colours of its own, without Gold in S. */
  async function makeShirt(ctx: Ctx) {
    const attribute = async (name: string, values: readonly string[]) => {
      const id = await ctx.model(ProductAttribute).create({
        name,
        value_ids: values.map((value) => ({ create: { name: value } })),
      });
      return { id, values: (await ctx.model(ProductAttribute).get(id, { select: { value_ids: true } })).value_ids };
    };
    const [size, colour] = [await attribute('Size', ['S', 'M']), await attribute('Colour', ['Red', 'Blue', 'Gold'])];
    const [s = 0] = size.values;
    const gold = colour.values[2] ?? 0;
    const template = await ctx.model(ProductTemplate).create({
      name: 'Shirt',
      attribute_line_ids: [size, colour].map(({ id, values }) => ({ create: { attribute_id: id, value_ids: values } })),
      exclusion_ids: [{ create: { value_ids: [s, gold] } }],
    });
    return { template, size, colour, gold };
  }
  const variantsOf = (template: Id) =>
    app.read(async (ctx) => {
      const rows = await ctx.model(ProductProduct).find(
        [
          ['product_tmpl_id', '=', template],
          ['active', 'in', [true, false]],
        ],
        { select: { display_name: true } },
      );
      return rows.map(({ display_name }) => display_name).sort();
    });

  it('deletes an exclusion with its value, and no other variant with it', async () => {
    const { template, colour, gold } = await app.write(makeShirt);
    expect(await dependants('product.attribute.value', [gold])).toEqual([
      expect.objectContaining({ model: 'product.product', effect: 'goes', names: ['Shirt (M, Gold)'] }),
      expect.objectContaining({ model: 'product.attribute.exclusion', effect: 'goes', count: 1 }),
    ]);
    await unlink('product.attribute.value', gold);
    expect(
      await app.read((ctx) => ctx.model(ProductAttributeExclusion).count([['product_tmpl_id', '=', template]])),
    ).toBe(0);
    await app.write(async (ctx) => {
      const green = await ctx.model(ProductAttributeValue).create({ name: 'Green', attribute_id: colour.id });
      const line = await ctx.model(ProductAttributeLine).first(
        [
          ['product_tmpl_id', '=', template],
          ['attribute_id', '=', colour.id],
        ],
        { select: {} },
      );
      await ctx.model(ProductAttributeLine).write(line?.id ?? 0, { value_ids: [{ link: green }] });
    });
    expect(await variantsOf(template)).toEqual(
      ['S', 'M'].flatMap((size) => ['Red', 'Blue', 'Green'].map((name) => `Shirt (${size}, ${name})`)).sort(),
    );
  });

  it('keeps a value whose variant was ordered, and the only one of a product', async () => {
    const { template, size, gold } = await app.write(async (ctx) => {
      const shirt = await makeShirt(ctx);
      const variant = await ctx.model(ProductProduct).first([['attribute_value_ids', '=', shirt.gold]], { select: {} });
      await makeCart(ctx, [variant?.id ?? 0]);
      const [line] = await ctx.model(ProductAttributeLine).search([['attribute_id', '=', shirt.size.id]]);
      await ctx.model(ProductAttributeLine).write(line ?? 0, { value_ids: [shirt.size.values[1] ?? 0] });
      return shirt;
    });
    await expect(unlink('product.attribute.value', gold)).rejects.toThrow(
      /Variant “Shirt \(M, Gold\)” can’t be deleted\. Still used by: Sales order “/,
    );
    const blocked = await dependants('product.attribute.value', [gold]);
    expect(blocked[0]).toMatchObject({ model: 'sale.order.line', effect: 'forbids' });
    await expect(unlink('product.attribute.value', size.values[1] ?? 0)).rejects.toThrow(/can’t be deleted/);
    expect(await variantsOf(template)).toContain('Shirt (M, Gold)');
    // Unordered, but the only value of the line.
    const only = await app.write(async (ctx) => {
      const plain = await makeShirt(ctx);
      const [line] = await ctx.model(ProductAttributeLine).search([['attribute_id', '=', plain.size.id]]);
      await ctx.model(ProductAttributeLine).write(line ?? 0, { value_ids: [plain.size.values[0] ?? 0] });
      return plain.size.values[0] ?? 0;
    });
    await expect(unlink('product.attribute.value', only)).rejects.toThrow(/Choose at least one value/);
  });

  it('keeps the countries of a fiscal position, also when several countries go at once', async () => {
    const { country, position, others } = await app.write(async (ctx) => {
      const made = await ctx.model(Country).create({ name: 'Wonderland', code: 'QW' });
      const more = await ctx
        .model(Country)
        .create([...'ABCDEFGH'].map((letter) => ({ name: `Country ${letter}`, code: `X${letter}` })));
      const id = await ctx
        .model(FiscalPosition)
        .create({ name: 'Without tax', auto_apply: true, country_ids: [made], sequence: 1 });
      return { country: made, position: id, others: more };
    });
    for (const ids of [[country], [...others, country]]) {
      await expect(unlink('res.country', ids)).rejects.toThrow(
        'Country “Wonderland” can’t be deleted. Still used by: Fiscal position “Without tax” (Countries).',
      );
    }
    expect(await dependants('res.country', [country])).toEqual([
      expect.objectContaining({ model: 'account.fiscal.position', effect: 'forbids', names: ['Without tax'] }),
    ]);
    await app.read(async (ctx) => {
      const { country_ids } = await ctx.model(FiscalPosition).get(position, { select: { country_ids: true } });
      expect(country_ids).toEqual([country]);
      expect(
        await ctx.model(FiscalPosition).forCustomer({ country: null, company: 1, isReverseCharge: false }),
      ).not.toBe(position);
    });
  });

  it('keeps taxes of products and orders; they can be archived', async () => {
    const tax = await app.write(async (ctx) => {
      const id = await makeTax(ctx, '20', { price_include: true });
      const product = await makeProduct(ctx, { name: 'Taxed chair', taxes_id: [id] });
      await makeCart(ctx, [product]);
      return id;
    });
    await expect(unlink('account.tax', tax)).rejects.toThrow(
      /Still used by: .*Product “Taxed chair” \(Taxes\); Sales order “.+” \(.+ \/ Taxes\)/,
    );
    await app.write((ctx) => ctx.model(AccountTax).write(tax, { active: false }));
    await app.read(async (ctx) => {
      const [product] = await ctx
        .model(ProductTemplate)
        .find([['name', '=', 'Taxed chair']], { select: { taxes_id: true } });
      expect(product?.taxes_id).toEqual([tax]);
    });
  });

  it('keeps the countries of orders, and the pricelist and fiscal position of a customer', async () => {
    const made = await app.write(async (ctx) => {
      const country = await ctx.model(Country).create({ name: 'Laputa', code: 'QL' });
      const order = await makeCart(ctx, [await makeProduct(ctx)]);
      await ctx.model(SaleOrder).write(order, { shipping_country_id: country });
      const currency = (await ctx.model(SaleOrder).get(order, { select: { currency_id: true } })).currency_id;
      const pricelist = await ctx.model(ProductPricelist).create({ name: 'Friends', currency_id: currency });
      const position = await ctx.model(FiscalPosition).create({ name: 'Reseller' });
      const partner = await ctx.model(Partner).create({ name: 'Lemuel' });
      await ctx
        .model(SalePartner)
        .write(partner, { property_product_pricelist: pricelist, property_account_position: position });
      return { country, pricelist, position };
    });
    await expect(unlink('res.country', made.country)).rejects.toThrow(/Still used by: Sales order “/);
    await expect(unlink('product.pricelist', made.pricelist)).rejects.toThrow(/“Friends” can’t be deleted.*“Lemuel”/);
    await expect(unlink('account.fiscal.position', made.position)).rejects.toThrow(
      /“Reseller” can’t be deleted.*“Lemuel”/,
    );
  });
});
