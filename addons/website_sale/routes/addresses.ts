import { type InvalidForm, NotFound, type Reply, redirect, route, z } from 'pergola';
import { addressesValues, addressValues } from '../pages/addresses.ts';
import { addressBody } from '../services/checkout/address-fields.ts';
import { type OwnAddress, OwnAddresses } from '../services/checkout/own-addresses.ts';
import { t } from '../texts.ts';

const path = '/my/addresses';
const id = z.coerce.number().int().min(1).max(2_147_483_647);
/** `/my/addresses/invoice`, `/my/addresses/new`, `/my/addresses/12` */
const which = z.union([z.literal('invoice'), z.literal('new'), id]);
const params = { which };
const mine = { auth: 'user' } as const;
const rate = { name: 'website_sale.addresses', calls: 120, seconds: 3600, by: 'user' } as const;

const list = route.page(
  path,
  { name: 'website_sale.addresses', ...mine, query: z.object({ done: z.literal('1').optional() }), cache: false },
  async ({ ctx, query, render }) =>
    render('website_sale.addresses', { ...(await addressesValues(ctx)), done: query.done === '1' }),
);

const chosen = (one: z.infer<typeof which>): OwnAddress | null => (one === 'new' ? null : one);

const form = route.page(
  `${path}/:which`,
  { name: 'website_sale.address', ...mine, params, cache: false },
  async ({ ctx, params: given, render }) =>
    render('website_sale.address', await addressValues(ctx, chosen(given.which))),
);

const save = route.form(
  `${path}/:which`,
  { name: 'website_sale.address_post', ...mine, writes: true, params, body: addressBody, rate, invalid: again },
  async ({ ctx, params: given, body, url }) => {
    await ctx.get(OwnAddresses).save(chosen(given.which), body);
    return redirect(`${url(path)}?done=1`);
  },
);

async function again({ ctx, params: given, values, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  const asked = which.safeParse((given as { which?: unknown }).which).data;
  if (asked === undefined) throw new NotFound('There is no such address.', { code: 'website_sale.no_address' });
  const refused = { values, errors, message };
  return render('website_sale.address', await addressValues(ctx, chosen(asked), refused), { status: 422 });
}

const remove = route.form(
  `${path}/:id/remove`,
  {
    name: 'website_sale.address_remove',
    confirm: (ctx) => ({ question: t(ctx, 'Delete this address?'), yes: t(ctx, 'Delete') }),
    page: path,
    ...mine,
    writes: true,
    params: { id },
    body: z.object({}),
    rate,
  },
  async ({ ctx, params: given, url }) => {
    await ctx.get(OwnAddresses).remove(given.id);
    return redirect(`${url(path)}?done=1`);
  },
);

const usual = route.form(
  `${path}/usual`,
  {
    name: 'website_sale.address_usual',
    page: '/shop/checkout',
    ...mine,
    writes: true,
    body: z.object({ address: z.coerce.number().int().min(0).max(2_147_483_647) }),
    rate,
  },
  async ({ ctx, body, url }) => {
    await ctx.get(OwnAddresses).makeUsual(body.address);
    return redirect(`${url(path)}?done=1`);
  },
);

export const addressRoutes = [list, usual, form, save, remove];
