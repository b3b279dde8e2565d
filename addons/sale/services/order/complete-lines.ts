import { type Ctx, type Decimal, type FieldsOf, type Id, InvalidInput, type Values } from '#core';
import { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';

type LineValues = Values<FieldsOf<SaleOrderLine>>;

/** New lines that name a product and leave price, text or taxes to the shop get its offer; what is given stays. */
export async function completeLines(ctx: Ctx, values: readonly LineValues[]): Promise<LineValues[]> {
  const complete = [...values];
  const open = values.flatMap((value, place) => (isOpen(value) ? [{ value, place }] : []));
  for (const [orderId, asked] of Map.groupBy(open, ({ value }) => idOf(value.order_id))) {
    const offers = await offersOf(
      ctx,
      orderId,
      asked.map(({ value }) => value),
    );
    for (const [index, { value, place }] of asked.entries()) {
      const offer = offers[index];
      if (!offer) throw await notOffered(ctx, value);
      complete[place] = { ...offer, tax_id: [...offer.tax_id], ...given(value) };
    }
  }
  return complete;
}

async function notOffered(ctx: Ctx, value: LineValues): Promise<InvalidInput> {
  const request = { product: idOf(value.product_id), quantity: '1', extra: value };
  const message = await ctx.sudo().model(SaleOrderLine).notOffered(request); // Why it is not sold is told to whoever tried.
  return new InvalidInput(message, { code: 'sale.not_sold', fields: { product_id: message } });
}

/** Whether something of a line with a product is left to the shop. */
function isOpen(value: LineValues): boolean {
  return (
    typeof value.product_id === 'number' && (isMissing(value.price_unit) || isMissing(value.name) || !value.tax_id)
  );
}

async function offersOf(
  ctx: Ctx,
  order: Id,
  values: readonly LineValues[],
): Promise<Awaited<ReturnType<SaleOrderLine['offers']>>> {
  const system = ctx.sudo(); // Whoever may add a line gets the prices of the shop, which they need not be able to read.
  const row = await system.model(SaleOrder).get(order, {
    select: { pricelist_id: true, currency_id: true, fiscal_position: true, lang: true, partner_id: true },
  });
  return system.model(SaleOrderLine).offers(
    {
      pricelist: row.pricelist_id,
      currency: row.currency_id,
      fiscalPosition: row.fiscal_position,
      lang: row.lang,
      partner: row.partner_id,
    },
    values.map((value) => ({
      product: idOf(value.product_id),
      quantity: (value.product_uom_qty as Decimal | undefined) ?? '1',
      extra: value,
    })),
  );
}

function given(value: LineValues): LineValues {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isMissing(one))) as LineValues;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function idOf(value: unknown): Id {
  return typeof value === 'number' ? value : 0;
}
