import { question } from '@pergola/web';
import type { Ctx, Ids } from 'pergola';
import { ProductProduct } from './models/product-product.ts';
import { ProductTemplate } from './models/product-template.ts';
import { t } from './texts.ts';

export const questions = [
  question(ProductTemplate, {
    fields: ['attribute_line_ids'],
    ask: async (ctx, { ids, values }) => {
      if (!removesValues(values.attribute_line_ids) || !(await haveOwnData(ctx, ids))) return null;
      return {
        text: t(
          ctx,
          'Variants whose attribute values you remove are deleted with their reference, barcode and stock, or archived if an order contains them.',
        ),
        yes: t(ctx, 'Change attributes'),
      };
    },
  }),
];

/** Whether the commands change or remove lines; new lines keep the existing variants. */
function removesValues(commands: unknown): boolean {
  return (
    Array.isArray(commands) &&
    commands.some((command) => Array.isArray(command) && command[0] !== 0 && command[0] !== 4)
  );
}

/** Whether variants of products have their own reference, barcode or stock. */
async function haveOwnData(ctx: Ctx, products: Ids): Promise<boolean> {
  const variants = await ctx
    .model(ProductProduct)
    .find([['product_tmpl_id', 'in', products]], { select: { default_code: true, ean13: true, qty_available: true } });
  return variants.some(({ default_code, ean13, qty_available }) => default_code || ean13 || (qty_available ?? 0) > 0);
}
