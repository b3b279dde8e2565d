import path from 'node:path';
import { Company, Partner, User } from '@pergola/base';
import type { Id } from 'pergola';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { PaymentRefund } from '../models/payment-refund.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleCancellation } from '../models/sale-cancellation.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { acquirerOf, makeProduct, refusal } from './kit.ts';

someDatabase('Orders under rules of a site, by company', (database) => {
  let app: TestApp;
  let product: Id;
  let own: Client;
  let foreign: Client;
  beforeAll(async () => {
    app = await createTestApp({
      addons: ['fx_companies'],
      database,
      roots: [path.join(import.meta.dirname, 'fixtures')],
    });
    product = await app.write(async (ctx) => {
      const group = await ctx.ref('sale.group_sale_manager');
      const main = await ctx.ref('base.main_company');
      const home = await ctx.model(Partner).create({ name: 'Other' });
      const other = await ctx
        .model(Company)
        .create({ name: 'Other', partner_id: home, currency_id: await ctx.ref('base.eur') });
      for (const [login, company_id] of [
        ['own', main],
        ['foreign', other],
      ] as const) {
        const partner_id = await ctx.model(Partner).create({ name: login, email: `${login}@example.com` });
        await ctx.model(User).create({ login, partner_id, company_id, group_ids: [group] });
      }
      return makeProduct(ctx, { list_price: '100' });
    });
    own = await app.as('own');
    foreign = await app.as('foreign');
  });
  afterAll(() => app.close());

  const call = <T>(client: Client, model: string, method: string, args: unknown[]): Promise<T> =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} }) as Promise<T>;
  /** Half of it is paid, and a transfer of the rest is waited for. */
  const makeOrder = (origin: string | null = null) =>
    app.write(async (ctx) => {
      const id = await ctx.model(SaleOrder).create({
        invoice_name: 'Ada',
        origin,
        order_line: [{ create: { product_id: product, price_unit: '80', tax_id: [] } }],
      });
      const payments = ctx.model(PaymentTransaction);
      const common = {
        sale_order_id: id,
        acquirer_id: await acquirerOf(ctx, 'transfer'),
        currency_id: await ctx.ref('base.eur'),
        amount: 4000,
      };
      const paid = await payments.create({ ...common, reference: `half-${id}`, is_open: false });
      await payments.advance([paid], { state: 'done', keepOrder: true });
      const waited = await payments.create({ ...common, reference: `rest-${id}` });
      await payments.advance([waited], { state: 'pending', keepOrder: true });
      const refund = await ctx.model(PaymentRefund).create({ transaction_id: paid, amount: 100 });
      const { order_line } = await ctx.model(SaleOrder).get(id, { select: { order_line: true } });
      return { id, paid, waited, refund, line: order_line };
    });
  const everything = () =>
    app.read(async (ctx) => ({
      orders: await ctx.model(SaleOrder).find([], { select: { state: true, amount_total: true, amount_open: true } }),
      payments: await ctx.model(PaymentTransaction).find([], { select: { state: true, amount_left: true } }),
      refunds: await ctx.model(PaymentRefund).find([], { select: { state: true } }),
      cancellations: await ctx.model(SaleCancellation).count([]),
    }));

  it('sell under fiscal positions of their own, and under those of all companies', async () => {
    const positions = await app.write(async (ctx) => {
      const country = await ctx.ref('base.be');
      const { company_id: foreignCompany } = await ctx
        .model(User)
        .first([['login', '=', 'foreign']], { select: { company_id: true } })
        .then((user) => user ?? { company_id: null });
      const values = { auto_apply: true, country_ids: [country] };
      const theirs = await ctx
        .model(FiscalPosition)
        .create({ ...values, name: 'Of the other company', company_id: foreignCompany, sequence: 1 });
      const shared = await ctx.model(FiscalPosition).create({ ...values, name: 'Of all companies', sequence: 2 });
      const partner_id = await ctx.model(Partner).create({ name: 'Ada', country_id: country });
      const order = (company_id: Id | null) =>
        ctx.model(SaleOrder).create({ partner_id, ...(company_id === null ? {} : { company_id }) });
      const positionOf = async (id: Id) =>
        (await ctx.model(SaleOrder).get(id, { select: { fiscal_position: true } })).fiscal_position;
      const found = [await positionOf(await order(null)), await positionOf(await order(foreignCompany))];
      await ctx.model(FiscalPosition).write([theirs, shared], { auto_apply: false });
      return { found, expected: [shared, theirs] };
    });
    expect(positions.found).toEqual(positions.expected);
  });

  it('are neither seen nor touched by salespeople of another, with all that belongs to their money', async () => {
    const { id, paid, waited, refund, line } = await makeOrder();
    const other = await makeOrder();
    await call(own, 'sale.cancellation', 'create', [{ order_id: other.id, refund: false, reason: 'Ours' }]);
    expect(await call(own, 'sale.cancellation', 'search_count', [[]])).toBe(1);
    expect(await call(foreign, 'sale.cancellation', 'search_count', [[]])).toBe(0);
    const before = await everything();
    for (const [model, records] of [
      ['sale.order', [id]],
      ['sale.order.line', line],
      ['payment.transaction', [paid, waited]],
      ['payment.refund', [refund]],
    ] as const) {
      expect(await call(foreign, model, 'search', [[['id', 'in', records]]])).toEqual([]);
      expect(await call(own, model, 'search_count', [[['id', 'in', records]]])).toBe(records.length);
    }
    for (const [model, method, args] of [
      ['sale.order', 'confirm', [[id]]],
      ['sale.order', 'cancel', [[id]]],
      ['sale.order', 'reopen', [[id]]],
      ['sale.order', 'send', [[id]]],
      ['sale.order', 'reprice', [[id]]],
      ['sale.order', 'write', [[id], { origin: 'x' }]],
      ['payment.transaction', 'create', [{ sale_order_id: id, amount: 1 }]],
      ['payment.transaction', 'markPaid', [[waited]]],
      ['payment.transaction', 'markCancelled', [[waited]]],
      ['payment.transaction', 'takeBack', [[paid]]],
      ['payment.refund', 'create', [{ sale_order_id: id }]],
      ['payment.refund', 'create', [{ transaction_id: paid, amount: 1 }]],
      ['payment.refund', 'markDone', [[refund]]],
      ['payment.refund', 'markCancelled', [[refund]]],
      ['sale.cancellation', 'create', [{ order_id: id, refund: true }]],
      ['sale.order.line', 'create', [{ order_id: id, name: 'x', price_unit: '1' }]],
      ['sale.order.line', 'write', [line, { price_unit: '1' }]],
      ['sale.order.line', 'unlink', [line]],
    ] as const)
      await call(foreign, model, method, [...args]).catch(() => {});
    expect(await everything()).toEqual(before);
    for (const [model, values, fields] of [
      ['sale.cancellation', { order_id: id }, { money_there: true }],
      ['payment.refund', { sale_order_id: id, transaction_id: paid }, { question: true, amount_there: true }],
      ['payment.transaction', { sale_order_id: id }, { amount: true, partner_name: true }],
      ['sale.order.line', { order_id: id, product_id: product }, { price_unit: true, name: true }],
    ] as const) {
      const shown = await call(foreign, model, 'preview', [false, values, fields]).catch(() => '');
      expect(JSON.stringify(shown)).not.toMatch(/half-|Ada|39|40/);
    }
    const much = call(foreign, 'payment.refund', 'create', [{ transaction_id: paid, amount: 1000 }]);
    expect((await refusal(much)).message).not.toContain('39');
    expect((await foreign.get(`/sale/order/${id}/pdf`)).status).toBe(404);
    expect((await own.get(`/sale/order/${id}/pdf`)).status).toBe(200);
  });

  it('that may be read and not be written are neither priced anew nor cancelled, and their money stays', async () => {
    const { id } = await makeOrder('kept');
    const offer = await app.write((ctx) =>
      ctx
        .model(SaleOrder)
        .create({ origin: 'kept', order_line: [{ create: { product_id: product, price_unit: '80' } }] }),
    );
    const before = await everything();
    for (const [model, method, args] of [
      ['sale.order', 'reprice', [[offer]]],
      ['sale.order', 'cancel', [[id]]],
      ['sale.cancellation', 'create', [{ order_id: id, refund: true }]],
      ['sale.order.line', 'create', [{ order_id: offer, name: 'x', price_unit: '1' }]],
    ] as const)
      await expect(call(own, model, method, [...args])).rejects.toThrow();
    expect(await everything()).toEqual(before);
  });
});
