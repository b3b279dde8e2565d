import { Partner, User } from '@pergola/base';
import type { ThreadView } from '@pergola/web';
import type { Decimal, Id } from 'pergola';
import { mailServerSetting, releaseMails } from 'pergola/mail';
import {
  CallError,
  type Client,
  createTestApp,
  type Mailbox,
  openMailbox,
  someDatabase,
  type TestApp,
} from 'pergola/testing';
import { SaleOrder } from '../models/sale-order.ts';
import { OrderEmail } from '../models/sale-order-email.ts';
import { acquirerOf, makeProduct } from './kit.ts';

someDatabase('The discussion of an order', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let seller: Client;
  let product: Id;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['sale'], database, demo: true });
    product = await app.write(async (ctx) => {
      const partner = await ctx.model(Partner).create({ name: 'Sam Seller', email: 'sam@example.com' });
      await ctx
        .model(User)
        .create({ login: 'sam', partner_id: partner, group_ids: [await ctx.ref('sale.group_sale_user')] });
      return makeProduct(ctx, { name: 'Bird house', list_price: '24.00' as Decimal, taxes_id: [] });
    });
    seller = await app.as('sam');
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const call = <T>(client: Client, model: string, method: string, args: unknown[], kwargs: object = {}) =>
    client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs });
  const thread = (id: Id) => call<ThreadView>(seller, 'mail.message', 'thread_read', [], { model: 'sale.order', id });
  const post = (id: Id, values: object) =>
    call<Id>(seller, 'mail.message', 'thread_post', [], {
      model: 'sale.order',
      id,
      body: '<p>On its way.</p>',
      ...values,
    });
  const makeOrder = (): Promise<Id> =>
    app.write((ctx) =>
      ctx.model(SaleOrder).create({
        invoice_name: 'Müller, Jörg',
        invoice_email: 'joerg@example.com',
        lang: 'en_US',
        order_line: [{ create: { product_id: product } }],
      }),
    );
  const emails = async (id: Id) =>
    (await thread(id)).messages
      .filter(({ mails }) => mails.length > 0)
      .map(({ type, subject, mails, files }) => [
        type,
        subject,
        mails.map(({ email, state }) => [email, state]),
        files.length,
      ]);
  const connect = async (on: boolean): Promise<void> => {
    const port = Number(new URL(mailbox.url).port);
    const server = { host: '127.0.0.1', port, security: 'none', user: '', password: '', from: '' } as const;
    await app.write((ctx) => ctx.settings.set(mailServerSetting, on ? server : null));
    await app.write((ctx) => ctx.jobs.enqueue(releaseMails, {}));
    await app.runJobs();
  };

  it('shows an email as it was sent, held until there is a mail server, then handed over', async () => {
    await connect(false);
    const order = await makeOrder();
    const email = await call<Id>(seller, 'sale.order.email', 'create', [{ order_id: order }]);
    const [proposal] = await call<{ email_to: string; subject: string; body: string; sending: string }[]>(
      seller,
      'sale.order.email',
      'read',
      [[email], ['email_to', 'subject', 'body', 'sending']],
    );
    expect(proposal).toMatchObject({
      email_to: 'joerg@example.com',
      sending: expect.stringContaining('No mail server'),
    });
    expect(proposal?.body).toContain('<p>Hello Jörg,</p>');
    expect(proposal?.body).not.toContain('<table');
    await app.runJobs();
    const subject = proposal?.subject ?? '';
    expect(subject).toContain('quotation');
    expect(await emails(order)).toEqual([['email', subject, [['joerg@example.com', 'held']], 1]]);
    const state = () =>
      app.read((ctx) => ctx.model(SaleOrder).get(order, { select: { state: true, mail_state: true } }));
    expect(await state()).toMatchObject({ state: 'sent', mail_state: 'held' });
    await connect(true);
    expect(await emails(order)).toEqual([['email', subject, [['joerg@example.com', 'handed_over']], 1]]);
    expect(await state()).toMatchObject({ mail_state: 'handed_over' });
    const received = mailbox.received().filter((mail) => mail.subject === subject);
    expect(received).toHaveLength(1);
    expect(received[0]?.html).toContain('Bird house');
    expect(received[0]?.attachments).toHaveLength(1);
  });

  it('sends what staff wrote, to whom they wrote, and keeps it so', async () => {
    await connect(true);
    const order = await makeOrder();
    const values = {
      order_id: order,
      template: 'blank',
      email_to: 'office@example.com',
      subject: 'Your bird house',
      body: '<p>Red or <b>blue</b>?</p><script>alert(1)</script>',
      attach: false,
    };
    await call(seller, 'sale.order.email', 'create', [values]);
    await app.runJobs();
    const mail = mailbox.received().find(({ subject }) => subject === 'Your bird house');
    expect(mail?.envelopeTo).toEqual(['office@example.com']);
    expect(mail?.html).toContain('<p>Red or <b>blue</b>?</p>');
    expect(mail?.html).not.toContain('alert(1)');
    expect(mail?.html).not.toContain('Bird house</td>');
    const [message] = (await thread(order)).messages;
    expect(message).toMatchObject({ subject: 'Your bird house', body: '<p>Red or <b>blue</b>?</p>', files: [] });
    await expect(call(seller, 'sale.order.email', 'create', [{ ...values, email_to: 'nobody' }])).rejects.toThrow(
      CallError,
    );
    await expect(call(await app.as('portal'), 'sale.order.email', 'create', [values])).rejects.toThrow(CallError);
    expect(await app.read((ctx) => ctx.model(OrderEmail).count([['order_id', '=', order]]))).toBe(1);
  });

  it('proposes the email by the state of the order: a quotation until it is sold, then its confirmation', async () => {
    const order = await makeOrder();
    const proposal = async (template?: string) => {
      const values = { order_id: order, ...(template ? { template } : {}) };
      const shown = await call<{ values: Record<string, unknown> }>(seller, 'sale.order.email', 'preview', [
        false,
        values,
        { template: true, subject: true, body: true, attach: true },
      ]);
      return shown.values;
    };
    const quotation = await proposal();
    expect(quotation).toMatchObject({ template: 'quotation', attach: true });
    const blank = await proposal('blank');
    expect(blank).toMatchObject({ template: 'blank', subject: '', body: '<p>Hello Jörg,</p>', attach: false });
    expect(String(quotation.body).length).toBeGreaterThan(String(blank.body).length);
    await app.write((ctx) => ctx.model(SaleOrder).confirm([order]));
    expect(await proposal()).toMatchObject({ template: 'confirmed' });
    expect(await proposal('quotation')).toMatchObject({ template: 'quotation' });
  });

  it('names the answer of a mail server that refuses an email', async () => {
    await connect(true);
    const order = await makeOrder();
    mailbox.refuse(550);
    await post(order, { emails: ['joerg@example.com'] });
    await app.runJobs();
    mailbox.refuse(null);
    const [message] = (await thread(order)).messages;
    expect(message?.mails).toEqual([
      expect.objectContaining({
        email: 'joerg@example.com',
        state: 'refused',
        error: expect.stringContaining('refused'),
      }),
    ]);
  });

  it('ticks the customer by default; a note has no recipients', async () => {
    await connect(true);
    const order = await makeOrder();
    expect((await thread(order)).recipients).toEqual([
      { email: 'joerg@example.com', name: 'Müller, Jörg', ticked: true },
    ]);
    const sent = async (values: object) => {
      const before = mailbox.received().length;
      await post(order, values);
      await app.runJobs();
      return mailbox
        .received()
        .slice(before)
        .map(({ envelopeTo }) => envelopeTo[0]);
    };
    expect(await sent({})).toEqual(['joerg@example.com']);
    expect(await sent({ emails: ['JOERG@example.com'] })).toEqual(['joerg@example.com']);
    expect(await sent({ emails: [] })).toEqual([]);
    expect(await sent({ internal: true })).toEqual([]);
    await expect(post(order, { emails: ['eve@example.com'] })).rejects.toThrow('Reload the page');
    await expect(post(order, { internal: true, emails: ['joerg@example.com'] })).rejects.toThrow('colleagues only');
    // The customer follows the order as well: one email.
    const customer = await app.write(async (ctx) => {
      const id = await ctx.model(Partner).create({ name: 'Jörg', email: 'joerg@example.com' });
      await ctx.model(SaleOrder).write(order, { partner_id: id, invoice_email: 'joerg@example.com' });
      await ctx.model(SaleOrder).messageSubscribe([order], [id]);
      return id;
    });
    expect(customer).toBeGreaterThan(0);
    expect(await sent({})).toEqual(['joerg@example.com']);
  });

  it('notes payments and refunds', async () => {
    await connect(true);
    const order = await makeOrder();
    await app.write(async (ctx) => {
      await acquirerOf(ctx, 'transfer');
    });
    await call(seller, 'payment.transaction', 'create', [{ sale_order_id: order }]);
    const manager = await app.as('admin');
    const refund = await call<Id>(manager, 'payment.refund', 'create', [{ sale_order_id: order }]);
    await call(manager, 'payment.refund', 'markDone', [[refund]]);
    await app.runJobs();
    const texts = (await thread(order)).messages.map(({ subject, body }) => subject ?? body);
    expect(texts).toHaveLength(5);
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/Payment of .*24\.00.* received/),
        expect.stringMatching(/Refund of .*24\.00.* to be transferred/),
        expect.stringMatching(/Refunded .*24\.00/),
        expect.stringContaining('is confirmed'),
        expect.stringContaining('refund for your order'),
      ]),
    );
  });
});
