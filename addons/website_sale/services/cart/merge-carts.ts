import { SaleOrder, SaleOrderLine } from '@pergola/sale';
import { type Ctx, type Id, identityOf, z } from 'pergola';
import { ShopPricelist } from '../../models/product-pricelist.ts';
import { ShopPartner } from '../../models/res-partner.ts';
import { ShopOrder } from '../../models/sale-order.ts';
import { t } from '../../texts.ts';
import { pricesFor } from '../pricing-context.ts';
import { CART, cartOfCustomer, isBeingPaid, isFor, openCart, partnerOf } from './session-cart.ts';

/** Session key for the result of merging a customer's carts at sign-in, kept until the cart changes. */
const NOTES = 'sale_merge_notes';

const note = z.discriminatedUnion('kind', [
  /** Products from an earlier visit were added. */
  z.object({ kind: z.literal('added') }),
  /** A line has fewer pieces than both carts together had. */
  z.object({ kind: z.literal('fewer'), name: z.string(), quantity: z.number() }),
  /** The earlier cart had other prices. */
  z.object({ kind: z.literal('prices'), code: z.string().nullable() }),
  /** The address typed for this order was kept instead of the account's. */
  z.object({ kind: z.literal('address') }),
  z.object({ kind: z.literal('failed') }),
]);
type Note = z.infer<typeof note>;

const keptNotes = z.object({ cart: z.number(), notes: z.array(note) });

/** Describes the result of the merge at sign-in, for the pages of the checkout, in the context's language. */
export function mergeTexts(ctx: Ctx, cart: Id): string[] {
  const { data } = keptNotes.safeParse(ctx.session.get(NOTES));
  return data?.cart === cart ? data.notes.map((savedNote) => textOf(ctx, savedNote)) : [];
}

/** Clears the notes once the customer has seen them and changed their cart. */
export function forgetMerge(ctx: Ctx): void {
  if (ctx.session.get(NOTES) !== undefined) ctx.session.set(NOTES, undefined);
}

function textOf(ctx: Ctx, mergeNote: Note): string {
  switch (mergeNote.kind) {
    case 'added':
      return t(ctx, 'We added the items from your last visit to your cart.');
    case 'fewer':
      return mergeNote.quantity > 0
        ? t(ctx, '“{name}”: only {quantity} could be kept.', { name: mergeNote.name, quantity: mergeNote.quantity })
        : t(ctx, '“{name}” could not be kept.', { name: mergeNote.name });
    case 'prices':
      return mergeNote.code === null
        ? t(ctx, 'Your earlier cart had different prices. It now has the prices shown in the shop.')
        : t(ctx, 'The promo code {code} from your earlier cart no longer applies.', {
            code: mergeNote.code,
          });
    case 'address':
      return t(ctx, 'We kept the address you entered for this order.');
    default:
      return t(ctx, 'The items from your last visit could not be added to your cart.');
  }
}

/**
 * Merges the session's cart with the customer's earlier one at sign-in, however they sign in. The latest choice wins: this session's cart
 * keeps its prices, language, addresses and note, and takes missing values from the earlier cart, then from the account. A cart that can't
 * be merged is left unchanged and doesn't prevent signing in.
 */
export async function takeCartAlong(ctx: Ctx, userId: Id): Promise<void> {
  const identity = await identityOf(ctx, userId);
  const partner = identity && partnerOf(identity);
  if (partner === null) return;
  const keep = (notes: readonly Note[]): void => {
    const cart = ctx.session.get(CART);
    if (notes.length > 0 && typeof cart === 'number') ctx.session.set(NOTES, { cart, notes });
  };
  try {
    keep(await ctx.savepoint(() => merge(ctx, partner)));
  } catch (error) {
    ctx.log.warn({ err: error, userId }, 'The carts of a customer could not be merged');
    keep([{ kind: 'failed' }]);
  }
}

/** Merges the carts, and sets the session's cart. */
async function merge(ctx: Ctx, partner: Id): Promise<Note[]> {
  const system = ctx.sudo(); // The carts are the customer's own.
  const sessionOrder = await openCart(ctx, ctx.session.get(CART));
  const current = sessionOrder && isFor(sessionOrder, partner) ? sessionOrder : null;
  const latest = await cartOfCustomer(ctx, partner, current?.id);
  const previous = latest !== null && !(await isBeingPaid(ctx, latest)) ? latest : null;
  if (current === null) {
    ctx.session.set(CART, latest ?? undefined);
    if (previous === null) return [];
    const { pricelist } = await pricesFor(ctx, partner, [previous]);
    const notes = await priceNotes(ctx, previous, pricelist);
    await system.model(SaleOrder).write(previous, { pricelist_id: pricelist });
    return notes;
  }
  // A payment in progress continues, and the earlier cart waits.
  if (current.state !== 'draft') return [];
  const { pricelist } = await pricesFor(ctx, partner, previous === null ? [current.id] : [current.id, previous]);
  const notes = previous === null ? [] : await priceNotes(ctx, previous, pricelist);
  const address = await latestAddress(ctx, { here: current.id, before: previous, partner });
  if (address.isTyped) notes.push({ kind: 'address' });
  const quantities = previous === null ? null : await quantitiesOf(ctx, [current.id, previous]);
  await system
    .model(ShopOrder)
    .write(current.id, { ...address.values, partner_id: partner, pricelist_id: pricelist, lang: ctx.lang });
  if (previous === null || quantities === null) return notes;
  await system.model(SaleOrder).mergeInto(previous, current.id);
  const hadItems = quantities.carts.get(previous) === true;
  return [
    ...(hadItems ? [{ kind: 'added' } as const] : []),
    ...reducedLines(quantities, await quantitiesOf(ctx, [current.id])),
    ...notes,
  ];
}

