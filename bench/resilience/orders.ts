import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../tools/testing/client.ts';
import { type Mailbox, openMailbox } from '../../tools/testing/mailbox.ts';
import { buy, type Crowd, makeEvent } from './buyers.ts';
import { integrity } from './crash.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import { type Check, call, type Dialect, type Finding, finding, openSite, signedIn } from './site.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 20);

/** Buyers who keep ordering, this many at once, until stopped. */
interface Buyers {
  /** Email addresses of buyers who got a payment confirmation. */
  readonly paid: readonly string[];
  /** Results of the other orders. */
  readonly others: readonly string[];
  stop(): Promise<void>;
}

function openBuyers(url: string, country: number, crowd: Crowd, name: string, atOnce = 6): Buyers {
  const [paid, otherResults]: [string[], string[]] = [[], []];
  let stopped = false;
  const keepOrdering = async (buyer: number): Promise<void> => {
    for (let turn = 0; !stopped; turn += 1) {
      const email = `${name}-${buyer}-${turn}@example.org`;
      const outcome = await buy(new Client(url), country, crowd, email).catch(() => 'no answer');
      if (outcome === 'sold') paid.push(email);
      else otherResults.push(outcome);
      if (outcome !== 'sold') await sleep(100);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, (_, index) => keepOrdering(index)));
  return {
    paid,
    others: otherResults,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

interface Order {
  readonly state: string;
  readonly is_cart: boolean;
  readonly blocked_reason: string | false;
  readonly invoice_email: string | false;
  readonly cart_quantity: number;
  readonly order_line: readonly number[];
  readonly payments: readonly string[];
  readonly tickets: readonly string[];
}

/** Reads all orders of the buyers with their payments and tickets. */
async function readOrders(admin: Client): Promise<Order[]> {
  const orders = await call<(Order & { id: number })[]>(
    admin,
    'sale.order',
    'search_read',
    [['invoice_email', '=like', 'paid-%']],
    ['state', 'is_cart', 'blocked_reason', 'invoice_email', 'cart_quantity', 'order_line'],
  );
  const statesByOrder = async (model: string): Promise<Map<number, string[]>> => {
    const rows = await call<{ state: string; sale_order_id: [number, string] | false }[]>(
      admin,
      model,
      'search_read',
      [['sale_order_id', 'in', orders.map(({ id }) => id)]],
      ['state', 'sale_order_id'],
    );
    const byOrder = Map.groupBy(rows, ({ sale_order_id: order }) => (order ? order[0] : 0));
    return new Map([...byOrder].map(([id, all]) => [id, all.map(({ state }) => state)]));
  };
  const [payments, tickets] = [await statesByOrder('payment.transaction'), await statesByOrder('event.registration')];
  return orders.map((row) => ({ ...row, payments: payments.get(row.id) ?? [], tickets: tickets.get(row.id) ?? [] }));
}

/** Describes how an order is half done, or null if it is consistent. */
function halfDone({
  state,
  is_cart,
  blocked_reason,
  cart_quantity,
  order_line,
  payments,
  tickets,
}: Order): string | null {
  const paidCount = payments.filter((paymentState) => paymentState === 'done').length;
  const openTickets = tickets.filter((ticketState) => ticketState === 'open').length;
  if (paidCount > 1) return 'paid twice';
  if (paidCount === 1 && state !== 'sale' && !blocked_reason) return `paid, but ${state}`;
  if (state === 'sale' && paidCount !== 1) return 'confirmed, but not paid';
  if (openTickets !== (state === 'sale' ? cart_quantity : 0))
    return `${openTickets} tickets of ${cart_quantity}, ${state}`;
  if (!is_cart && order_line.length === 0) return 'an order without lines';
  return null;
}

/**
 * Checks the invariants after everything has settled: no acknowledged order is lost, none is half done, and each buyer got each email
 * exactly once.
 */
async function findings(admin: Client, paid: readonly string[], mailbox: Mailbox, label: string): Promise<Finding[]> {
  const orders = await readOrders(admin);
  const sold = new Set(orders.flatMap(({ state, invoice_email }) => (state === 'sale' ? [invoice_email] : [])));
  const lostEmails = paid.filter((email) => !sold.has(email));
  const inconsistencies = orders.flatMap((order) => halfDone(order) ?? []);
  const emailsBySubject = () =>
    Map.groupBy(mailbox.received(), ({ envelopeTo, subject }) => `${envelopeTo[0]} ${subject}`);
  const lacking = () => {
    const notified = new Set(
      mailbox.received().flatMap(({ subject, envelopeTo }) => (/is confirmed/.test(subject ?? '') ? envelopeTo : [])),
    );
    return [...sold].filter((email) => !notified.has(String(email)));
  };
  for (let waited = 0; lacking().length > 0 && waited < 90; waited += 1) await sleep(1000);
  const repeated = [...emailsBySubject().values()].filter((all) => all.length > 1);
  const twice = repeated.filter((all) => new Set(all.map(({ messageId }) => messageId)).size > 1);
  return [
    finding(
      `${label}: acknowledged payments lost`,
      `${lostEmails.length} of ${paid.length}`,
      '0',
      lostEmails.length === 0 && paid.length > 10,
    ),
    finding(
      `${label}: orders half paid`,
      `${inconsistencies.length} of ${orders.length} ${[...new Set(inconsistencies)].join('; ')}`,
      '0',
      inconsistencies.length === 0,
    ),
    finding(`${label}: paid without an email`, `${lacking().length} of ${sold.size}`, '0', lacking().length === 0),
    finding(
      `${label}: mails sent twice`,
      `${twice.length}; the same one again ${repeated.length} of ${mailbox.received().length}`,
      '0',
      twice.length === 0,
    ),
  ];
}

async function countryOf(admin: Client): Promise<number> {
  const [row] = await call<{ id: number }[]>(admin, 'res.country', 'search_read', [['code', '=', 'BE']], ['code']);
  return row?.id ?? 0;
}

async function killedWhilePaying(dialect: Dialect): Promise<Finding[]> {
  await using site = await openSite(dialect);
  const mailbox = await openMailbox();
  const env = { SMTP_URL: mailbox.url };
  let node = await site.node(env);
  const port = String(node.port);
  const first = await signedIn(node.url);
  const [country, crowd] = [await countryOf(first), await makeEvent(first, 'Open to all', ['Standard', 'VIP'], 0)];
  const paid: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const buyers = openBuyers(node.url, country, crowd, `paid-${round}`);
    await sleep(2000 + Math.random() * 3000);
    const stopped = buyers.stop();
    await node.stop('SIGKILL');
    await stopped;
    paid.push(...buyers.paid);
    node = await site.node({ ...env, PORT: port });
  }
  const orderFindings = await findings(await signedIn(node.url), paid, mailbox, dialect);
  await mailbox.close();
  const sound = dialect === 'sqlite' ? integrity(site) : 'ok';
  return [...orderFindings, finding(`${dialect}: integrity and foreign keys`, sound, 'ok', sound === 'ok')];
}

const kills: Check = {
  id: 'C07o',
  title: `kill -9 while orders are paid, ${rounds} times`,
  run: async () => [...(await killedWhilePaying('sqlite')), ...(await killedWhilePaying('postgres'))],
};

const outage: Check = {
  id: 'C10o',
  title: 'PostgreSQL killed for 5 s while orders are paid',
  async run() {
    await using postgres = await startDurablePostgres();
    await using site = await openSite('postgres', postgres.url);
    const mailbox = await openMailbox();
    const node = await site.node({ SMTP_URL: mailbox.url });
    const admin = await signedIn(node.url);
    const [country, crowd] = [await countryOf(admin), await makeEvent(admin, 'Open to all', ['Standard', 'VIP'], 0)];
    const buyers = openBuyers(node.url, country, crowd, 'paid');
    await sleep(8000);
    await postgres.restart(5000);
    const paidBefore = buyers.paid.length;
    await sleep(10_000);
    await buyers.stop();
    const unexpected = buyers.others.filter(
      (outcome) => !/503|no answer|try again|unavailable|temporarily/i.test(outcome),
    );
    const orderFindings = await findings(await signedIn(node.url), buyers.paid, mailbox, 'postgres');
    await mailbox.close();
    return [
      ...orderFindings,
      finding('paid after it was back', buyers.paid.length - paidBefore, '> 5', buyers.paid.length - paidBefore > 5),
      finding(
        'other answers',
        `${unexpected.length} of ${buyers.others.length} ${[...new Set(unexpected)].slice(0, 3).join('; ')}`,
        'only 503',
        unexpected.length === 0,
      ),
    ];
  },
};

export const orderChecks: readonly Check[] = [kills, outage];
