import { ProductProduct } from '@pergola/sale';
import { type Decimal, extend, type Id } from 'pergola';

/** Fills in quotation lines and options from their products. */
export const QuotedVariant = extend(
  ProductProduct,
  {},
  (Base) =>
    class extends Base {
      /** Completes values with text, price and unit of their product where they are missing; `unit` names the unit field. */
      async completed<V extends { readonly product_id?: unknown }, U extends string>(
        values: readonly V[],
        unit: U,
      ): Promise<(V & { name?: string; price_unit?: Decimal } & { [K in U]?: Id })[]> {
        const ids = values.flatMap(({ product_id: id }) => (typeof id === 'number' ? [id] : []));
        const rows = await this.read([...new Set(ids)], {
          select: { display_name: true, lst_price: true, product_tmpl_id: { description_sale: true, uom_id: true } },
        });
        const products = new Map(rows.map((row) => [row.id, row]));
        return values.map((value) => {
          const product = typeof value.product_id === 'number' ? products.get(value.product_id) : undefined;
          const { description_sale: text, uom_id: uom } = product?.product_tmpl_id ?? {};
          const entries = Object.entries(value).filter(
            ([, fieldValue]) => fieldValue !== undefined && fieldValue !== null && fieldValue !== '',
          );
          return {
            ...(product ? { name: text ? `${product.display_name}\n${text}` : product.display_name } : {}),
            ...(product?.lst_price ? { price_unit: product.lst_price } : {}),
            ...(uom ? { [unit]: uom } : {}),
            ...Object.fromEntries(entries),
          } as V & { name?: string; price_unit?: Decimal } & { [K in U]?: Id };
        });
      }
    },
);
