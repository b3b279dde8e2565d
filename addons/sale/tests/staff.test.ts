import { Partner, User } from '@pergola/base';
import type { Id } from 'pergola';
import {
  CallError,
  type Client,
  createTestApp,
  type Mailbox,
  openMailbox,
  someDatabase,
  type TestApp,
} from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';
import { PaymentTransaction } from '../models/payment-transaction.ts';
import { SaleCompany } from '../models/res-company.ts';
import { SaleOrder } from '../models/sale-order.ts';
import { SaleOrderLine } from '../models/sale-order-line.ts';
import { printable } from '../services/documents/printable.ts';
import { Payments } from '../services/payment/payments.ts';
import { acquirerOf, makeCart, makeProduct, makeTax, totalsOf } from './kit.ts';

someDatabase('staff and customers', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let seller: Client;
  let portal: Client;
  let product: Id;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['sale'], database, demo: true, env: { SMTP_URL: mailbox.url } });
    product = await app.write(async (ctx) => {
      await ctx.model(SaleCompany).write(await ctx.ref('base.main_company'), {
        sale_note: { en_US: 'Payable within 30 days.', fr_FR: 'Payable sous 30 jours.' },
      });
      const partner = await ctx.model(Partner).create({ name: 'Sam Seller', email: 'sam@example.com' });
      await ctx
        .model(User)
        .create({ login: 'sam', partner_id: partner, group_ids: [await ctx.ref('sale.group_sale_user')] });
      return makeProduct(ctx, {
        name: 'Bird house',
        list_price: '24.00',
        taxes_id: [await makeTax(ctx, '20', { price_include: true })],
      });
    });
    seller = await app.as('sam');
    portal = await app.as('portal');
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const call = (client: Pick<Client, 'rpc'>, model: string, method: string, args: unknown[], kwargs: object = {}) =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs });
  const refused = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      (value) => new Error(JSON.stringify(value)),
      (caught: unknown) => caught,
    );
    if (error instanceof CallError) return error.message;
    throw error;
  };

  it('lets salespeople make a quotation by the calls of Odoo’s clients: prices, address and number come by themselves', async () => {
    const customer = await app.read((ctx) => ctx.ref('base.demo_portal_partner'));
    const id = (await call(seller, 'sale.order', 'create', [
      { partner_id: customer, order_line: [[0, 0, { product_id: product, product_uom_qty: 3 }]] },
    ])) as Id;
    const [row] = (await call(seller, 'sale.order', 'read', [
      [id],
      ['name', 'state', 'amount_total', 'amount_tax', 'invoice_name', 'invoice_city', 'lang', 'user_id', 'note'],
    ])) as [Record<string, unknown>];
    expect(row).toMatchObject({
      name: expect.stringMatching(/^SO\d{5}$/),
      state: 'draft',
      amount_total: 72,
      amount_tax: 12,
      invoice_name: 'Jo Martin',
      invoice_city: 'Paris',
      lang: 'fr_FR',
      note: expect.stringContaining('Payable sous 30 jours'),
    });
    await call(seller, 'sale.order', 'write', [
      [id],
      { order_line: [[0, 0, { product_id: product, product_uom_qty: 1, price_unit: 20, discount: 50 }]] },
    ]);
    expect((await app.read((ctx) => totalsOf(ctx, id))).amount_total).toBe(8200);
    // The state and the totals are nobody's to write.
    await call(seller, 'sale.order', 'write', [
      [id],
      { state: 'sale', amount_total: 1, version: 'x', access_token: 'x' },
    ]).catch(() => {});
    expect(await app.read((ctx) => totalsOf(ctx, id))).toMatchObject({ state: 'draft', amount_total: 8200 });

    mailbox.clear();
    await call(seller, 'sale.order', 'send', [[id]]);
    await app.runJobs();
    const mail = await mailbox.waitFor(({ envelopeTo }) => envelopeTo[0] === 'portal@example.com');
    expect(mail.subject).toContain(String(row.name));
    expect(mail.html).toContain('Bonjour Jo,');
    expect(mail.attachments).toMatchObject([{ filename: `${row.name}.pdf`, mimeType: 'application/pdf' }]);
    expect(await app.read((ctx) => totalsOf(ctx, id))).toMatchObject({ state: 'sent' });

    await call(seller, 'sale.order', 'confirm', [[id]]);
    expect(await refused(call(seller, 'sale.order', 'confirm', [[id]]))).toContain('order in this status');
    const frozen = call(seller, 'sale.order', 'write', [[id], { partner_id: false }]);
    expect(await refused(frozen)).toContain('can’t be changed while Status is Order');
    const lines = await app.read((ctx) => ctx.model(SaleOrderLine).search([['order_id', '=', id]]));
    expect(await refused(call(seller, 'sale.order.line', 'write', [lines, { price_unit: 1 }]))).toContain(
      'can’t be changed while Status is Order',
    );
    expect(await refused(call(seller, 'sale.order.line', 'unlink', [lines]))).toContain(
      'can’t be changed while Status is Order',
    );
    await call(seller, 'sale.order', 'finish', [[id]]);
    expect(await app.read((ctx) => totalsOf(ctx, id))).toMatchObject({ state: 'done', amount_total: 8200 });
  });

  it('keeps on the order what the customer gave, whatever becomes of the contact', async () => {
    const { order, partner } = await app.write(async (ctx) => {
      const partner = await ctx
        .model(Partner)
        .create({ name: 'Old Name', email: 'old@example.com', street2: 'Old Street', city: 'Old Town' });
      const order = await ctx
        .model(SaleOrder)
        .create({ partner_id: partner, order_line: [{ create: { product_id: product } }] });
      await ctx.model(SaleOrder).confirm([order]);
      return { order, partner };
    });
    const address = () =>
      app.read((ctx) =>
        ctx.model(SaleOrder).get(order, { select: { invoice_name: true, invoice_city: true, partner_id: true } }),
      );
    await app.write((ctx) => ctx.model(Partner).write(partner, { name: 'New Name', city: 'New Town' }));
    expect(await address()).toMatchObject({ invoice_name: 'Old Name', invoice_city: 'Old Town', partner_id: partner });
    await app.write((ctx) => ctx.model(Partner).unlink(partner));
    expect(await address()).toMatchObject({ invoice_name: 'Old Name', partner_id: null });
  });

  it('shows customers their own orders only, and visitors none', async () => {
    const all = await app.read((ctx) =>
      ctx.model(SaleOrder).find([], { select: { partner_id: true, state: true, is_cart: true } }),
    );
    const partner = await app.read((ctx) => ctx.ref('base.demo_portal_partner'));
    const own = all
      .filter((one) => one.partner_id === partner && one.state !== 'draft' && !one.is_cart)
      .map(({ id }) => id);
    const seen = (await call(portal, 'sale.order', 'search', [[]])) as Id[];
    expect(seen.toSorted()).toEqual(own.toSorted());
    const foreign = all.find((one) => one.partner_id !== partner)?.id ?? 0;
    const missing = Math.max(...all.map(({ id }) => id)) + 1000;
    const answers = await Promise.all(
      [foreign, missing].map((id) =>
        call(portal, 'sale.order', 'read', [[id], ['amount_total']]).catch((error: unknown) =>
          String(error).replaceAll(String(id), '#'),
        ),
      ),
    );
    expect(answers[0]).toEqual(answers[1]);
    for (const [model, method, args] of [
      ['sale.order', 'write', [seen, { client_order_ref: 'x' }]],
      ['sale.order', 'confirm', [seen]],
      ['sale.order', 'cancel', [[foreign]]],
      ['sale.order', 'create', [{}]],
      ['sale.order.line', 'write', [[1], { price_unit: 0 }]],
      ['payment.transaction', 'markPaid', [[1]]],
      ['payment.transaction', 'create', [{ reference: 'x' }]],
      ['payment.acquirer', 'read', [[1], ['name']]],
      ['product.pricelist', 'search', [[]]],
      ['sale.hold', 'search', [[]]],
    ] as const) {
      await refused(call(portal, model, method, [...args]));
      await refused(call(app.visitor(), model, method, [...args]));
    }
    await refused(call(app.visitor(), 'sale.order', 'search', [[]]));
    await refused(call(app.visitor(), 'product.template', 'search', [[]]));
  });

  it('tells nobody the secrets of payment methods and links, and lets only the payment write itself', async () => {
    const admin = await app.as('admin');
    const [fields] = [await call(admin, 'payment.acquirer', 'fields_get', [])] as [Record<string, unknown>];
    expect(fields).not.toHaveProperty('secret_key');
    await refused(call(admin, 'payment.acquirer', 'search', [[['secret_key', 'like', 'a%']]]));
    await refused(call(admin, 'sale.order', 'search', [[['access_token', 'like', 'a%']]]));
    const [one] = await app.read((ctx) => ctx.model(SaleOrder).search([]));
    expect(
      await refused(
        call(admin, 'payment.transaction', 'create', [
          { reference: 'x', sale_order_id: one, acquirer_id: 1, amount: 1, currency_id: 1 },
        ]),
      ),
    ).toBeTruthy();
  });

  it('lets salespeople mark a transfer as paid; the customer gets one mail for each step, in their language', async () => {
    mailbox.clear();
    const { order, payment } = await app.write(async (ctx) => {
      const order = await makeCart(ctx, [product], 2);
      await ctx.model(SaleOrder).write(order, { lang: 'fr_FR' });
      const started = await ctx
        .get(Payments)
        .start({ order, acquirer: await acquirerOf(ctx, 'transfer'), returnUrl: '/' });
      await ctx.model(PaymentTransaction).advance([started.id], { state: 'pending' });
      await ctx.model(PaymentTransaction).advance([started.id], { state: 'pending' });
      return { order, payment: started.id };
    });
    await app.runJobs();
    const received = await mailbox.waitFor(({ subject }) => Boolean(subject?.includes('reçu')));
    expect(received.html).toContain('FR76 3000');
    await call(seller, 'payment.transaction', 'markPaid', [[payment]]);
    await app.runJobs();
    const confirmed = await mailbox.waitFor(({ subject }) => Boolean(subject?.includes('confirmée')));
    expect(confirmed.attachments).toHaveLength(1);
    await app.runJobs();
    const theirs = mailbox.received().filter(({ envelopeTo }) => envelopeTo[0] === 'ada@example.com');
    expect(theirs).toHaveLength(2);
    expect(await app.read((ctx) => totalsOf(ctx, order))).toMatchObject({ state: 'sale', payment_state: 'paid' });
    const acquirers = await app.read((ctx) => ctx.model(PaymentAcquirer).count([]));
    expect(acquirers).toBe(2);
  });

  it('makes a document with everything on it, in the language asked for', async () => {
    const { orderDocument } = await import('../services/documents/order-document.ts');
    const { Documents } = await import('../services/documents/pdf.ts');
    const [en, fr, file] = await app.read(async (ctx) => {
      const [id = 0] = await ctx.model(SaleOrder).search([['state', '=', 'done']], { order: 'id', limit: 1 });
      const english = await orderDocument(ctx.as({ lang: 'en_US' }), id);
      const french = await orderDocument(ctx.as({ lang: 'fr_FR' }), id);
      return [JSON.stringify(english), JSON.stringify(french), await ctx.get(Documents).pdf(english)] as const;
    });
    for (const text of [
      'La Tonnelle',
      'Delft Keramiek',
      'incl. 44.00\u00a0€ VAT 20%',
      '264.00\u00a0€',
      'FR76 3000',
      'Order SO',
    ])
      expect(en).toContain(text);
    for (const text of ['TVA 20', '264,00', 'Commande SO', 'dont 44,00\u00a0€ de TVA']) expect(fr).toContain(text);
    expect(new TextDecoder('latin1').decode(file.slice(0, 5))).toBe('%PDF-');
    expect(file.length).toBeGreaterThan(10_000);
  });

  it('prints no box where the font of documents has no such space', () => {
    const bytes = new Uint8Array([0x20, 0x2f]);
    expect(
      printable({ text: ['9:00\u202fAM\u2009–\u20096:30\u202fPM', { text: 'a\u2060b', size: 2 }], bytes }),
    ).toEqual({
      text: ['9:00\u00a0AM – 6:30\u00a0PM', { text: 'ab', size: 2 }],
      bytes,
    });
  });
});
