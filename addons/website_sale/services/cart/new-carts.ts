import { SaleOrder } from '@pergola/sale';
import { type Ctx, type Id, type Ids, signText, timingSafeEqualText } from 'pergola';
import { type RouteExtension, writeBeside } from 'pergola/http';
import { CART, isFor, openCart, partnerOf } from './session-cart.ts';

/** Prefix of the cookie that names a new cart; followed by its id. */
const COOKIE = 'shop_cart_';
const PURPOSE = 'website_sale.new_cart';
/** How long the cookie of a new cart is kept, in seconds. */
const COOKIE_MAX_AGE = 300;

interface Input {
  readonly ctx: Ctx;
  readonly request: {
    readonly cookies: Readonly<Record<string, string | undefined>>;
    setCookie(name: string, value: string, options: { maxAge: number }): void;
  };
}

/**
 * Keeps one cart for visitors whose first requests arrive at the same time. The requests have no session yet, so each creates its own cart
 * and session, and the browser keeps only the last session. Each response therefore also names its cart in a separate cookie; the next
 * request sends all of them, and the other carts are merged into the session's.
 *
 * @param routes names of routes that change carts; forms of actions have their own
 */
export function oneCart(routes: readonly string[]): readonly RouteExtension[] {
  return routes.map((route): RouteExtension => ({ route, around: mergeAndRemember }));
}

/** The same for pages that show a cart. Pages are read-only, so the carts are merged beforehand, in a separate transaction. */
export function oneCartShown(routes: readonly string[]): readonly RouteExtension[] {
  return routes.map((route): RouteExtension => ({ route, around: mergeFirst }));
}

async function mergeAndRemember({ ctx, request }: Input, next: () => Promise<unknown>): Promise<unknown> {
  const carts = otherCarts(ctx, request);
  if (carts && (await mergeCarts(ctx.sudo(), ctx, carts))) forget(request);
  const previousCart = ctx.session.get(CART);
  const answer = await next();
  const cart = ctx.session.get(CART);
  if (previousCart === undefined && typeof cart === 'number') remember(ctx, request, cart);
  return answer;
}

async function mergeFirst({ ctx, request }: Input, next: () => Promise<unknown>): Promise<unknown> {
  const carts = otherCarts(ctx, request);
  if (carts && (await writeBeside(ctx, (writing) => mergeCarts(writing, ctx, carts)))) forget(request);
  return next();
}

interface Others {
  readonly cart: Id;
  readonly others: Ids;
}

/** Returns the session's cart and other carts named by this visitor's cookies, or null if the cookies name no other cart. */
function otherCarts(ctx: Ctx, { cookies }: Input['request']): Others | null {
  const cart = ctx.session.get(CART);
  if (typeof cart !== 'number') return null;
  const otherIds = Object.entries(cookies).flatMap(([name, value = '']) => {
    const id = name.startsWith(COOKIE) ? Number(name.slice(COOKIE.length)) : Number.NaN;
    return Number.isSafeInteger(id) && id !== cart && isSigned(ctx, id, value) ? [id] : [];
  });
  return otherIds.length > 0 ? { cart, others: otherIds } : null;
}

/**
 * Merges the caller's other carts into the session's.
 *
 * @param system writes with elevated rights: the carts are the caller's own
 * @returns whether anything was merged
 */
async function mergeCarts(system: Ctx, { user, log }: Ctx, { cart, others: otherIds }: Others): Promise<boolean> {
  const orders = system.model(SaleOrder);
  await system.lock(SaleOrder, [cart, ...otherIds]);
  const isMergeable = async (id: Id): Promise<boolean> => {
    const order = await openCart(system, id);
    return order?.state === 'draft' && isFor(order, partnerOf(user));
  };
  if (!(await isMergeable(cart))) return false;
  let isMerged = false;
  for (const otherId of otherIds) {
    if (!(await isMergeable(otherId))) continue;
    try {
      await system.savepoint(() => orders.mergeInto(otherId, cart));
      isMerged = true;
    } catch (error) {
      log.warn({ err: error, cart, other: otherId }, 'Two new carts of a visitor could not be merged');
    }
  }
  return isMerged;
}

function remember(ctx: Ctx, request: Input['request'], cart: Id): void {
  const until = Math.floor(ctx.now().getTime() / 1000) + COOKIE_MAX_AGE;
  request.setCookie(`${COOKIE}${cart}`, `${until}.${signatureOf(ctx, cart, until)}`, { maxAge: COOKIE_MAX_AGE });
}

function forget(request: Input['request']): void {
  for (const name of Object.keys(request.cookies))
    if (name.startsWith(COOKIE)) request.setCookie(name, '', { maxAge: 0 });
}

function isSigned(ctx: Ctx, cart: Id, value: string): boolean {
  const [until = '', signature = ''] = value.split('.');
  return (
    Number(until) * 1000 > ctx.now().getTime() && timingSafeEqualText(signatureOf(ctx, cart, Number(until)), signature)
  );
}

function signatureOf(ctx: Ctx, cart: Id, until: number): string {
  return signText(ctx.config.sessionSecret, PURPOSE, `${cart}:${until}`);
}
