import { type Ctx, type Id, NotFound, redirect, route, z } from 'pergola';
import { SaleOrder } from '../models/sale-order.ts';
import { Transfers } from '../services/payment/transfers.ts';

const path = '/payment/address/:order/:token';
const params = { order: z.coerce.number().int().min(1).max(2_147_483_647), token: z.string().min(1).max(100) };
const rate = { calls: 120, seconds: 60 };

/** Target of the link in the email. It asks for another click, which shows that a person read the email rather than a scanner. */
export const addressPage = route.page(
  path,
  { name: 'sale.address_page', params, cache: false, rate },
  async ({ ctx, params: { order, token }, render }) => render('sale.confirm_address', await pageOf(ctx, order, token)),
);

/** Confirms that the address belongs to the order's customer. */
export const addressConfirm = route.form(
  path,
  { name: 'sale.address_confirm', params, writes: true, body: z.looseObject({}), rate },
  async ({ ctx, params: { order, token }, url }) => {
    const { link } = await pageOf(ctx, order, token);
    await ctx.sudo().model(SaleOrder).confirmAddress(order); // The token was sent to the address, and grants the right to confirm it.
    return redirect(url(link));
  },
);

/** @throws NotFound for a wrong token as well as for an unknown order */
async function pageOf(ctx: Ctx, order: Id, token: string) {
  const system = ctx.sudo(); // Compares the token before revealing anything about the order.
  const transfers = system.get(Transfers);
  const [row] = await system
    .model(SaleOrder)
    .read([order], { select: { name: true, invoice_email: true, state: true, payment_state: true } });
  const email = row?.invoice_email ?? '';
  if (!row || !transfers.isAddressToken(order, email, token))
    throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
  const waits = row.state === 'sent' && row.payment_state === 'pending';
  return {
    reference: row.name ?? '',
    email,
    open: waits && (await transfers.waitsForAddress(order)),
    path: `/payment/address/${order}/${token}`,
    link: (await system.model(SaleOrder).threadPaths([order])).get(order) || '/',
  };
}
