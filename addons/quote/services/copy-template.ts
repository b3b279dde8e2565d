import type { Ctx, Id, Ids } from 'pergola';
import { QuoteTemplate } from '../models/quote-template.ts';
import { QuotedLine } from '../models/sale-order-line.ts';
import { SaleOrderOption } from '../models/sale-order-option.ts';

/** Values that a quotation takes over from its template besides lines and options. */
interface TemplateTerms {
  readonly website_description: string | null;
  readonly note: string | null;
  readonly number_of_days: number | null;
}

/** Replaces the lines and options of a quotation by those of a template, in the context's language. @param oldLines to delete */
export async function copyTemplate(ctx: Ctx, order: Id, template: Id, oldLines: Ids): Promise<TemplateTerms> {
  const item = {
    sequence: true,
    product_id: true,
    name: true,
    price_unit: true,
    discount: true,
    website_description: true,
  } as const;
  const {
    quote_line,
    options: offered,
    ...terms
  } = await ctx.model(QuoteTemplate).get(template, {
    select: {
      website_description: true,
      note: true,
      number_of_days: true,
      quote_line: { ...item, product_uom_qty: true, product_uom_id: true },
      options: { ...item, quantity: true, uom_id: true },
    },
  });
  const lines = ctx.model(QuotedLine);
  const options = ctx.model(SaleOrderOption);
  await lines.unlink(oldLines);
  await options.unlink(await options.search([['order_id', '=', order]]));
  await lines.create(
    quote_line.map(({ id: _, product_uom_id, ...line }) => ({ ...line, order_id: order, product_uom: product_uom_id })),
  );
  await options.create(offered.map(({ id: _, ...option }) => ({ ...option, order_id: order })));
  return terms;
}
