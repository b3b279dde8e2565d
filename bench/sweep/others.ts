import type { Answer, Client } from '../../tools/testing/index.ts';
import { changed, expectNone, patiently, type Sweep, type SweepCheck } from './site.ts';

/** How many ids next to a real one are tried; the check requires 50. */
const AROUND = 50;
/** An id that no record has. */
const MISSING = 987_654;
/** A made-up token. */
const TOKEN = 'A'.repeat(43);

/** Ids of a model's records, and those the caller may see. */
interface Ids {
  readonly model: string;
  readonly ids: readonly number[];
  /** Ids that exist. */
  readonly existing: ReadonlySet<number>;
  /** Ids a caller may see, by caller. */
  readonly allowed: Readonly<Record<string, ReadonlySet<number>>>;
}

/** A way to address a record: `ask` with another user's id must get the same response as with an id that doesn't exist. */
interface Way {
  readonly name: string;
  readonly model: string;
  ask(client: Client, id: number): Promise<Answer>;
}

const call = (client: Client, path: string, params: object): Promise<Answer> =>
  patiently(() =>
    client.post(path, {
      body: JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params }),
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    }),
  );
const kw = (client: Client, model: string, method: string, ...args: unknown[]): Promise<Answer> =>
  call(client, '/web/dataset/call_kw', { model, method, args, kwargs: {} });

const order = 'sale.order';
const line = 'sale.order.line';
const token = 'auth.token';
const passkey = 'auth.passkey';
/** Records that every employee owns. */
const personal: readonly string[] = [token, passkey, 'web.preference', 'ir.filters'];
const registration = 'event.registration';
const waitingEntry = 'event.waiting';
const address = {
  name: 'Eve',
  email: 'eve@example.org',
  phone: '+32 2 555 12 12',
  street2: 'a',
  city: 'b',
  zip: '1000',
};

const routes: readonly Way[] = [
  ...['', '/pdf'].map(
    (end): Way => ({
      name: `/shop/order${end}`,
      model: order,
      ask: (client, id) => client.get(`/shop/order/${id}/${TOKEN}${end}`),
    }),
  ),
  ...['', '/pdf'].map(
    (end): Way => ({
      name: `/quote${end}`,
      model: order,
      ask: (client, id) => client.get(`/quote/${id}/${TOKEN}${end}`),
    }),
  ),
  { name: '/quote without token', model: order, ask: (client, id) => client.get(`/quote/${id}`) },
  ...['decline', 'post', 'viewed'].map(
    (action): Way => ({
      name: `/quote ${action}`,
      model: order,
      ask: (client, id) => client.form(`/quote/${id}/${TOKEN}/${action}`, { decline_message: 'no', comment: 'x' }),
    }),
  ),
  {
    name: '/quote/accept',
    model: order,
    ask: (client, id) =>
      call(client, '/quote/accept', { order_id: id, token: TOKEN, signer: 'Eve', sign: 'iVBORw0KGgo' }),
  },
  {
    name: '/quote/update_line',
    model: line,
    ask: (client, id) =>
      call(client, '/quote/update_line', { line_id: id, order_id: MISSING, token: TOKEN, unlink: true }),
  },
  {
    name: 'get_status',
    model: order,
    ask: (client, id) => call(client, `/shop/payment/get_status/${id}`, {}),
  },
  {
    name: 'order_confirmed',
    model: order,
    ask: (client, id) =>
      client.post(`/stats/ecom/order_confirmed/${id}`, { headers: { 'Sec-Fetch-Site': 'same-origin' } }),
  },
  {
    name: 'update_json',
    model: line,
    ask: (client, id) => call(client, '/shop/cart/update_json', { line_id: id, product_id: null, set_qty: 0 }),
  },
  {
    name: 'update_json/form',
    model: line,
    ask: (client, id) => client.form('/shop/cart/update_json/form', { line_id: id, set_qty: '0' }),
  },
  {
    name: 'get_unit_price',
    model: line,
    ask: (client, id) =>
      call(client, '/shop/get_unit_price', { product_ids: [1], line_id: id, use_order_pricelist: true }),
  },
  {
    name: 'confirm_order',
    model: 'res.partner',
    ask: (client, id) => client.form('/shop/confirm_order', { ...address, country_id: 20, shipping_id: id }),
  },
  ...['/payment/transfer/feedback', '/payment/test_card'].map(
    (path): Way => ({
      name: path,
      model: order,
      ask: (client, id) =>
        client.form(path, { reference: `SO${String(id).padStart(5, '0')}`, token: TOKEN, outcome: 'paid' }),
    }),
  ),
  {
    name: '/event/tickets',
    model: registration,
    ask: (client, id) => client.get(`/event/tickets/${id}/${TOKEN}`),
  },
  {
    name: '/event/ticket-code',
    model: registration,
    ask: (client, id) => client.get(`/event/ticket-code/${id}/${TOKEN}`),
  },
  ...['/transaction/1', '/transaction/1/form', '/transfer.svg'].map(
    (end): Way => ({
      name: `/payment/order${end}`,
      model: order,
      ask: (client, id) => {
        const path = `/payment/order/${id}/${TOKEN}${end}`;
        if (end.endsWith('.svg')) return client.get(path);
        return end.endsWith('/form') ? client.form(path) : call(client, path, {});
      },
    }),
  ),
  { name: '/sale/order/pdf', model: order, ask: (client, id) => client.get(`/sale/order/${id}/pdf`) },
  ...['counts', 'dependants'].map(
    (action): Way => ({
      name: `/web/backend/${action}`,
      model: order,
      ask: (client, id) => call(client, `/web/backend/${action}`, { model: order, id, ids: [id] }),
    }),
  ),
  ...['/web/account/tokens/revoke', '/web/account/keys/passkeys/rename', '/web/account/keys/passkeys/remove'].map(
    (path): Way => ({
      name: path,
      model: path.includes('/tokens/') ? token : passkey,
      ask: (client, id) => client.form(path, { id, name: 'Eve' }),
    }),
  ),
  ...['', '/claim', '/leave'].map(
    (end): Way => ({
      name: `/event/waiting${end}`,
      model: waitingEntry,
      ask: (client, id) => {
        const path = `/event/waiting/${id}-${TOKEN}${end}`;
        return end === '' ? client.get(path) : client.form(path);
      },
    }),
  ),
  ...['/web/content/{}', '/website/image/ir.attachment/{}/datas', '/web/image/ir.attachment/{}/datas'].map(
    (path): Way => ({
      name: path,
      model: 'ir.attachment',
      ask: (client, id) => client.get(path.replace('{}', String(id))),
    }),
  ),
];

