import { ProductProduct, ProductTemplate, SaleOrder } from '@pergola/sale';
import type { Ctx, Decimal, Id } from 'pergola';
import type { TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { QuotedOrder } from '../models/sale-order.ts';
import { SaleOrderOption } from '../models/sale-order-option.ts';

/** A quotation as its customer knows it. */
export interface Quote {
  readonly id: Id;
  readonly token: string;
  readonly path: string;
  readonly lines: readonly Id[];
  readonly option: Id;
  readonly product: Id;
}

/** Two lines and an option, sent to a customer. */
export async function makeQuote(
  app: TestApp,
  values: object = {},
  about: { stock?: number; sent?: boolean } = {},
): Promise<Quote> {
  const { sent = true, stock } = about;
  return app.write(async (ctx) => {
    const product = await productOf(ctx, 'Garden bench', '100', stock);
    const other = await productOf(ctx, 'Parasol', '50');
    const orders = ctx.model(QuotedOrder);
    const id = await orders.create({
      invoice_name: 'Ada Lovelace',
      invoice_email: 'ada@example.com',
      lang: 'en_US',
      order_line: [
        { create: { product_id: product, product_uom_qty: '2' } },
        { create: { product_id: other, product_uom_qty: '1', discount: '10' } },
      ],
      ...values,
    });
    const option = await ctx.model(SaleOrderOption).create({
      order_id: id,
      product_id: other,
      name: 'A second parasol',
      price_unit: '40' as Decimal,
      quantity: '1' as Decimal,
    });
    if (sent) await orders.send([id]);
    const { access_token: token, order_line: lines } = await orders.get(id, {
      select: { access_token: true, order_line: true },
    });
    return { id, token, path: `/quote/${id}/${token}`, lines, option, product };
  });
}

async function productOf(ctx: Ctx, name: string, price: string, stock?: number): Promise<Id> {
  const template = await ctx.model(ProductTemplate).create({
    name,
    list_price: price as Decimal,
    taxes_id: [],
    ...(stock === undefined ? {} : { inventory: 'kept' as const }),
  });
  const [product = 0] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
  if (stock !== undefined) await ctx.model(ProductProduct).setStock(product, stock);
  return product;
}

/** What has become of a quotation. */
export function quoteOf(app: TestApp, id: Id) {
  return app.read((ctx) =>
    ctx.model(QuotedOrder).get(id, {
      select: {
        state: true,
        amount_total: true,
        version: true,
        signer: true,
        signed_hash: true,
        signed_date: true,
        signature: true,
        signed_document_id: true,
        decline_reason: true,
        viewed_date: true,
        validity_date: true,
        order_line: { product_uom_qty: true, name: true },
      },
    }),
  );
}

/** What customers can see of the history. */
export async function historyOf(app: TestApp, id: Id): Promise<string[]> {
  const said = await app.read((ctx) => ctx.model(SaleOrder).messages(id));
  return said.map(({ body }) => (body ?? '').replace(/<[^>]+>/g, '').trim());
}

/** A drawn signature, in base64. */
export async function drawn(): Promise<string> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><path d="M20 70C60 10 90 90 140 40S240 60 280 30" stroke="#10233f" stroke-width="4" fill="none"/></svg>';
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}

/** Nothing drawn: white, transparent, or any one colour. */
export async function blank(background: string, alpha = 1): Promise<string> {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
  const picture = sharp({ create: { width: 300, height: 100, channels: 4, background: { r, g, b, alpha } } });
  return (await picture.png().toBuffer()).toString('base64');
}
