import type { Ctx, Decimal, FieldsOf, Id, Values } from 'pergola';
import type { Client } from 'pergola/testing';
import { AccountTax } from '../models/account-tax.ts';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { ProductProduct } from '../models/product-product.ts';
import { ProductTemplate } from '../models/product-template.ts';
import { SaleCompany } from '../models/res-company.ts';
import { SaleOrder } from '../models/sale-order.ts';

/** A product with one variant; answers the variant. */
export async function makeProduct(
  ctx: Ctx,
  values: Values<FieldsOf<ProductTemplate>> = {},
  stock?: number,
): Promise<Id> {
  const template = await ctx.model(ProductTemplate).create({
    name: 'Garden chair',
    list_price: '10' as Decimal,
    ...(stock === undefined ? {} : { inventory: 'kept' as const }),
    ...values,
  });
  const [product] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
  if (product === undefined) throw new Error('The product has no variant.');
  if (stock !== undefined) await ctx.model(ProductProduct).setStock(product, stock);
  return product;
}

/** A tax of so many per cent. */
export function makeTax(ctx: Ctx, amount: string, values: Values<FieldsOf<AccountTax>> = {}): Promise<Id> {
  return ctx.model(AccountTax).create({ name: `VAT ${amount} %`, amount, ...values });
}

/** A cart with an address, ready to be paid; with `pieces` of each product. */
export async function makeCart(ctx: Ctx, products: readonly Id[] = [], pieces = 1): Promise<Id> {
  const orders = ctx.model(SaleOrder);
  const id = await orders.openCart({ lang: 'en_US' });
  for (const product of products) await orders.setLine(id, { product, set: pieces });
  await orders.setAddress(id, {
    billing: { name: 'Ada Lovelace', email: 'ada@example.com', street2: '12 Rue du Lac', city: 'Lyon', zip: '69001' },
  });
  return id;
}

/** Gives the main company a bank account, without which transfers are not offered. */
export async function giveBankAccount(ctx: Ctx): Promise<void> {
  const company = ctx.model(SaleCompany);
  const [id = 0] = await company.search([], { order: 'id', limit: 1 });
  const { bank_account } = await company.get(id, { select: { bank_account: true } });
  if (!bank_account) await company.write(id, { bank_account: 'FR76 3000 6000 0112 3456 7890 189' });
}

/** The acquirer of a provider; transfers are offered from then on, if the context may write. */
export async function acquirerOf(ctx: Ctx, provider: 'transfer' | 'test_card'): Promise<Id> {
  const [id] = await ctx.model(PaymentAcquirer).search([['provider', '=', provider]]);
  if (id === undefined) throw new Error(`There is no acquirer of ${provider}.`);
  if (provider === 'transfer' && ctx.writes) await giveBankAccount(ctx);
  return id;
}

/** The test card, offered to customers as the demo data does; answers the acquirer. */
export async function offerTestCard(ctx: Ctx): Promise<Id> {
  const card = await acquirerOf(ctx, 'test_card');
  await ctx.model(PaymentAcquirer).write(card, { website_published: true });
  return card;
}

/** What an order came to. */
export function totalsOf(ctx: Ctx, id: Id) {
  return ctx.model(SaleOrder).get(id, {
    select: {
      name: true,
      state: true,
      amount_untaxed: true,
      amount_tax: true,
      amount_total: true,
      cart_quantity: true,
      version: true,
      blocked_reason: true,
      payment_state: true,
      is_cart: true,
      order_line: { product_id: true, product_uom_qty: true, price_unit: true, price_subtotal: true, name: true },
    },
  });
}

/** The refusal of something that must not work; fails when it does. */
export async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`It was done: ${JSON.stringify(outcome.value)}`);
  const { error } = outcome;
  if (error instanceof Object && 'code' in error && 'message' in error)
    return { code: String(error.code), message: String(error.message) };
  throw error;
}

/** What an import came to. */
export interface ImportOutcome {
  readonly kept: boolean;
  readonly errors: readonly { readonly line: number; readonly column: string; readonly message: string }[];
}

/** A text file as calls carry it. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Imports price rules with these values of a field; returns the stored values, or the faults. */
export async function importPriceRules(client: Client, field: string, cells: readonly string[]) {
  const kw = <T>(model: string, method: string, args: unknown[]) =>
    client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
  const [currency_id] = await kw<number[]>('res.currency', 'search', [[['name', '=', 'EUR']]]);
  const pricelist = await kw<number>('product.pricelist', 'create', [{ name: 'Imported', currency_id }]);
  const outcome = await client.rpc<ImportOutcome>('/web/backend/import/run', {
    model: 'product.pricelist.item',
    file: base64(`p;v\n${cells.map((cell) => `${pricelist};"${cell}"`).join('\n')}\n`),
    mapping: ['pricelist_id/.id', field],
    dryRun: false,
  });
  if (!outcome.kept) return outcome.errors.map(({ message }) => message);
  const args = [[['pricelist_id', '=', pricelist]], [field], 0, 0, 'id'];
  const records = await kw<Record<string, number>[]>('product.pricelist.item', 'search_read', args);
  return records.map((record) => record[field]);
}
