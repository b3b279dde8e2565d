import { type Ctx, type Id, type Ids, plusDays } from '#core';
import { QuoteTemplate } from '../models/quote-template.ts';
import { QuotedOrder } from '../models/sale-order.ts';
import { QuotedLine } from '../models/sale-order-line.ts';
import { SaleOrderOption } from '../models/sale-order-option.ts';

/** Gives quotations what their template says, in their language: lines and options in place of those they had, text, terms, how long they hold. */
export async function applyTemplate(ctx: Ctx, ids: Ids, about: { isNew?: boolean } = {}): Promise<void> {
  for (const { id, template_id, lang } of await ctx
    .model(QuotedOrder)
    .read(ids, { select: { template_id: true, lang: true } })) {
    if (template_id) await applyOne(lang ? ctx.as({ lang }) : ctx, id, template_id, about.isNew ?? false);
  }
}

async function applyOne(ctx: Ctx, order: Id, template: Id, isNew: boolean): Promise<void> {
  const about = await ctx.model(QuoteTemplate).get(template, {
    select: {
      website_description: true,
      note: true,
      number_of_days: true,
      quote_line: {
        sequence: true,
        product_id: true,
        name: true,
        product_uom_qty: true,
        product_uom_id: true,
        price_unit: true,
        discount: true,
        website_description: true,
      },
      options: {
        sequence: true,
        product_id: true,
        name: true,
        quantity: true,
        uom_id: true,
        price_unit: true,
        discount: true,
        website_description: true,
      },
    },
  });
  const lines = ctx.model(QuotedLine);
  const options = ctx.model(SaleOrderOption);
  const { order_line: old, validity_date: until } = await ctx
    .model(QuotedOrder)
    .get(order, { select: { order_line: true, validity_date: true } });
  await lines.unlink(old);
  await options.unlink(await options.search([['order_id', '=', order]]));
  await lines.create(
    about.quote_line.map(({ id: _, product_uom_id, ...line }) => ({
      ...line,
      order_id: order,
      product_uom: product_uom_id,
    })),
  );
  await options.create(about.options.map(({ id: _, ...option }) => ({ ...option, order_id: order })));
  const days = about.number_of_days ?? 0;
  await ctx.model(QuotedOrder).write(order, {
    website_description: about.website_description,
    ...(about.note ? { note: about.note } : {}),
    // A day that was given with a new quotation stays.
    ...(isNew && until !== null ? {} : { validity_date: days > 0 ? plusDays(ctx.today(), days) : null }),
  });
}
