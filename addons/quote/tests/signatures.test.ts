import { Attachment } from '@pergola/base';
import { contentVersion, orderDocument, ProductTemplate, SaleOrder, SaleOrderLine, stableJson } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { QuotedOrder } from '../models/sale-order.ts';
import { SaleOrderOption } from '../models/sale-order-option.ts';
import { SaleOrderSignature } from '../models/sale-order-signature.ts';
import { signatureHash } from '../services/acceptances.ts';
import { signedDocument } from '../services/signed-document.ts';
import { drawn, makeQuote, type Quote, quoteOf } from './kit.ts';

someDatabase('A signature', (database) => {
  let app: TestApp;
  let sign: string;
  beforeAll(async () => {
    sign = await drawn();
    app = await createTestApp({ addons: ['quote'], database, demo: true });
  });
  afterAll(() => app.close());

  const accept = (quote: Quote, change: object = {}, client = app.visitor()) =>
    client.rpc('/quote/accept', { order_id: quote.id, token: quote.token, signer: 'Sam Client', sign, ...change });
  const call = async (model: string, method: string, args: readonly unknown[]) =>
    (await app.as('admin')).rpc('/web/dataset/call_kw', { model, method, args, kwargs: {} });
  const write = (id: Id, values: object) => call('sale.order', 'write', [[id], values]);
  /** What the page shows and sends along. */
  const pageOf = async (quote: Quote, client = app.visitor()) => {
    const { text } = await client.get(quote.path);
    return {
      text,
      version: /data-version="([^"]+)"/.exec(text)?.[1] ?? '',
      total: Number(/data-total="(\d+)"/.exec(text)?.[1]),
    };
  };
  const paperOf = async (id: Id) => JSON.stringify(await app.read((ctx) => orderDocument(ctx, id)));
  const signaturesOf = (id: Id) =>
    app.read((ctx) =>
      ctx.model(SaleOrderSignature).find([['order_id', '=', id]], {
        select: {
          signer: true,
          date: true,
          ip: true,
          picture: true,
          content: true,
          amount_total: true,
          currency_id: true,
          version: true,
          hash: true,
          document_id: true,
        },
        order: 'id',
      }),
    );

  it.each<[string, object | ((quote: Quote) => Promise<unknown>), RegExp]>([
    [
      'terms',
      { note: 'You pay everything in advance; no refunds.' },
      /Terms: \(none\) → You pay everything in advance/,
    ],
    ['the address', { invoice_city: 'Paris' }, /Billing address: .* → .*Paris/],
    ['how long it is valid', { validity_date: '2099-01-01' }, /Valid until: \(none\) → January 1, 2099/],
    ['the text of the page', { website_description: '<p>Delivered by boat</p>' }, /Page: /],
    ['the reference', { client_order_ref: 'PO 9' }, /Your reference: \(none\) → PO 9/],
    [
      'a price',
      (quote) => call('sale.order.line', 'write', [[quote.lines[0]], { price_unit: 500 }]),
      /Garden bench, Unit price: 100\.00.* → 500\.00/,
    ],
    [
      'a description',
      (quote) => call('sale.order.line', 'write', [[quote.lines[0]], { name: 'Plastic bench' }]),
      /Garden bench, Description: Garden bench → Plastic bench/,
    ],
    [
      'the text of a line',
      (quote) => call('sale.order.line', 'write', [[quote.lines[0]], { website_description: '<p>Oak</p>' }]),
      /Garden bench, Page: /,
    ],
    [
      'an option',
      (quote) => call('sale.order.option', 'write', [[quote.option], { price_unit: 45 }]),
      /Option: A second parasol · 1 · 40\.00.* → A second parasol · 1 · 45\.00/,
    ],
  ])('is not taken for another content: %s', async (_, change, told) => {
    const quote = await makeQuote(app);
    const client = app.visitor();
    const seen = await pageOf(quote, client);
    await (typeof change === 'function' ? change(quote) : write(quote.id, change));
    expect(await accept(quote, { version: seen.version, total: seen.total }, client)).toBe(false);
    expect(changesIn((await client.get(`${quote.path}?message=4`)).text)).toMatch(told);
    expect(await quoteOf(app, quote.id)).toMatchObject({ state: 'sent', signer: null });
    const fresh = await pageOf(quote, client);
    expect(await accept(quote, { version: fresh.version, total: fresh.total }, client)).toBe(true);
  });

  it('stores what was signed in the same transaction, with a fingerprint over all of it', async () => {
    const quote = await makeQuote(app, { note: 'Thirty days.', website_description: '<p>By hand</p>' });
    expect(await accept(quote)).toBe(true);
    const [signature] = await signaturesOf(quote.id);
    if (!signature?.content || !signature.picture) throw new Error('There is no signature.');
    const { content, picture } = signature;
    const text = stableJson(content);
    for (const part of ['Garden bench', 'Thirty days.', 'By hand', 'Ada Lovelace', 'A second parasol'])
      expect(text).toContain(part);
    expect(contentVersion(content)).toBe(signature.version);
    const facts = { ...signature, content, picture };
    const { signer, date, ip, amount_total, currency_id, hash } = facts;
    const signed = { order_id: quote.id, signer, date, ip, picture, content, amount_total, currency_id };
    expect(signatureHash(signed)).toBe(hash);
    expect(signatureHash({ ...signed, content: { ...content, facts: content.facts.slice(1) } })).not.toBe(hash);
    expect(await quoteOf(app, quote.id)).toMatchObject({ signed_hash: hash });
  });

  it('has a document of what was signed, whatever is changed before it is made', async () => {
    const quote = await makeQuote(app, { note: 'Thirty days.' });
    await accept(quote);
    await app.write(async (ctx) => {
      await ctx
        .db('sale_order')
        .where({ id: quote.id })
        .update({ note: 'No refunds ever.', invoice_city: 'Elsewhere' });
    });
    const [signature] = await signaturesOf(quote.id);
    const paper = JSON.stringify(await app.read((ctx) => signedDocument(ctx, signature?.id ?? 0)));
    for (const made of [paper, await paperOf(quote.id)]) {
      expect(made).toContain('Thirty days.');
      expect(made).toContain('Signed by Sam Client');
      expect(made).not.toMatch(/No refunds|Elsewhere/);
    }
    await app.runJobs();
    const signed = await quoteOf(app, quote.id);
    expect((await signaturesOf(quote.id))[0]?.document_id).toBe(signed.signed_document_id);
  });

  it('nothing of what was signed changes by any way of writing', async () => {
    const quote = await makeQuote(app);
    expect(await accept(quote)).toBe(true);
    await app.runJobs();
    const before = await paperOf(quote.id);
    const values: object[] = [
      { note: 'No refunds ever.' },
      { client_order_ref: 'x' },
      { website_description: '<p>Other</p>' },
      { validity_date: '2099-01-01' },
      { date_order: '2020-01-01 00:00:00' },
      { lang: 'fr_FR' },
      { invoice_name: 'Eve' },
      { shipping_same: false, shipping_city: 'Paris' },
      { pricelist_id: false, partner_id: 1 },
      { customer_changes: false },
      { template_id: 1 },
      { order_line: [[0, 0, { name: 'More', price_unit: 1 }]] },
      { options: [[0, 0, { product_id: quote.product, name: 'More', price_unit: 1 }]] },
    ];
    for (const value of values) await expect(write(quote.id, value)).rejects.toThrow();
    await expect(call('sale.order.option', 'write', [[quote.option], { name: 'Other' }])).rejects.toThrow();
    await expect(call('sale.order.option', 'unlink', [[quote.option]])).rejects.toThrow();
    await expect(
      call('sale.order.line', 'write', [[quote.lines[0]], { website_description: '<p>x</p>' }]),
    ).rejects.toThrow();
    await expect(call('sale.order.line', 'unlink', [[quote.lines[0]]])).rejects.toThrow();
    const [signature] = await signaturesOf(quote.id);
    await expect(call('sale.order.signature', 'write', [[signature?.id], { signer: 'Eve' }])).rejects.toThrow();
    await expect(call('sale.order.signature', 'unlink', [[signature?.id]])).rejects.toThrow();
    await expect(call('sale.order.signature', 'create', [{ order_id: quote.id, signer: 'Eve' }])).rejects.toThrow();
    await expect(call('ir.attachment', 'write', [[signature?.document_id], { name: 'x.pdf' }])).rejects.toThrow();
    await expect(call('ir.attachment', 'unlink', [[signature?.document_id]])).rejects.toThrow();
    // Not by code with rights lifted either.
    await expect(
      app.write((ctx) => ctx.model(SaleOrderSignature).write(signature?.id ?? 0, { signer: 'Eve' })),
    ).rejects.toThrow();
    await expect(app.write((ctx) => ctx.model(SaleOrder).write(quote.id, { note: 'x' }))).rejects.toThrow();
    expect(await paperOf(quote.id)).toBe(before);
  });

  it('the page shows what was signed, also when a product’s own text changes later', async () => {
    const quote = await makeQuote(app);
    const template = await app.write(async (ctx) => {
      const [line] = await ctx
        .model(SaleOrderLine)
        .read([quote.lines[0] ?? 0], { select: { product_id: { product_tmpl_id: true } } });
      const id = line?.product_id?.product_tmpl_id ?? 0;
      await ctx.model(ProductTemplate).write(id, { quote_description: '<p>Solid oak</p>' } as object);
      return id;
    });
    const { text, version } = await pageOf(quote);
    expect(text).toContain('Solid oak');
    expect(await accept(quote, { version })).toBe(true);
    await app.write((ctx) =>
      ctx.model(ProductTemplate).write(template, { quote_description: '<p>Chipboard</p>' } as object),
    );
    expect((await pageOf(quote)).text).toContain('Solid oak');
    expect((await pageOf(quote)).text).not.toContain('Chipboard');
  });

  it.each([['cancelled and reopened', ['cancel', 'reopen']]] as const)(
    'goes when the quotation is %s, and stays in its history',
    async (_, methods) => {
      const quote = await makeQuote(app);
      expect(await accept(quote)).toBe(true);
      await app.runJobs();
      for (const method of methods) await call('sale.order', method, [[quote.id]]);
      expect(await quoteOf(app, quote.id)).toMatchObject({
        state: 'draft',
        signer: null,
        signed_hash: null,
        signed_date: null,
        signature: null,
        signed_document_id: null,
      });
      await call('sale.order.line', 'write', [[quote.lines[0]], { price_unit: 500 }]);
      const draft = await paperOf(quote.id);
      expect(draft).toContain('Quotation ');
      expect(draft).not.toMatch(/Accepted|Signed by|Sam Client|Fingerprint/);
      expect((await pageOf(quote)).text).not.toMatch(/Signed by|Signed document/);
      const [first] = await signaturesOf(quote.id);
      const said = await app.read((ctx) => ctx.model(SaleOrder).messages(quote.id));
      expect(said.some(({ body }) => body?.includes('Sam Client'))).toBe(true);
      const reopened = await call('sale.order', 'read', [[quote.id], ['date_confirm']]);
      expect(reopened).toMatchObject([{ date_confirm: false }]);

      await call('sale.order', 'send', [[quote.id]]);
      const page = await pageOf(quote);
      expect(await accept(quote, { signer: 'Second Signer', version: page.version, total: page.total })).toBe(true);
      await app.runJobs();
      const [kept, second] = await signaturesOf(quote.id);
      expect(kept).toEqual(first);
      expect(second).toMatchObject({ signer: 'Second Signer', amount_total: 104_500 });
      expect(second?.document_id).not.toBe(kept?.document_id);
      expect((await quoteOf(app, quote.id)).signed_document_id).toBe(second?.document_id);
      const names = await app.read((ctx) =>
        ctx.model(Attachment).read([kept?.document_id ?? 0, second?.document_id ?? 0], { select: { checksum: true } }),
      );
      expect(new Set(names.map(({ checksum }) => checksum)).size).toBe(2);
      const paper = await paperOf(quote.id);
      expect(paper).toContain('Signed by Second Signer');
      expect(paper).toContain('1,045.00');
      // Orders with signatures are kept.
      await call('sale.order', 'cancel', [[quote.id]]);
      await expect(call('sale.order', 'unlink', [[quote.id]])).rejects.toThrow();
    },
  );

  it.each([
    ['.', false],
    ['\u3164', false],
    ['\uffa0\u115f\u1160', false],
    ['\u200b\u2060', false],
    ['\u202e\u2066', false],
    ['12 !?', false],
    ['🙂', false],
    ['\u2800', false],
    ['Ж', true],
    ['李', true],
    ['علی\u200cرضا', true],
    ['O’Neil', true],
  ])('of %j is a name: %s', async (signer, isName) => {
    const quote = await makeQuote(app);
    expect(await accept(quote, { signer })).toBe(isName);
    if (isName) expect((await quoteOf(app, quote.id)).signer).toBe(signer);
  });

  it('is on one line and runs in its own direction', async () => {
    const quote = await makeQuote(app);
    expect(await accept(quote, { signer: 'A\nB\u202e gnp\u2069' })).toBe(true);
    expect((await quoteOf(app, quote.id)).signer).toBe('A B gnp');
  });

  it('takes an option that the customer chose as part of what they know', async () => {
    const quote = await makeQuote(app);
    await app.visitor().form(`/quote/add_line/${quote.option}/${quote.id}/${quote.token}`);
    expect(await accept(quote)).toBe(true);
    expect((await signaturesOf(quote.id))[0]?.content?.lines).toHaveLength(3);
    expect(
      await app.read((ctx) =>
        ctx.model(SaleOrderOption).count([
          ['order_id', '=', quote.id],
          ['line_id', '!=', null],
        ]),
      ),
    ).toBe(1);
  });

  it('is accepted in French with the changes in French', async () => {
    const quote = await makeQuote(app);
    const client = app.visitor();
    const { text } = await client.get(`/fr${quote.path}`);
    const version = /data-version="([^"]+)"/.exec(text)?.[1] ?? '';
    await app.write((ctx) => ctx.model(QuotedOrder).write(quote.id, { note: 'Paiement d’avance' }));
    const form = { order_id: quote.id, token: quote.token, signer: 'Ada', typed: 'on', version, total: 24_500 };
    const { location } = await client.form('/fr/quote/accept/form', form);
    expect(location).toContain('message=4');
    expect(changesIn((await client.get(`/fr${quote.path}?message=4`)).text)).toMatch(/Conditions.*→ Paiement d’avance/);
  });
});

/** What a page says has changed. */
function changesIn(html: string): string {
  const [, list = ''] = /data-slot="quote-changes">([\s\S]*?)<\/ul>/.exec(html) ?? [];
  return list.replace(/<[^>]+>|&nbsp;|&#xA0;|\s+/g, ' ');
}
