import { SaleOrder } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import { settleTicketsJob } from '../jobs/settle-tickets.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { makeCart, makeEvent, putTickets } from './kit.ts';

someDatabase('Tickets of orders that change while events are switched off', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['website_event'], database, env: { SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const states = (order: Id) =>
    app.read(async (ctx) => {
      const rows = await ctx
        .model(EventRegistration)
        .find([['sale_order_id', '=', order]], { select: { state: true }, order: 'id' });
      return rows.map(({ state }) => state);
    });
  const settle = async () => {
    await app.write((ctx) => ctx.jobs.enqueue(settleTicketsJob, {}));
    await app.runJobs();
  };

  it('are no longer sold meanwhile, whatever their price', async () => {
    const cart = await app.write(async (ctx) => {
      const { tickets } = await makeEvent(ctx, { name: 'Picnic' });
      const order = await makeCart(ctx, 'Eve B');
      await putTickets(ctx, order, tickets[0] ?? 0, 1);
      return order;
    });
    await app.application.lifecycle.disable(['website_event'], { yes: true });
    const problems = await app.read((ctx) => ctx.model(SaleOrder).problems(cart));
    await app.application.lifecycle.enable(['website_event']);
    expect(problems.map(({ code }) => code)).toEqual(['website_sale.not_listed']);
  });

  it('are sent, or taken back, once events are on again', async () => {
    const order = (name: string, seats: number) =>
      app.write(async (ctx) => {
        const { tickets } = await makeEvent(ctx, { name: 'Garden party', seats_max: 5 });
        const cart = await makeCart(ctx, name);
        await putTickets(ctx, cart, tickets[0] ?? 0, seats);
        return cart;
      });
    const [paid, cancelled, kept] = [await order('Ada B', 2), await order('Bob B', 1), await order('Cid B', 2)];
    const change = (work: (orders: SaleOrder) => Promise<void>) => app.write((ctx) => work(ctx.model(SaleOrder)));
    await change((orders) => orders.confirm([cancelled, kept]));
    expect(await states(cancelled)).toEqual(['open']);
    await app.runJobs();
    mailbox.clear();

    await app.application.lifecycle.disable(['website_event'], { yes: true });
    await change((orders) => orders.confirm([paid]));
    await change((orders) => orders.cancel([cancelled]));
    await app.application.lifecycle.enable(['website_event']);
    // At once, so that nobody else takes these seats.
    await app.runJobs();
    expect([await states(paid), await states(cancelled)]).toEqual([['open', 'open'], ['cancel']]);
    const told = mailbox.received().filter(({ envelopeTo }) => envelopeTo.includes('ada@example.com'));
    expect(told.some(({ attachments }) => attachments.length > 0)).toBe(true);

    // What people did to registrations since stays, also those of orders from before this was noted.
    await app.write(async (ctx) => {
      const registrations = ctx.model(EventRegistration);
      const [first = 0] = await registrations.search([['sale_order_id', '=', kept]], { order: 'id' });
      await registrations.button_reg_cancel([first]);
    });
    await settle();
    expect(await states(kept)).toEqual(['cancel', 'open']);
    await app.write((ctx) => ctx.db('sale_order').update({ tickets_done: null }));
    await settle();
    expect(await states(kept)).toEqual(['cancel', 'open']);
  });
});
