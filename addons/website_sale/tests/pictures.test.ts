import { WebsitePage } from '@pergola/website';
import type { Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { ProductImage } from '../models/product-image.ts';
import { ShopVariant } from '../models/product-product.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { ShopWebsite } from '../models/website.ts';
import { type Shelf, stockUp } from './kit.ts';

someDatabase('the pictures of products', (database) => {
  let app: TestApp;
  let shelf: Shelf;
  /** The names of the picture files, by what they show. */
  const hashes: Record<string, string> = {};
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_sale'], database });
    shelf = await app.write(stockUp);
    await app.write(async (ctx) => {
      const painted = async (name: string, red: number) => {
        const background = { r: red, g: 100, b: 100 };
        const png = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
          .png()
          .toBuffer();
        const file = await ctx.files.putImage(png, { name: `${name}.png` });
        hashes[name] = file.hash.slice(0, 12);
        return file;
      };
      await ctx.model(ShopTemplate).write(shelf.lamp, { image: await painted('main', 10) });
      await ctx.model(ProductImage).create([
        { name: 'Its shade', image: await painted('shade', 20), product_tmpl_id: shelf.lamp, sequence: 5 },
        { name: 'Large', image: await painted('large', 30), product_tmpl_id: shelf.lamp, value_id: shelf.large },
        { name: 'Its foot', image: await painted('foot', 40), product_tmpl_id: shelf.lamp, value_id: shelf.large },
      ]);
      await ctx.model(ShopVariant).write(shelf.lampSmall, {
        image_ids: [{ create: { name: 'Small', image: await painted('small', 50) } }],
      } as object);
    });
    await app.runJobs();
  });
  afterAll(() => app.close());

  /** What a page's gallery shows, in its order. */
  async function shown(path: string): Promise<(string | undefined)[]> {
    const { text } = await app.visitor().get(path);
    const gallery = /<ul class="shop-slides".*?<\/ul>/s.exec(text)?.[0] ?? '';
    const name = (hash: string | undefined) => Object.keys(hashes).find((one) => hashes[one] === hash);
    return [...gallery.matchAll(/<img[^>]*? src="[^"]*unique=([0-9a-f]+)"/g)].map(([, hash]) => name(hash));
  }
  const lamp = () => `/shop/product/desk-lamp-${shelf.lamp}`;

  it('each variant has its own and those of its values, then those of the product', async () => {
    expect(await shown(lamp())).toEqual(['small', 'shade']);
    expect(await shown(`${lamp()}?variant=${shelf.lampLarge}`)).toEqual(['large', 'foot', 'shade']);
  });

  it('cards follow what is chosen of the filters, and show a second picture to who points at them', async () => {
    const card = async (query: string) => {
      const { text } = await app.visitor().get(`/shop${query}`);
      const html = /<article(?:(?!<\/article>).)*Desk lamp.*?<\/article>/s.exec(text)?.[0] ?? '';
      const name = (hash: string | undefined) => Object.keys(hashes).find((one) => hashes[one] === hash);
      return {
        shown: [...html.matchAll(/ src="[^"]*unique=([0-9a-f]+)"/g)].map(([, hash]) => name(hash)),
        leads: /stretched-link" href="([^"]*)"/.exec(html)?.[1],
      };
    };
    expect(await card('')).toEqual({ shown: ['main', 'shade'], leads: lamp() });
    const [small, large] = [shelf.small, shelf.large].map((value) => `attrib=${shelf.attribute}-${value}`);
    expect(await card(`?${large}`)).toEqual({
      shown: ['large', 'foot'],
      leads: `${lamp()}?variant=${shelf.lampLarge}`,
    });
    // The page begins with the first of them anyway.
    expect(await card(`?${large}&${small}`)).toEqual({ shown: ['small', 'shade'], leads: lamp() });
  });

  it('the button of the filters says how many there are', async () => {
    const count = (input: object) => app.visitor().rpc<{ label: string }>('/shop/count', input);
    expect(await count({})).toEqual({ label: 'Show 3 products' });
    expect(await count({ attrib: [`${shelf.attribute}-${shelf.large}`] })).toEqual({ label: 'Show 1 product' });
    expect(await count({ category: shelf.category })).toEqual({ label: 'Show 2 products' });
    expect(await count({ search: 'nothing like it' })).toEqual({ label: 'No matching products' });
    expect(await count({ search: 7, attrib: 'x' })).toEqual({ label: 'Show 3 products' });
  });

  it('an address chooses a variant, and nothing else is chosen by it', async () => {
    const { text } = await app.visitor().get(`${lamp()}?variant=${shelf.lampLarge}`);
    expect(text).toMatch(new RegExp(`value="${shelf.large}"[^>]* checked|checked[^>]*value="${shelf.large}"`));
    expect(text).toContain('45.00');
    expect(text).toContain(`<link rel="canonical" href="${app.url}${lamp()}">`);
    for (const wrong of [shelf.secretVariant, 'x', -1]) {
      const answer = await app.visitor().get(`${lamp()}?variant=${wrong}`);
      expect([answer.status, answer.text.includes('40.00')]).toEqual([200, true]);
    }
  });

  it('a picture is of a variant of its own product', async () => {
    const image = await app.read((ctx) => ctx.model(ShopTemplate).get(shelf.lamp, { select: { image: true } }));
    const create = (product_id: Id) =>
      app.write((ctx) =>
        ctx.model(ProductImage).create({
          name: 'Wrong',
          image: image.image as NonNullable<typeof image.image>,
          product_tmpl_id: shelf.lamp,
          product_id,
        }),
      );
    await expect(create(shelf.ropeVariant)).rejects.toThrow('Choose a variant of this product.');
  });

  it('the page says how it is delivered, and leads to what is published about it', async () => {
    expect((await app.visitor().get(lamp())).text).not.toContain('shop-promises');
    const page = await app.write(async (ctx) => {
      const about = await ctx
        .model(WebsitePage)
        .create({ name: 'Delivery', url: '/delivery', website_published: false, content: '<p>By post</p>' });
      await ctx.model(ShopWebsite).write(await ctx.ref('website.default_website'), {
        shop_delivery: { en_US: 'In two days', fr_FR: 'Sous deux jours' },
        shop_delivery_page_id: about,
      } as object);
      return about;
    });
    const hidden = (await app.visitor().get(`/fr${lamp().replace('desk-lamp', 'lampe-de-bureau')}`)).text;
    expect([hidden.includes('Sous deux jours'), hidden.includes('/delivery')]).toEqual([true, false]);
    const linked = async () => (await app.visitor().get(lamp())).text.includes('<a href="/delivery">In two days</a>');
    const date_publish = new Date(Date.now() + 86_400_000);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { website_published: true, date_publish }));
    expect(await linked()).toBe(false);
    await app.write((ctx) => ctx.model(WebsitePage).write(page, { date_publish: null }));
    expect(await linked()).toBe(true);
  });
});
