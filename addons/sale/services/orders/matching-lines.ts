import type { Ctx, FieldsOf, Id, Values } from 'pergola';
import type { SaleOrder } from '../../models/sale-order.ts';
import { SaleOrderLine } from '../../models/sale-order-line.ts';
import { currentOffers, type LineOffer, sameNumber } from './current-offers.ts';
import { type Offer, sameTaxes } from './offer.ts';

type OrderValues = Values<FieldsOf<SaleOrder>>;

/** Which values of a line match the shop's offer. */
interface Shared {
  readonly price: boolean;
  readonly taxes: boolean;
  readonly text: boolean;
}

function matchWithOffer(line: Omit<LineOffer, 'offer'>, offer: Offer): Shared {
  return {
    price: sameNumber(offer.price_unit, line.price_unit),
    taxes: sameTaxes(offer.tax_id, line.tax_id),
    text: offer.name === line.name,
  };
}

/** Returns lines that are given a price or another product. */
function linesSetByHand(commands: OrderValues['order_line']): ReadonlySet<Id> {
  const updates = (Array.isArray(commands) ? commands : []).flatMap((command) =>
    typeof command === 'object' && 'update' in command ? [command] : [],
  );
  const edits = updates.filter(({ values }) => 'price_unit' in values || 'product_id' in values);
  return new Set(edits.map(({ update }) => update));
}

/** Lines of an order that match the shop's offer, with the values that do. */
export type MatchingLines = ReadonlyMap<Id, Shared>;

/** Returns the lines of an order that match the shop's offer, without those that `commands` set by hand. Needs elevated rights. */
export async function matchingLines(ctx: Ctx, order: Id, commands: OrderValues['order_line']): Promise<MatchingLines> {
  const editedLines = linesSetByHand(commands);
  const lines = await currentOffers(ctx, order);
  return new Map(
    lines.flatMap(({ id, offer, ...line }) =>
      offer && !editedLines.has(id) ? [[id, matchWithOffer({ id, ...line }, offer)] as const] : [],
    ),
  );
}

/** Updates lines that matched the shop's offer to the offer under the new terms. Needs elevated rights. */
export async function updateMatchingLines(ctx: Ctx, id: Id, following: MatchingLines): Promise<void> {
  const offers = (await currentOffers(ctx, id)).flatMap(({ offer, ...line }) => {
    const shared = following.get(line.id);
    return offer && shared ? [{ line, offer, shared }] : [];
  });
  const taxed = offers.filter(({ line, offer, shared }) => shared.taxes && !sameTaxes(offer.tax_id, line.tax_id));
  // Most lines have the same taxes, so their links are written in groups.
  for (const group of Map.groupBy(taxed, ({ offer }) => offer.tax_id.join()).values()) {
    const lines = group.map(({ line }) => line.id);
    await ctx.model(SaleOrderLine).write(lines, { tax_id: [{ set: group[0]?.offer.tax_id ?? [] }] });
  }
  const changes = offers.flatMap(({ line, offer, shared }) => {
    const { name, price_unit, price_list, tax_id, last_offer } = offer;
    const isRepriced = shared.price && !sameNumber(price_unit, line.price_unit);
    const isRetaxed = shared.taxes && !sameTaxes(tax_id, line.tax_id);
    const values = {
      ...(isRepriced ? { price_unit, price_list } : {}),
      ...(isRepriced || isRetaxed ? { last_offer } : {}),
      ...(shared.text && name !== line.name ? { name } : {}),
    };
    return Object.keys(values).length > 0 ? [{ update: line.id, values }] : [];
  });
  if (changes.length > 0) await ctx.model('sale.order').write(id, { order_line: changes });
}
