import { Currency } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentEvent } from '../models/payment-event.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { Payments } from '../services/payment/payments.ts';
import { testNotification } from '../services/payment/test-card.ts';
import { acquirerOf, makeCart, makeProduct, offerTestCard, totalsOf } from './kit.ts';

eachDatabase('notifications of payments', (database) => {
  let app: TestApp;
  let transfer: Id;
  let card: Id;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['sale'], database });
    await app.write(async (ctx) => {
      transfer = await acquirerOf(ctx, 'transfer');
      card = await offerTestCard(ctx);
    });
  });
  afterAll(() => app.close());

  const cartOf = (price = '10', stock?: number) =>
    app.write(async (ctx) => {
      const product = await makeProduct(ctx, { list_price: price }, stock);
      return { product, order: await makeCart(ctx, [product]) };
    });
  const start = (ctx: Ctx, order: Id, acquirer = card, key?: string) =>
    ctx.get(Payments).start({ order, acquirer, returnUrl: '/shop/payment/validate', key });
  const stateOf = (order: Id) => app.read((ctx) => totalsOf(ctx, order));
  const payments = (order: Id) =>
    app.read((ctx) =>
      ctx
        .model(PaymentTransaction)
        .find([['sale_order_id', '=', order]], { select: { state: true, is_open: true, reference: true } }),
    );

  interface Told {
    readonly body?: string;
    readonly change?: (text: string) => string;
    readonly headers?: Record<string, string>;
    readonly at?: number;
    readonly secret?: string;
    readonly acquirer?: Id;
    readonly about?: Partial<{
      reference: string;
      amount: number;
      currency: string;
      state: 'pending' | 'done';
      event: string;
    }>;
  }
  async function tell(order: Id, told: Told = {}): Promise<number> {
    const { reference, amount, currency, secret } = await app.read(async (ctx) => {
      const row = await ctx.model(PaymentTransaction).first([['sale_order_id', '=', order]], {
        select: { reference: true, amount: true, currency_id: true },
      });
      const { secret_key } = await ctx.model(PaymentAcquirer).get(card, { select: { secret_key: true } });
      const units = await ctx.model(Currency).get(row?.currency_id ?? 0, { select: { name: true } });
      return { reference: row?.reference ?? '', amount: row?.amount ?? 0, currency: units.name, secret: secret_key };
    });
    const at = new Date(Date.now() + (told.at ?? 0) * 1000);
    const notice = testNotification(
      told.secret ?? secret,
      { reference, amount, currency, state: 'done', ...told.about },
      at,
    );
    const text = new TextDecoder().decode(notice.body);
    const answer = await fetch(`${app.url}/payment/notify/${told.acquirer ?? card}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(told.headers ?? notice.headers) },
      body: told.change ? told.change(text) : text,
    });
    return answer.status;
  }
  const everything = () =>
    app.read(async (ctx) => ({
      payments: await ctx
        .model(PaymentTransaction)
        .find([], { select: { state: true, amount: true, write_date: true } }),
      events: await ctx.model(PaymentEvent).count([]),
      orders: await ctx.model(SaleOrder).find([], { select: { state: true, blocked_reason: true, write_date: true } }),
    }));

  it('changes nothing for what is not genuine, and confirms once for what is', async () => {
    const { order } = await cartOf();
    await app.write((ctx) => start(ctx, order));
    const other = await cartOf();
    const before = await everything();
    const forged: [string, Told][] = [
      ['another secret', { secret: 'guessed' }],
      ['no signature', { headers: {} }],
      ['half a signature', { headers: { 'x-payment-signature': 't=1' } }],
      ['a text for a signature', { headers: { 'x-payment-signature': 'true' } }],
      ['301 seconds old', { at: -301 }],
      ['301 seconds ahead', { at: 301 }],
      ['another amount', { about: { amount: 1 } }],
      ['another currency', { about: { currency: 'USD' } }],
      ['an unknown reference', { about: { reference: 'SO99999' } }],
      ['the order of somebody else', { about: { reference: String(other.order) } }],
      ['a changed body', { change: (text) => text.replace('"done"', '"pending"') }],
      ['a space more', { change: (text) => `${text} ` }],
      ['no JSON', { change: () => '{' }],
      ['another method', { acquirer: transfer }],
      ['a method that is not there', { acquirer: 999_999 }],
    ];
    for (const [what, told] of forged) {
      const status = await tell(order, told);
      expect([what, status >= 400 && status < 500]).toEqual([what, true]);
    }
    expect(await everything()).toEqual(before);

    for (let time = 0; time < 10; time += 1) expect(await tell(order, { about: { event: 'evt-1' } })).toBe(200);
    expect((await everything()).events).toBe(before.events + 1);
    expect((await stateOf(order)).state).toBe('sale');
    expect(await tell(order, { about: { event: 'evt-2', state: 'pending' } })).toBe(200);
    expect(await stateOf(order)).toMatchObject({ state: 'sale', payment_state: 'paid' });
  });

  it('refuses a signed body with a key twice', async () => {
    const { order } = await cartOf();
    await app.write((ctx) => start(ctx, order));
    const { signNotification } = await import('../services/payment/signature.ts');
    const secret = await app.read(
      async (ctx) => (await ctx.model(PaymentAcquirer).get(card, { select: { secret_key: true } })).secret_key,
    );
    const { reference } = (await payments(order))[0] ?? { reference: '' };
    const body = `{"id":"twice","reference":"${reference}","state":"error","state":"done","amount":1000,"currency":"EUR"}`;
    const answer = await fetch(`${app.url}/payment/notify/${card}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-payment-signature': signNotification(secret, body, new Date()),
      },
      body,
    });
    expect(answer.status).toBe(422);
    expect((await payments(order))[0]?.state).toBe('draft');
  });

  it('is handled once, also when it comes to two nodes at once', async () => {
    const { order } = await cartOf();
    await app.write((ctx) => start(ctx, order));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tell(order, { about: { event: 'evt-at-once' } })),
    );
    expect(answers.every((status) => status === 200)).toBe(true);
    const events = await app.read((ctx) => ctx.model(PaymentEvent).count([['event_id', '=', 'evt-at-once']]));
    expect(events).toBe(1);
  });
});