/** Returns a note if the earlier cart had chosen prices that no longer apply. */
async function priceNotes(ctx: Ctx, previous: Id, pricelist: Id | null): Promise<Note[]> {
  const system = ctx.sudo(); // The cart is the customer's own.
  const { pricelist_id } = await system.model(SaleOrder).get(previous, { select: { pricelist_id: true } });
  if (pricelist_id === null || pricelist_id === pricelist) return [];
  const [list] = await system.model(ShopPricelist).read([pricelist_id], { select: { code: true, selectable: true } });
  const code = list?.code?.trim() || null;
  return code !== null || list?.selectable ? [{ kind: 'prices', code }] : [];
}

const addressColumns = {
  invoice_name: true,
  invoice_company: true,
  invoice_email: true,
  invoice_phone: true,
  invoice_street: true,
  invoice_street2: true,
  invoice_zip: true,
  invoice_city: true,
  invoice_state_id: true,
  invoice_country_id: true,
  invoice_vat: true,
  shipping_same: true,
  shipping_name: true,
  shipping_company: true,
  shipping_phone: true,
  shipping_street: true,
  shipping_street2: true,
  shipping_zip: true,
  shipping_city: true,
  shipping_state_id: true,
  shipping_country_id: true,
} as const;

/**
 * Chooses the address and note of an order when its customer signs in: the address typed for it; otherwise the earlier cart's, unless the
 * account has changed since; otherwise the account's, which comes with the customer.
 */
async function latestAddress(
  ctx: Ctx,
  { here: current, before: previous, partner }: { readonly here: Id; readonly before: Id | null; readonly partner: Id },
) {
  const orders = ctx.sudo().model(ShopOrder); // The carts are the customer's own.
  const select = { ...addressColumns, partner_id: true, customer_note: true, write_date: true } as const;
  const sessionCart = await orders.get(current, { select });
  const earlier = previous === null ? null : await orders.get(previous, { select });
  const note = { customer_note: sessionCart.customer_note ?? earlier?.customer_note ?? null };
  // An address on the customer's own cart stays.
  if (sessionCart.partner_id === partner) return { isTyped: false, values: note };
  if (sessionCart.invoice_name) return { isTyped: true, values: { ...addressOf(sessionCart), ...note } };
  const { write_date } = await ctx
    .sudo() // The contact is the customer's own.
    .model(ShopPartner)
    .get(partner, { select: { write_date: true } });
  const isLater = earlier?.write_date && write_date && earlier.write_date > write_date;
  return { isTyped: false, values: { ...(earlier?.invoice_name && isLater ? addressOf(earlier) : {}), ...note } };
}

type Address = { readonly [Name in keyof typeof addressColumns]: unknown };

function addressOf(order: Address): Address {
  return Object.fromEntries(Object.keys(addressColumns).map((name) => [name, order[name as keyof Address]])) as Address;
}

interface Quantities {
  readonly lines: ReadonlyMap<string, { readonly name: string; readonly quantity: number }>;
  /** Whether each cart has lines. */
  readonly carts: ReadonlyMap<Id, boolean>;
}

/** Sums the quantities of equal lines over several carts. */
async function quantitiesOf(ctx: Ctx, carts: readonly Id[]): Promise<Quantities> {
  const lines = ctx.sudo().model(SaleOrderLine); // The carts are the customer's own.
  const rows = await lines.find([['order_id', 'in', carts]], {
    select: { order_id: true, product_id: true, name: true, product_uom_qty: true },
  });
  const sums = new Map<string, { name: string; quantity: number }>();
  for (const { id, product_id, name, product_uom_qty } of rows) {
    const key = JSON.stringify([product_id, await lines.extraOf(id)]);
    const quantity = (sums.get(key)?.quantity ?? 0) + Number(product_uom_qty);
    sums.set(key, { name: name.split('\n', 1)[0] ?? '', quantity });
  }
  return { lines: sums, carts: new Map(carts.map((cart) => [cart, rows.some(({ order_id }) => order_id === cart)])) };
}

function reducedLines(expected: Quantities, now: Quantities): Note[] {
  return [...expected.lines].flatMap(([key, { name, quantity }]) => {
    const merged = now.lines.get(key)?.quantity ?? 0;
    return merged < quantity ? [{ kind: 'fewer' as const, name, quantity: merged }] : [];
  });
}