/** Models with private records, addressed through the calls of Odoo's clients. */
const models = [
  ...[
    order,
    line,
    'payment.transaction',
    'payment.refund',
    'sale.cancellation',
    registration,
    waitingEntry,
    'sale.hold',
  ],
  ...['res.partner', 'ir.attachment', ...personal],
];
const calls: readonly Way[] = models.flatMap((model) => [
  ...(
    [
      ['read', (id) => [[id], ['id']]],
      ['write', (id) => [[id], { name: 'Eve' }]],
      ['preview', (id) => [id, { name: 'Eve' }, { id: true }]],
      ['unlink', (id) => [[id]]],
      ['name_get', (id) => [[id]]],
      ['search_count', (id) => [[['id', '=', id]]]],
    ] satisfies [string, (id: number) => unknown[]][]
  ).map(
    ([method, args]): Way => ({
      name: `${model} ${method}`,
      model,
      ask: (client, id) => kw(client, model, method, ...args(id)),
    }),
  ),
  {
    name: `${model} image`,
    model,
    ask: (client: Client, id: number) => client.get(`/web/binary/image?model=${model}&field=image_small&id=${id}`),
  },
  {
    name: `${model} followers`,
    model,
    ask: (client: Client, id: number) => call(client, '/website_mail/is_follower', { model, id }),
  },
]);

/**
 * A response without the parts that always differ: numbers in pages and texts, tokens, error references, the id. A call's result is kept.
 */
