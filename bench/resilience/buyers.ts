import { Client } from '../../tools/testing/client.ts';
import { type Check, call, type Dialect, type Finding, finding, openSite, quantile, signedIn } from './site.ts';

/** `BUYERS` and `ROUNDS` environment variables; the check requires 200 and 20. */
const buyers = Number(process.env.BUYERS ?? 200);
const rounds = Number(process.env.ROUNDS ?? 2);
const seats = Math.floor(buyers / 4);

export interface Crowd {
  readonly event: number;
  readonly tickets: readonly number[];
}

/** Creates an event with this many seats (0: unlimited) shared by its ticket types. */
export async function makeEvent(admin: Client, name: string, kinds: readonly string[], seats: number): Promise<Crowd> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  const event = await call<number>(admin, 'event.event', 'create', {
    name,
    date_begin: day(5),
    date_end: day(6),
    seats_max: seats,
    website_published: true,
  });
  await call(admin, 'event.event', 'button_confirm', [event]);
  const tickets: number[] = [];
  for (const kind of kinds) {
    tickets.push(await call<number>(admin, 'event.event.ticket', 'create', { event_id: event, name: kind, price: 10 }));
  }
  return { event, tickets };
}

/** Result for one buyer: `sold`, `out` for a clean refusal, otherwise the status and step that failed. */
export async function buy(
  visitor: Client,
  country: number,
  { event, tickets }: Crowd,
  email = `ada${Math.random()}@example.org`,
): Promise<string> {
  const quantities = Object.fromEntries(tickets.map((id) => [`ticket-${id}`, 1]));
  const cart = await visitor.form('/event/cart/update', { event_id: event, ...quantities });
  if (cart.status === 409) return 'out';
  if (cart.status === 200) return 'part';
  if (cart.status !== 303) return `cart ${cart.status}`;
  const address = await visitor.form('/shop/confirm_order', {
    name: 'Ada Lovelace',
    email,
    phone: '+32 2 555 12 12',
    street2: '12 Garden Lane',
    city: 'Brussels',
    zip: '1000',
    shipping_id: '0',
    country_id: country,
  });
  if (address.location !== '/shop/payment')
    return `address ${address.status} ${
      address.location ??
      address.text
        .match(/<h1[\s\S]*?<\/main>/)?.[0]
        .replace(/<[^>]*>|\s+/g, ' ')
        .slice(0, 200)
    }`;
  const page = await visitor.get('/shop/payment');
  const method = [...page.text.matchAll(/transaction\/(\d+)/g)].map(([, id]) => Number(id)).at(-1);
  const form = await visitor.rpc<string>(`/shop/payment/transaction/${method}`).catch((error) => String(error));
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  if (!form.includes('test_card')) return `payment ${form.slice(0, 200)}`;
  const paid = await visitor.form('/payment/test_card', {
    reference: field('reference'),
    token: field('token'),
    return_url: '/shop/payment/validate',
    outcome: 'paid',
  });
  return paid.status === 303 ? 'sold' : `paid ${paid.status}`;
}

async function crowd(dialect: Dialect, kinds: readonly string[]): Promise<Finding[]> {
  await using site = await openSite(dialect);
  const nodes = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
  const admin = await signedIn(nodes[0]?.url ?? '');
  const [country] = await call<{ id: number }[]>(admin, 'res.country', 'search_read', [['code', '=', 'BE']], ['code']);
  const findings: Finding[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const crowd = await makeEvent(admin, `Crowd ${round}`, kinds, seats);
    const roundSeconds: number[] = [];
    const startedAt = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: buyers }, async (_, index) => {
        const since = performance.now();
        const order = index % 4 < 2 ? crowd : { ...crowd, tickets: crowd.tickets.toReversed() };
        const outcome = await buy(new Client(nodes[index % 2]?.url ?? ''), country?.id ?? 0, order).catch(String);
        roundSeconds.push(performance.now() - since);
        return outcome;
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const count = (text: string) => outcomes.filter((outcome) => outcome === text).length;
    const unexpected = outcomes.filter((outcome) => !['sold', 'out', 'part'].includes(outcome));
    const registered = await call<number>(admin, 'event.registration', 'search_count', [
      ['event_id', '=', crowd.event],
      ['state', '=', 'open'],
    ]);
    const label = `${dialect}, ${kinds.length} kinds, round ${round + 1}`;
    const sold = kinds.length === 1 ? registered === seats && count('sold') === seats : registered <= seats;
    findings.push(
      finding(`${label}: sold`, `${count('sold')} orders, ${registered} of ${seats} seats`, `${seats} seats`, sold),
      finding(`${label}: other outcomes`, [...new Set(unexpected)].join('; ') || '0', '0', unexpected.length === 0),
      finding(
        `${label}: took`,
        `${seconds.toFixed(1)} s; one buyer p50 ${(quantile(roundSeconds, 0.5) / 1000).toFixed(1)} s, longest ${(Math.max(...roundSeconds) / 1000).toFixed(1)} s`,
        '30 s',
        seconds < 30,
      ),
    );
  }
  return findings;
}

const seatsForAll: Check = {
  id: 'C01',
  title: `${buyers} buyers on two nodes for ${seats} seats, from the ticket form to the paid order`,
  async run() {
    const dialects: readonly Dialect[] = process.env.DIALECT === 'postgres' ? ['postgres'] : ['sqlite', 'postgres'];
    const findings: Finding[] = [];
    for (const dialect of dialects) {
      findings.push(...(await crowd(dialect, ['Standard'])), ...(await crowd(dialect, ['Standard', 'VIP'])));
    }
    return findings;
  },
};

export const buyerChecks: readonly Check[] = [seatsForAll];
