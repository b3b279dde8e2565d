import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { ProductAttribute } from '../models/product-attribute.ts';
import { ProductAttributeLine } from '../models/product-attribute-line.ts';
import { ProductCategory } from '../models/product-category.ts';
import { ProductPricelist } from '../models/product-pricelist.ts';
import { PricelistItem } from '../models/product-pricelist-item.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { Pricing } from '../services/pricing/pricing.ts';
import { pricesShown } from '../settings.ts';
import { makeCart, makeProduct, makeTax, refusal, totalsOf } from './kit.ts';

someDatabase('the catalogue', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
  });
  afterAll(() => app.close());

  /** An attribute with values; answers the values' ids. */
  async function attribute(ctx: Ctx, name: string, values: readonly string[]): Promise<{ id: Id; values: Id[] }> {
    const id = await ctx.model(ProductAttribute).create({
      name,
      value_ids: values.map((value) => ({ create: { name: value } })),
    });
    const row = await ctx.model(ProductAttribute).get(id, { select: { value_ids: true } });
    return { id, values: [...row.value_ids] };
  }
  async function variants(ctx: Ctx, template: Id) {
    const rows = await ctx.model(ProductProduct).find([['product_tmpl_id', '=', template]], {
      select: { attribute_value_ids: true, combination: true, lst_price: true, display_name: true },
    });
    return rows;
  }

  it('makes a variant of each combination, follows the attributes, and archives what orders name', async () => {
    await app.write(async (ctx) => {
      const size = await attribute(ctx, 'Size', ['S', 'M']);
      const colour = await attribute(ctx, 'Colour', ['red', 'blue']);
      const [s = 0, m = 0] = size.values;
      const [red = 0, blue = 0] = colour.values;
      const template = await ctx.model(ProductTemplate).create({
        name: 'Shirt',
        list_price: '20',
        attribute_line_ids: [
          { create: { attribute_id: size.id, value_ids: size.values } },
          { create: { attribute_id: colour.id, value_ids: colour.values } },
        ],
        attribute_price_ids: [{ create: { value_id: m, price_extra: '2.50' } }],
        exclusion_ids: [{ create: { value_ids: [s, blue] } }],
      });
      const made = await variants(ctx, template);
      const counted = await ctx.model(ProductTemplate).get(template, { select: { product_variant_count: true } });
      expect(counted.product_variant_count).toBe(3);
      expect(made.map(({ attribute_value_ids }) => attribute_value_ids.toSorted((a, b) => a - b))).toEqual(
        expect.arrayContaining([
          [s, red],
          [m, red],
          [m, blue],
        ]),
      );
      expect(made).toHaveLength(3);
      const dear = made.find(
        ({ attribute_value_ids }) => attribute_value_ids.includes(m) && attribute_value_ids.includes(red),
      );
      expect(dear).toMatchObject({ lst_price: '22.5', display_name: 'Shirt (M, red)' });

      await makeCart(ctx, [dear?.id ?? 0]);
      const line = await ctx.model(ProductAttributeLine).first(
        [
          ['product_tmpl_id', '=', template],
          ['attribute_id', '=', size.id],
        ],
        { select: {} },
      );
      await ctx.model(ProductAttributeLine).unlink(line?.id ?? 0);
      const left = await variants(ctx, template);
      expect(left.map(({ attribute_value_ids }) => attribute_value_ids)).toEqual(
        expect.arrayContaining([[red], [blue]]),
      );
      expect(left).toHaveLength(2);
      const all = await ctx.model(ProductProduct).find(
        [
          ['product_tmpl_id', '=', template],
          ['active', '=', false],
        ],
        { select: {} },
      );
      expect(all.map(({ id }) => id)).toEqual([dear?.id]);

      await ctx
        .model(ProductAttributeLine)
        .create({ product_tmpl_id: template, attribute_id: size.id, value_ids: [m] });
      const again = await variants(ctx, template);
      expect(again.map(({ id }) => id)).toContain(dear?.id);
      expect(again).toHaveLength(2);
    });
  });

  it('refuses more variants than a product can have, values of other attributes, and colours that are none', async () => {
    await app.write(async (ctx) => {
      const names = Array.from({ length: 11 }, (_, n) => `v${n}`);
      const three = [
        await attribute(ctx, 'A', names),
        await attribute(ctx, 'B', names),
        await attribute(ctx, 'C', names),
      ];
      const make = (values: Values<FieldsOf<ProductTemplate>>) =>
        refusal(ctx.savepoint(() => ctx.model(ProductTemplate).create({ name: 'Many', ...values })));
      const lines = three.map(({ id, values }) => ({ create: { attribute_id: id, value_ids: values } }));
      expect((await make({ attribute_line_ids: lines })).code).toBe('sale.too_many_variants');
      const [a, b] = three;
      const mixed = [{ create: { attribute_id: a?.id, value_ids: b?.values } }];
      expect((await make({ attribute_line_ids: mixed })).code).toBe('core.invalid_values');
      expect((await make({ list_price: '-1' })).code).toBe('sale.negative_price');
    });
  });

  it('lets a product go with its variants, and come back', async () => {
    await app.write(async (ctx) => {
      const product = await makeProduct(ctx);
      const { product_tmpl_id: template } = await ctx
        .model(ProductProduct)
        .get(product, { select: { product_tmpl_id: true } });
      await ctx.model(ProductTemplate).write(template, { active: false });
      expect([...(await ctx.model(ProductProduct).buyable([product]))]).toEqual([]);
      await ctx.model(ProductTemplate).write(template, { active: true });
      expect([...(await ctx.model(ProductProduct).buyable([product]))]).toEqual([product]);
    });
  });

  describe('prices', () => {
    type Rule = Values<FieldsOf<PricelistItem>>;
    interface Scene {
      readonly ctx: Ctx;
      readonly product: Id;
      readonly template: Id;
      readonly category: Id;
      readonly other: Id;
    }
    async function scene(ctx: Ctx): Promise<Scene> {
      const top = await ctx.model(ProductCategory).create({ name: 'Furniture' });
      const category = await ctx.model(ProductCategory).create({ name: 'Chairs', parent_id: top });
      const product = await makeProduct(ctx, { list_price: '100', standard_price: '40', categ_id: category });
      const { product_tmpl_id: template } = await ctx
        .model(ProductProduct)
        .get(product, { select: { product_tmpl_id: true } });
      const other = await ctx.model(ProductPricelist).create({
        name: 'Other',
        currency_id: await ctx.ref('base.eur'),
        item_ids: [{ create: { compute_price: 'percentage', percent_price: '10' } }],
      });
      return { ctx, product, template, category: top, other };
    }
    async function priced(
      about: Scene,
      rules: readonly Rule[],
      quantity = '1',
      currency = 'base.eur',
    ): Promise<string | undefined> {
      const { ctx, product } = about;
      const list = await ctx.model(ProductPricelist).create({
        name: 'Trial',
        currency_id: await ctx.ref(currency),
        item_ids: rules.map((rule) => ({ create: rule })),
      });
      const [price] = await ctx.get(Pricing).prices(list, [{ product, quantity }]);
      return price?.price;
    }
    const long = new Date('2020-01-01T00:00:00Z');
    const past = new Date('2020-02-01T00:00:00Z');

    it.each<[string, (about: Scene) => readonly Rule[], string, string]>([
      ['no rule: the price of the product', () => [], '1', '100'],
      ['a fixed price', () => [{ fixed_price: '89.123456' }], '1', '89.123456'],
      ['a discount', () => [{ compute_price: 'percentage', percent_price: '15' }], '1', '85'],
      [
        'a discount is rounded to what can be paid',
        () => [{ compute_price: 'percentage', percent_price: '33.333' }],
        '1',
        '66.67',
      ],
      [
        'a formula: 20 % off, to tens, less a cent',
        () => [{ compute_price: 'formula', price_discount: '-0.23', price_round: '10', price_surcharge: '-0.01' }],
        '1',
        '79.99',
      ],
      [
        'a formula over the cost',
        () => [{ compute_price: 'formula', base: 'standard_price', price_discount: '0.5' }],
        '1',
        '60',
      ],
      [
        'not below the least margin',
        () => [{ compute_price: 'formula', base: 'standard_price', price_min_margin: '25' }],
        '1',
        '65',
      ],
      [
        'not above the most margin',
        () => [{ compute_price: 'formula', base: 'standard_price', price_discount: '1', price_max_margin: '30' }],
        '1',
        '70',
      ],
      ['never below nothing', () => [{ compute_price: 'formula', price_surcharge: '-500' }], '1', '0'],
      [
        'another list, and off that',
        ({ other }) => [
          { compute_price: 'percentage', percent_price: '10', base: 'pricelist', base_pricelist_id: other },
        ],
        '1',
        '81',
      ],
      ['a rule for a category above', ({ category }) => [{ categ_id: category, fixed_price: '70' }], '1', '70'],
      [
        'the most particular rule counts',
        ({ product, template, category }) => [
          { fixed_price: '1' },
          { categ_id: category, fixed_price: '2' },
          { product_tmpl_id: template, fixed_price: '3' },
          { product_id: product, fixed_price: '4' },
        ],
        '1',
        '4',
      ],
      [
        'unless the order says otherwise',
        ({ product }) => [
          { product_id: product, fixed_price: '4', sequence: 9 },
          { fixed_price: '1', sequence: 1 },
        ],
        '1',
        '1',
      ],
      ['from a quantity on', () => [{ fixed_price: '90' }, { fixed_price: '80', min_quantity: '10' }], '9', '90'],
      ['at that quantity', () => [{ fixed_price: '90' }, { fixed_price: '80', min_quantity: '10' }], '10', '80'],
      [
        'the largest quantity that fits',
        () => [
          { fixed_price: '80', min_quantity: '10' },
          { fixed_price: '70', min_quantity: '100' },
        ],
        '150',
        '70',
      ],
      ['not a rule that is over', () => [{ fixed_price: '1', date_start: long, date_end: past }], '1', '100'],
      [
        'not a rule that has not begun',
        () => [{ fixed_price: '1', date_start: new Date('2999-01-01T00:00:00Z') }],
        '1',
        '100',
      ],
      ['a rule without an end', () => [{ fixed_price: '5', date_start: long }], '1', '5'],
    ])('%s', async (_what, rules, quantity, expected) => {
      await app.write(async (ctx) => {
        const about = await scene(ctx);
        expect(await priced(about, rules(about), quantity)).toBe(expected);
      });
    });

    it('converts between currencies, to what can be paid in them', async () => {
      await app.write(async (ctx) => {
        const currencies = ctx.modelNamed('res.currency');
        await currencies.write([await ctx.ref('base.jpy')], { rate: '161.234' });
        await currencies.write([await ctx.ref('base.tnd')], { rate: '3.37' });
        const about = await scene(ctx);
        expect(await priced(about, [], '1', 'base.jpy')).toBe('16123');
        expect(await priced(about, [], '1', 'base.tnd')).toBe('337');
        expect(await priced(about, [{ compute_price: 'percentage', percent_price: '0.0123' }], '1', 'base.tnd')).toBe(
          '336.959',
        );
        expect(await priced(about, [{ fixed_price: '7.77' }], '1', 'base.jpy')).toBe('7.77');
        const cart = await makeCart(ctx, [about.product], 3);
        const list = await ctx.model(ProductPricelist).create({ name: 'Yen', currency_id: await ctx.ref('base.jpy') });
        await ctx.model((await import('../models/sale-order.ts')).SaleOrder).setPricelist(cart, list);
        expect(await totalsOf(ctx, cart)).toMatchObject({ amount_total: 48369, order_line: [{ price_unit: '16123' }] });
      });
    });

    it('refuses lists that go by each other, and rules that make no sense', async () => {
      await app.write(async (ctx) => {
        const lists = ctx.model(ProductPricelist);
        const currency_id = await ctx.ref('base.eur');
        const a = await lists.create({ name: 'A', currency_id });
        const b = await lists.create({ name: 'B', currency_id });
        const rule = (values: Rule) => ctx.savepoint(() => ctx.model(PricelistItem).create(values));
        await rule({ pricelist_id: a, compute_price: 'formula', base: 'pricelist', base_pricelist_id: b });
        for (const values of [
          { pricelist_id: b, compute_price: 'formula', base: 'pricelist', base_pricelist_id: a },
          { pricelist_id: b, compute_price: 'formula', base: 'pricelist', base_pricelist_id: b },
          { pricelist_id: a, compute_price: 'formula', base: 'pricelist' },
          { pricelist_id: a, date_start: past, date_end: long },
          { pricelist_id: a, percent_price: '101' },
          { pricelist_id: a, fixed_price: '-1' },
        ] as const)
          expect((await refusal(rule(values))).code).toBe('sale.bad_price_rule');
      });
    });

    it('shows prices with tax or without, as set, and the cheapest variant of a product', async () => {
      await app.write(async (ctx) => {
        const over = await makeTax(ctx, '20');
        const within = await makeTax(ctx, '20', { price_include: true });
        const net = await makeProduct(ctx, { list_price: '10', taxes_id: [over] });
        const gross = await makeProduct(ctx, { list_price: '12', taxes_id: [within] });
        const ask = async () =>
          (
            await ctx
              .get(Pricing)
              .shown({ pricelist: null, fiscalPosition: null, company: 1 }, [{ product: net }, { product: gross }])
          ).map((price) => price?.price);
        expect(await ask()).toEqual([1200, 1200]);
        await ctx.settings.set(pricesShown, 'excluded');
        expect(await ask()).toEqual([1000, 1000]);
        await ctx.settings.set(pricesShown, 'included');

        const size = await attribute(ctx, 'Length', ['1 m', '2 m']);
        const template = await ctx.model(ProductTemplate).create({
          name: 'Hose',
          list_price: '5',
          attribute_line_ids: [{ create: { attribute_id: size.id, value_ids: size.values } }],
          attribute_price_ids: [{ create: { value_id: size.values[1], price_extra: '4' } }],
        });
        expect(
          (await ctx.get(Pricing).ofTemplates({ pricelist: null, fiscalPosition: null, company: 1 }, [template])).get(
            template,
          ),
        ).toMatchObject({
          price: 500,
          from: true,
        });
      });
    });
  });
});