function comparable({ status, headers, text, location }: Answer, id: number): string {
  const [, result = ''] = /^\{"jsonrpc".*?"result":(.*)/s.exec(text) ?? [];
  const plain = text.replace(/"reference":\s*"[^"]*"|[\w-]{20,}|\d+/g, '');
  return [
    status,
    headers.get('content-type'),
    location?.replace(/\d+/g, ''),
    plain,
    result.replaceAll(RegExp(`\\b${id}\\b`, 'g'), ''),
  ].join('\n');
}

/** Creates carts, a paid order with tickets, a waiting list entry and addresses for another user. */
async function fill({ app, admin, customer, stranger }: Sweep): Promise<void> {
  const rows = async (model: string, domain: unknown, fields: string[]) =>
    admin.rpc<{ id: number }[]>('/web/dataset/call_kw', {
      model,
      method: 'search_read',
      args: [domain, fields],
      kwargs: { limit: 3 },
    });
  const [ticket] = (await rows(
    'event.event.ticket',
    [
      ['event_id.state', '=', 'confirm'],
      ['price', '=', 0],
    ],
    ['event_id'],
  )) as {
    id: number;
    event_id: [number, string];
  }[];
  const [product] = await rows('product.product', [['product_tmpl_id.website_published', '=', true]], ['id']);
  const [country] = await rows('res.country', [['code', '=', 'BE']], ['id']);
  for (const place of ['placed', 'left']) {
    const victim = stranger();
    await victim.form('/event/cart/update', { event_id: ticket?.event_id[0] ?? 0, [`ticket-${ticket?.id}`]: 2 });
    if (place === 'left') await victim.form('/shop/cart/update', { product_id: product?.id ?? 0 });
    await victim.form('/shop/confirm_order', { ...address, country_id: country?.id ?? 0, shipping_id: '0' });
    await victim.form('/shop/payment/validate');
  }
  await customer.form('/shop/cart/update', { product_id: product?.id ?? 0 });
  const partner = (await rows('res.partner', [], ['id']))[0]?.id ?? 1;
  await admin.rpc('/web/dataset/call_kw', {
    model: 'res.partner',
    method: 'create',
    args: [{ name: 'Depot', type: 'delivery', parent_id: partner }],
    kwargs: {},
  });
  await app.write(async (ctx) => {
    const [user_id = 0] = await ctx.modelNamed('res.users').search([['login', '=', 'admin']]);
    await ctx.modelNamed('ir.filters').create({ name: 'Mine', model_id: order, user_id });
    await ctx.modelNamed('web.preference').create({ key: 'dashboard', value: {}, user_id });
    const secret = { credential: 'a', public_key: 'b', counter: 0 };
    await ctx.modelNamed(passkey).create({ ...secret, name: 'Phone', user_id, site: 'localhost' });
  });
  await app.runJobs();
}

/** Ids around the existing ones, and which of them each caller may see. */
async function idsOf({ app, customer }: Sweep, employee: Client, model: string): Promise<Ids> {
  const all = await app.read((ctx) => ctx.modelNamed(model).search([], { limit: 2000 }));
  // Carts belong to the caller too, but no list shows them.
  const way = { [order]: 'partner_id', [line]: 'order_partner_id' }[model];
  const ownIds = way
    ? await app.read((ctx) => ctx.modelNamed(model).search([[`${way}.user_ids.login`, '=', 'portal']]))
    : [];
  const last = Math.max(1, ...all);
  const from = Math.max(1, last - AROUND);
  return {
    model,
    ids: Array.from({ length: last + AROUND - from }, (_, index) => from + index),
    existing: new Set(all),
    allowed: {
      stranger: new Set(),
      customer: new Set([...ownIds, ...(await shownTo(customer, model))]),
      employee: new Set(await shownTo(employee, model)),
    },
  };
}

/** Ids of a model that a caller can list; empty if that is refused. */
async function shownTo(client: Client, model: string): Promise<readonly number[]> {
  const call = { model, method: 'search_read', args: [[], ['id']], kwargs: { limit: 2000 } };
  const rows = await client.rpc<{ id: number }[]>('/web/dataset/call_kw', call).catch(() => []);
  return rows.map(({ id }) => id);
}

const otherRecords: SweepCheck = {
  id: 'C27',
  title: `Records of other users, by ids ±${AROUND} of the newest, as a visitor, another customer and another employee`,
  async run(sweep) {
    await fill(sweep);
    const employee = await sweep.app.as('editor');
    await employee.rpc('/web/backend/confirm', { password: 'editor' });
    const clients = { stranger: sweep.stranger, customer: () => sweep.customer, employee: () => employee };
    const idsByModel = new Map<string, Ids>();
    for (const model of models) idsByModel.set(model, await idsOf(sweep, employee, model));
    const tablesBefore = await sweep.tables();
    const [differing, failed] = [[] as string[], [] as string[]];
    let [tryCount, real] = [0, 0];
    for (const way of [...routes, ...calls]) {
      const { ids = [], allowed, existing } = idsByModel.get(way.model) ?? {};
      for (const [caller, client] of Object.entries(clients)) {
        if (caller === 'employee' && !personal.includes(way.model)) continue;
        const missing = comparable(await way.ask(client(), MISSING), MISSING);
        for (const id of ids) {
          if (allowed?.[caller]?.has(id)) continue;
          const response = await way.ask(client(), id);
          // A rate limit applies to any id, so it reveals nothing.
          if (response.status === 429 || response.text.includes('core.too_many_calls')) continue;
          tryCount += 1;
          if (existing?.has(id)) real += 1;
          if (response.status >= 500) failed.push(`${way.name} ${id}`);
          if (comparable(response, id) !== missing) differing.push(`${way.name} (${caller}) ${id}: ${response.status}`);
        }
      }
    }
    return [
      expectNone('responses that differ from those for missing records', tryCount, differing),
      { label: 'of those, for existing records', value: String(real), limit: '> 1000', holds: real > 1000 },
      expectNone('responses with status 500', tryCount, failed),
      expectNone('tables changed', tablesBefore.size, changed(tablesBefore, await sweep.tables())),
    ];
  },
};

export const otherChecks: readonly SweepCheck[] = [otherRecords];
