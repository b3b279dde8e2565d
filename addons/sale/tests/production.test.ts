import type { Ctx } from 'pergola';
import { createTestApp, someDatabase } from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { Payments } from '../services/payment/payments.ts';
import { testNotification } from '../services/payment/test-card.ts';
import { Transfers } from '../services/payment/transfers.ts';
import { Stock } from '../services/stock/stock.ts';
import { giveBankAccount, makeCart, makeProduct, offerTestCard, refusal, totalsOf } from './kit.ts';

/** The payments of a site that counts. */
const inProduction = (ctx: Ctx): Payments =>
  new Payments({
    ctx: new Proxy(ctx, {
      get(target, name) {
        if (name === 'config') return { ...target.config, production: true };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    'sale.stock': ctx.get(Stock),
    'sale.transfers': ctx.get(Transfers),
  });

someDatabase('A payment method that only plays', (database) => {
  it('is published by the demo data alone', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const offered = () => app.read(async (ctx) => (await ctx.get(Payments).offered()).map(({ provider }) => provider));
    expect(await offered()).toEqual([]);
    await app.write(giveBankAccount);
    expect(await offered()).toEqual(['transfer']);
    await using demo = await createTestApp({ addons: ['sale'], database, demo: true });
    expect((await demo.read((ctx) => ctx.get(Payments).offered())).map(({ provider }) => provider)).toEqual([
      'transfer',
      'test_card',
    ]);
  });

  it('is never in production, and gives nothing away where it was before', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const card = await app.write(offerTestCard);
    const manager = await app.as('admin');
    const set = (values: object) =>
      manager.rpc('/web/dataset/call_kw', {
        model: 'payment.acquirer',
        method: 'write',
        args: [[card], values],
        kwargs: {},
      });
    expect((await refusal(set({ environment: 'prod' }))).message).toContain('for testing');
    await set({ provider: 'transfer', environment: 'prod' });
    expect((await refusal(set({ provider: 'test_card' }))).message).toContain('for testing');
    await app.write(async (ctx) => {
      await ctx.db('payment_acquirer').where({ id: card }).update({ provider: 'test_card' });
    });
    expect(await app.read((ctx) => ctx.model(PaymentAcquirer).get(card, { select: { environment: true } }))).toEqual(
      expect.objectContaining({ environment: 'prod' }),
    );
    expect((await app.read((ctx) => inProduction(ctx).offered())).map(({ id }) => id)).not.toContain(card);
  });

  it('gives nothing away in production: it is neither offered nor begun, and what it tells is refused', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const { card, order, told } = await app.write(async (ctx) => {
      const acquirer = await offerTestCard(ctx);
      const cart = await makeCart(ctx, [await makeProduct(ctx, { list_price: '999' })]);
      await ctx.get(Payments).start({ order: cart, acquirer, returnUrl: '/' });
      const row = await ctx.model(PaymentTransaction).first([['sale_order_id', '=', cart]], {
        select: { reference: true, amount: true, currency_id: { name: true } },
      });
      const { secret_key } = await ctx.model(PaymentAcquirer).get(acquirer, { select: { secret_key: true } });
      const { reference = '', amount = 0, currency_id } = row ?? {};
      const notice = { event: 'e1', reference, amount, currency: currency_id?.name ?? '', state: 'done' as const };
      return { card: acquirer, order: cart, told: testNotification(secret_key, notice, ctx.now()) };
    });
    expect((await app.read((ctx) => inProduction(ctx).offered())).map(({ id }) => id)).not.toContain(card);
    const begin = (ctx: Ctx) => inProduction(ctx).start({ order, acquirer: card, returnUrl: '/' });
    expect((await refusal(app.write(begin))).code).toBe('sale.no_acquirer');
    const tell = (ctx: Ctx) => inProduction(ctx).notified(card, told);
    expect((await refusal(app.write(tell))).code).toBe('sale.bad_notification');
    expect((await app.read((ctx) => totalsOf(ctx, order))).payment_state).not.toBe('paid');
    expect(await app.write((ctx) => ctx.get(Payments).notified(card, told))).toBe(true);
  });
});
