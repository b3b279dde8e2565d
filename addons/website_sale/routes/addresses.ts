import { type InvalidForm, NotFound, type Reply, redirect, route, z } from 'pergola';
import { addressesValues, addressValues } from '../pages/addresses.ts';
import { addressBody } from '../services/checkout/address-fields.ts';
import { type OwnAddress, OwnAddresses } from '../services/checkout/own-addresses.ts';
import { t } from '../texts.ts';

const path = '/my/addresses';
const id = z.coerce.number().int().min(1).max(2_147_483_647);
/** `/my/addresses/invoice`, `/my/addresses/new`, `/my/addresses/12` */
const target = z.union([z.literal('invoice'), z.literal('new'), id]);
const params = { which: target };
const signedIn = { auth: 'user' } as const;
const rate = { name: 'website_sale.addresses', calls: 120, seconds: 3600, by: 'user' } as const;

const list = route.page(
  path,
  { name: 'website_sale.addresses', ...signedIn, query: z.object({ done: z.literal('1').optional() }), cache: false },
  async ({ ctx, query, render }) =>
    render('website_sale.addresses', { ...(await addressesValues(ctx)), done: query.done === '1' }),
);

const addressOf = (choice: z.infer<typeof target>): OwnAddress | null => (choice === 'new' ? null : choice);

const form = route.page(
  `${path}/:which`,
  { name: 'website_sale.address', ...signedIn, params, cache: false },
  async ({ ctx, params: routeParams, render }) =>
    render('website_sale.address', await addressValues(ctx, addressOf(routeParams.which))),
);

const save = route.form(
  `${path}/:which`,
  { name: 'website_sale.address_post', ...signedIn, writes: true, params, body: addressBody, rate, invalid: showAgain },
  async ({ ctx, params: routeParams, body, url }) => {
    await ctx.get(OwnAddresses).save(addressOf(routeParams.which), body);
    return redirect(`${url(path)}?done=1`);
  },
);

async function showAgain({
  ctx,
  params: routeParams,
  values,
  errors,
  message,
  render,
}: InvalidForm<unknown>): Promise<Reply> {
  const requested = target.safeParse((routeParams as { which?: unknown }).which).data;
  if (requested === undefined) throw new NotFound('We can’t find this address.', { code: 'website_sale.no_address' });
  const rejected = { values, errors, message };
  return render('website_sale.address', await addressValues(ctx, addressOf(requested), rejected));
}

const remove = route.form(
  `${path}/:id/remove`,
  {
    name: 'website_sale.address_remove',
    confirm: (ctx) => ({ question: t(ctx, 'Delete this address?'), yes: t(ctx, 'Delete') }),
    page: path,
    ...signedIn,
    writes: true,
    params: { id },
    body: z.object({}),
    rate,
  },
  async ({ ctx, params: routeParams, url }) => {
    await ctx.get(OwnAddresses).remove(routeParams.id);
    return redirect(`${url(path)}?done=1`);
  },
);

const makeDefault = route.form(
  `${path}/usual`,
  {
    name: 'website_sale.address_usual',
    page: '/shop/checkout',
    ...signedIn,
    writes: true,
    body: z.object({ address: z.coerce.number().int().min(0).max(2_147_483_647) }),
    rate,
  },
  async ({ ctx, body, url }) => {
    await ctx.get(OwnAddresses).makeUsual(body.address);
    return redirect(`${url(path)}?done=1`);
  },
);

export const addressRoutes = [list, makeDefault, form, save, remove];
