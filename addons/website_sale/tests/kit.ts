import {
  AccountTax,
  ProductAttribute,
  ProductAttributeLine,
  ProductAttributePrice,
  ProductAttributeValue,
  ProductProduct,
  ProductStock,
  SaleCompany,
} from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import type { Client, TestApp } from 'pergola/testing';
import { PublicCategory } from '../models/product-public-category.ts';
import { ShopTemplate } from '../models/product-template.ts';

/** Gives the company that sells a bank account: transfers are offered from then on. */
export async function giveBankAccount(ctx: Ctx): Promise<void> {
  const company = await ctx.ref('base.main_company');
  await ctx.model(SaleCompany).write(company, { bank_account: 'FR76 3000 6000 0112 3456 7890 189' });
}

/** The products of the tests, by what they are for. */
export interface Shelf {
  readonly category: Id;
  readonly below: Id;
  readonly attribute: Id;
  readonly small: Id;
  readonly large: Id;
  /** A published product with two variants; the large one costs 5.00 more. */
  readonly lamp: Id;
  readonly lampSmall: Id;
  readonly lampLarge: Id;
  /** A published product with one variant, 10.00. */
  readonly rope: Id;
  readonly ropeVariant: Id;
  /** Three in stock. */
  readonly rare: Id;
  readonly rareVariant: Id;
  /** Not published. */
  readonly secret: Id;
  readonly secretVariant: Id;
}

/** Fills the shop. */
export async function stockUp(ctx: Ctx): Promise<Shelf> {
  const tax = await ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20', price_include: true });
  const category = await ctx.model(PublicCategory).create({ name: 'House', website_published: true });
  const below = await ctx.model(PublicCategory).create({ name: 'Light', parent_id: category, website_published: true });
  const attribute = await ctx.model(ProductAttribute).create({ name: 'Size', type: 'radio' });
  const [small = 0, large = 0] = await ctx.model(ProductAttributeValue).create([
    { name: 'Small', attribute_id: attribute, sequence: 1 },
    { name: 'Large', attribute_id: attribute, sequence: 2 },
  ]);
  const product = (values: object): Promise<Id> =>
    ctx.model(ShopTemplate).create({ website_published: true, taxes_id: [tax], list_price: '10', ...values });
  const lamp = await product({
    name: { en_US: 'Desk lamp', fr_FR: 'Lampe de bureau' },
    list_price: '40',
    description_sale: 'A warm light.',
    public_categ_ids: [below],
    website_sequence: 30,
  });
  await ctx
    .model(ProductAttributeLine)
    .create({ product_tmpl_id: lamp, attribute_id: attribute, value_ids: [small, large] });
  await ctx.model(ProductAttributePrice).create({ product_tmpl_id: lamp, value_id: large, price_extra: '5' });
  const rope = await product({ name: 'Rope', public_categ_ids: [category], website_sequence: 20 });
  const rare = await product({ name: 'Rare vase', website_sequence: 10 });
  const secret = await product({ name: 'Secret thing', website_published: false });
  const [lampSmall = 0, lampLarge = 0] = await variants(ctx, lamp);
  const [ropeVariant = 0] = await variants(ctx, rope);
  const [rareVariant = 0] = await variants(ctx, rare);
  const [secretVariant = 0] = await variants(ctx, secret);
  await ctx.model(ProductProduct).write(ropeVariant, { default_code: 'ROP-1' });
  await ctx.model(ShopTemplate).write(rare, { inventory: 'kept' });
  const stock = (await ctx.model(ProductStock).rowsOf([rareVariant])).get(rareVariant);
  await ctx.model(ProductStock).write(stock?.id ?? 0, { quantity: 3 });
  return {
    category,
    below,
    attribute,
    small,
    large,
    lamp,
    lampSmall,
    lampLarge,
    rope,
    ropeVariant,
    rare,
    rareVariant,
    secret,
    secretVariant,
  };
}

function variants(ctx: Ctx, template: Id): Promise<Id[]> {
  return ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]], { order: 'id' });
}

/** What `update_json` answers. */
export interface Updated {
  readonly line_id: number | false;
  readonly quantity: number;
  readonly cart_quantity: number;
  readonly amount_total: number;
  readonly 'website_sale.total': string;
  readonly warning?: string;
}

/** An address that fits. */
export const address = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  phone: '+32 2 555 12 12',
  street2: '12 Garden Lane',
  city: 'Brussels',
  zip: '1000',
  shipping_id: '0',
};

/** Puts something in a visitor's cart and gives an address. */
export async function fill(app: TestApp, visitor: Client, product: Id, quantity = 1): Promise<void> {
  await visitor.form('/shop/cart/update', { product_id: product, add_qty: quantity });
  const country_id = await app.read((ctx) => ctx.ref('base.be'));
  const answer = await visitor.form('/shop/confirm_order', { ...address, country_id });
  expect(answer.location).toBe('/shop/payment');
}

/** Begins to pay, and sends the form a browser would get; answers where it leads. */
export async function pay(visitor: Client, acquirer: Id): Promise<string> {
  return sendPayment(visitor, await visitor.rpc<string>(`/shop/payment/transaction/${acquirer}`, {}));
}

/** Sends the form of a provider. */
export async function sendPayment(visitor: Client, html: string): Promise<string> {
  const [form = ''] = /<form[^>]*data-slot="payment-form"[\s\S]*?<\/form>/.exec(html) ?? [];
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const fields = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  if (form.includes('method="get"')) return `${action}?${new URLSearchParams(fields)}`;
  return (await visitor.form(action, fields)).location ?? '';
}
