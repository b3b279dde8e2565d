import {
  PricelistItem,
  ProductAttribute,
  ProductAttributeLine,
  ProductAttributeValue,
  ProductProduct,
} from '@pergola/sale';
import { Website, WebsitePage } from '@pergola/website';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { ShopPricelist } from '../models/product-pricelist.ts';
import { PublicCategory } from '../models/product-public-category.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { ShopFacet } from '../models/website-sale-facet.ts';
import { type Shelf, stockUp } from './kit.ts';

eachDatabase('the catalogue', (database, once) => {
  let app: TestApp;
  let shelf: Shelf;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    shelf = await app.write(stockUp);
    await app.runJobs();
  });
  afterAll(() => app.close());

  it('shows what is published, in the order of the shop, with prices', async () => {
    const { text } = await app.get('/shop');
    const names = [...text.matchAll(/class="stretched-link"[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual(['Desk lamp', 'Rope', 'Rare vase']);
    expect(text).toContain('3 products');
    expect(text).toMatch(/from<\/span> <span class="oe_currency_value"[^>]*>40\.00/);
    expect(text).not.toContain('Secret');
  });

  it('finds words of names, words of texts, and codes', async () => {
    expect((await app.get('/shop?search=lamp')).text).toContain('1 product<');
    expect((await app.get('/shop?search=warm+light')).text).toContain('Desk lamp');
    expect((await app.get('/shop?search=rop-1')).text).toContain('>Rope<');
    expect((await app.get('/shop?search=%25')).text).toContain('No products found.');
    expect((await app.visitor().get('/fr/shop?search=bureau')).text).toContain('Lampe de bureau');
  });

  it('corrects mistyped words, where nothing has them', async () => {
    const { text } = await app.get('/shop?search=desk+lmap');
    expect(text).toContain('No results for “desk lmap”. Showing results for “desk lamp” instead.');
    expect(text).toContain('1 product<');
    expect(text).toContain('value="desk lmap"');
    expect(text).toContain('href="/shop?search=desk+lamp&amp;view=list"');
    expect((await app.get('/shop?search=xylophone')).text).toContain('No products found.');
    expect((await app.get('/shop?search=lamp')).text).not.toContain('Showing results for');
  });

  it('the search of the site shows what products cost, and finds categories', async () => {
    const suggest = (text: string) => app.rpc<object[]>('/website/search/suggest', { text });
    expect(await suggest('rope')).toMatchObject([{ title: 'Rope', kind: 'Products', note: '10.00\u00a0€' }]);
    expect(await suggest('lamp')).toMatchObject([{ title: 'Desk lamp', note: 'from 40.00\u00a0€' }]);
    expect(await suggest('huose')).toMatchObject([
      { title: 'House', kind: 'Categories', url: `/shop/category/house-${shelf.category}` },
    ]);
  });

  once('the search of the shop suggests what the shop has, and nothing else', async () => {
    const page = await app.write((ctx) =>
      ctx.model(WebsitePage).create({ name: 'Rope dancers', url: '/dancers', website_published: true }),
    );
    const suggest = (addon?: string) => app.rpc<object[]>('/website/search/suggest', { text: 'rope', addon });
    expect(await suggest()).toHaveLength(2);
    expect(await suggest('website_sale')).toMatchObject([{ title: 'Rope', note: '10.00\u00a0€' }]);
    expect(await suggest('nothing')).toEqual([]);
    const { text } = await app.visitor().get('/fr/shop?view=list&search=rope');
    const form = /<form[^>]*id="shop-filter"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
    expect(form).toContain('action="/fr/shop"');
    expect(form).toMatch(/<input[^>]*name="view" value="list"/);
    expect(form).toMatch(/name="search"[^>]*value="rope"/);
    await app.write((ctx) => ctx.model(WebsitePage).unlink([page]));
  });

  it('offers the values of attributes with how many products have them, and filters by them', async () => {
    const { text } = await app.get('/shop');
    expect(text).toContain(`value="${shelf.attribute}-${shelf.large}"`);
    expect(text).toContain('(1)');
    const chosen = await app.get(`/shop?attrib=${shelf.attribute}-${shelf.large}`);
    expect(chosen.text).toContain('Desk lamp');
    expect(chosen.text).not.toContain('>Rope<');
    expect((await app.get('/shop?attrib=what')).status).toBe(200);
  });

  it('finds by values of several attributes what there is in all of them at once', async () => {
    const { chair, attribute, red, green } = await app.write(async (ctx) => {
      const product = await ctx.model(ShopTemplate).create({ name: 'Chair', website_published: true });
      const colour = await ctx.model(ProductAttribute).create({ name: 'Colour', type: 'color' });
      const [one = 0, other = 0] = await ctx.model(ProductAttributeValue).create([
        { name: 'Red', attribute_id: colour, sequence: 1 },
        { name: 'Green', attribute_id: colour, sequence: 2 },
      ]);
      const values = { product_tmpl_id: product, attribute_id: shelf.attribute, value_ids: [shelf.small, shelf.large] };
      await ctx.model(ProductAttributeLine).create(values);
      await ctx.model(ProductAttributeLine).create({ ...values, attribute_id: colour, value_ids: [one, other] });
      const [large] = await ctx.model(ProductProduct).search([
        ['product_tmpl_id', '=', product],
        ['attribute_value_ids', 'in', [shelf.large]],
        ['attribute_value_ids', 'in', [other]],
      ]);
      await ctx.model(ProductProduct).write(large ?? 0, { active: false });
      return { chair: product, attribute: colour, red: one, green: other };
    });
    const names = async (size: number, colour: number) => {
      const { text } = await app.get(`/shop?attrib=${shelf.attribute}-${size}&attrib=${attribute}-${colour}`);
      return [...text.matchAll(/class="stretched-link"[^>]*>([^<]+)</g)].map(([, name]) => name);
    };
    expect(await names(shelf.small, green)).toEqual(['Chair']);
    expect(await names(shelf.large, red)).toEqual(['Chair']);
    expect(await names(shelf.large, green)).toEqual([]);
    await app.write((ctx) => ctx.model(ShopTemplate).write(chair, { website_published: false }));
  });

  it('has counted them for a site that was made after the products', async () => {
    const site = await app.write(async (ctx) => {
      const lang = await ctx.ref('base.lang_en');
      return ctx.model(Website).create({ name: 'B', domain: 'b.example', default_lang_id: lang, language_ids: [lang] });
    });
    await app.runJobs();
    const counted = await app.read((ctx) =>
      ctx.model(ShopFacet).count([
        ['website_id', '=', site],
        ['value_id', '=', shelf.large],
      ]),
    );
    expect(counted).toBeGreaterThan(0);
  });

  it('a category holds what is below it, and a stale address leads to the right one', async () => {
    const { text } = await app.get(`/shop/category/house-${shelf.category}`);
    expect(text).toContain('Desk lamp');
    expect(text).toContain('Rope');
    expect(text).not.toContain('Rare vase');
    expect((await app.get(`/shop/category/old-name-${shelf.category}`)).location).toBe(
      `/shop/category/house-${shelf.category}`,
    );
  });

  once('the cards of products that a page shows are asked for again by the block’s options', async () => {
    const cards = async (values: object) => {
      const ids_or_xml_ids = ['website_sale.product_cards', 'website_sale.cart', 'website_sale.card'];
      return app.visitor().rpc<Record<string, string>>('/website/multi_render', { ids_or_xml_ids, values });
    };
    const found = await cards({ order: 'price_asc', limit: 2 });
    expect(Object.keys(found)).toEqual(['website_sale.product_cards']);
    const [html = ''] = Object.values(found);
    expect([...html.matchAll(/class="stretched-link"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'Rope',
      'Rare vase',
    ]);
    expect(html).toContain('data-name="website.Refresh"');
    expect(html).not.toContain('Secret');
    const [none = ''] = Object.values(await cards({ limit: 1_000_000 }));
    expect(none).not.toContain('stretched-link');
  });

  once.each([
    ['price_asc', ['Rope', 'Rare vase', 'Desk lamp']],
    ['price_desc', ['Desk lamp', 'Rare vase', 'Rope']],
    ['name', ['Desk lamp', 'Rare vase', 'Rope']],
    ['nonsense', ['Desk lamp', 'Rope', 'Rare vase']],
  ])('sorts by %s', async (order, expected) => {
    const { text } = await app.get(`/shop?order=${order}`);
    const names = [...text.matchAll(/class="stretched-link"[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names).toEqual(expected);
  });

  once('what is not published and what is not there are the same 404', async () => {
    const hidden = await app.get(`/shop/product/secret-thing-${shelf.secret}`);
    const missing = await app.get('/shop/product/secret-thing-999999');
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect((await (await app.as('admin')).get(`/shop/product/secret-thing-${shelf.secret}`)).status).toBe(200);
  });

  once('a product page tells its variants, and search engines its price', async () => {
    const { text } = await app.get(`/shop/product/desk-lamp-${shelf.lamp}`);
    const variants = /data-attribute_value_ids="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(variants)).toEqual([
      [shelf.lampSmall, [shelf.small], 40, 40],
      [shelf.lampLarge, [shelf.large], 45, 45],
    ]);
    expect(text).toContain('"@type":"Product"');
    expect(text).toContain('"lowPrice":"40.00"');
    expect(text).toContain('name="product_id" value="0"');
    expect((await app.get(`/shop/product/rope-${shelf.rope}`)).text).toContain(
      `name="product_id" value="${shelf.ropeVariant}"`,
    );
    expect((await app.get('/sitemap.xml')).text).toContain(`/shop/product/rope-${shelf.rope}`);
  });

  once('a product page leads to the categories that are not on the way to it', async () => {
    const shown = async () => {
      const { text } = await app.get(`/shop/product/desk-lamp-${shelf.lamp}`);
      const [, list = ''] = /<p class="shop-in">(.*?)<\/p>/s.exec(text) ?? [];
      return [...list.matchAll(/>([^<>]+)<\/a>/g)].map(([, name]) => name);
    };
    expect(await shown()).toEqual([]);
    const gifts = await app.write(async (ctx) => {
      const id = await ctx.model(PublicCategory).create({ name: 'Gifts', website_published: true, sequence: 99 });
      await ctx.model(ShopTemplate).write(shelf.lamp, { public_categ_ids: [shelf.below, id] });
      return id;
    });
    expect(await shown()).toEqual(['Gifts']);
    await app.write(async (ctx) => {
      await ctx.model(ShopTemplate).write(shelf.lamp, { public_categ_ids: [shelf.below] });
      await ctx.model(PublicCategory).unlink([gifts]);
    });
  });

  once('a product page offers the alternatives that were chosen, else what is in its category', async () => {
    const offered = async () => {
      const { text } = await app.get(`/shop/product/rope-${shelf.rope}`);
      return [...text.matchAll(/class="stretched-link"[^>]*>([^<]+)</g)].map(([, name]) => name);
    };
    const choose = (alternative_product_ids: number[]) =>
      app.write((ctx) => ctx.model(ShopTemplate).write(shelf.rope, { alternative_product_ids }));
    expect(await offered()).toEqual(['Desk lamp']);
    await choose([shelf.rare, shelf.secret]);
    expect(await offered()).toEqual(['Rare vase']);
    await choose([]);
  });

  once('unit prices follow the quantity; what a visitor may not see has none', async () => {
    await app.write(async (ctx) => {
      await ctx.model(PricelistItem).create({
        pricelist_id: await ctx.ref('sale.public_pricelist'),
        product_tmpl_id: shelf.rope,
        min_quantity: '5',
        compute_price: 'percentage',
        percent_price: '20',
      });
    });
    const product_ids = [shelf.ropeVariant, shelf.secretVariant, 999_999];
    const ask = (add_qty: unknown) => app.rpc('/shop/get_unit_price', { product_ids, add_qty });
    expect(await ask(1)).toEqual({ [shelf.ropeVariant]: 10 });
    expect(await ask(5)).toEqual({ [shelf.ropeVariant]: 8 });
    expect(await ask('many')).toEqual({ [shelf.ropeVariant]: 10 });
  });

  once('list prices are struck through only when they are higher by more than 0.2', async () => {
    const [almost = 0, more = 0] = await app.write(async (ctx) => {
      const pricelist_id = await ctx.ref('sale.public_pricelist');
      const made: number[] = [];
      for (const fixed_price of ['9.80', '9.79']) {
        const product_tmpl_id = await ctx
          .model(ShopTemplate)
          .create({ name: `Reduced to ${fixed_price}`, list_price: '10', website_published: true });
        await ctx.model(PricelistItem).create({ pricelist_id, product_tmpl_id, compute_price: 'fixed', fixed_price });
        made.push(product_tmpl_id);
      }
      return made;
    });
    const page = async (id: number | undefined) => (await app.get(`/shop/product/x-${id}`)).location ?? '';
    expect((await app.get(await page(almost))).text).toMatch(/oe_default_price[^>]* hidden/);
    expect((await app.get(await page(more))).text).not.toMatch(/oe_default_price[^>]* hidden/);
    await app.write((ctx) => ctx.model(ShopTemplate).write([almost, more], { active: false }));
  });

  once('a code opens its prices, in the cart and on all pages; an unknown one is told', async () => {
    await app.write(async (ctx) => {
      const pricelist_id = await ctx
        .model(ShopPricelist)
        .create({ name: 'Friends', currency_id: await ctx.ref('base.eur'), code: 'FRIEND', sequence: 99 });
      await ctx.model(PricelistItem).create({ pricelist_id, compute_price: 'percentage', percent_price: '50' });
    });
    const friend = app.visitor();
    await friend.form('/shop/cart/update', { product_id: shelf.lampSmall });
    const wrong = await friend.form('/shop/pricelist', { promo: 'nobody' });
    // The answer leads to the cart, which can be loaded again and sends nothing.
    expect([wrong.status, wrong.location]).toEqual([303, '/shop/cart?promo=wrong&code=nobody']);
    const told = (await friend.get(wrong.location ?? '')).text;
    expect(told).toMatch(/<input(?=[^>]* value="nobody")(?=[^>]* aria-invalid="true")[^>]* autofocus/);
    expect(told).toContain('This promo code isn’t valid.');
    expect((await friend.form('/shop/pricelist', { promo: ' friend ' })).location).toBe('/shop/cart?promo=taken');
    const taken = (await friend.get('/shop/cart?promo=taken')).text;
    expect(taken).toContain('The promo code FRIEND is applied.');
    expect(taken).toMatch(/You save<\/th><td>€?20\.00/);
    expect(taken).toContain('20.00');
    expect((await friend.get(`/shop/product/desk-lamp-${shelf.lamp}`)).text).toContain('20.00');
    expect((await app.get(`/shop/product/desk-lamp-${shelf.lamp}`)).text).not.toContain('20.00');
    // Nobody gets the prices by a cookie of their own making: codes are tried by the form, which has a rate.
    const guess = { headers: { Cookie: 'shop_pricelist=cFRIEND' } };
    expect((await app.visitor().get(`/shop/product/desk-lamp-${shelf.lamp}`, guess)).text).not.toContain('20.00');
    expect((await friend.form('/shop/pricelist', { promo: '' })).location).toBe('/shop/cart?promo=removed');
    const removed = (await friend.get('/shop/cart?promo=removed')).text;
    expect(removed).toContain('The promo code was removed.');
    expect(removed).toContain('40.00');
    // Addresses are written by anybody: nothing is said to have happened that has not.
    expect((await friend.get('/shop/cart?promo=taken')).text).not.toContain('is applied');
  });
});
