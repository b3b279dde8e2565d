import { User } from '@pergola/base';
import { ProductProduct, SaleOrder, SaleOrderLine } from '@pergola/sale';
import { type Decimal, plusDays } from 'pergola';
import {
  CallError,
  type Client,
  createTestApp,
  eachDatabase,
  type Mailbox,
  openMailbox,
  type TestApp,
} from 'pergola/testing';
import sharp from 'sharp';
import { QuoteTemplate } from '../models/quote-template.ts';
import { QuotedOrder } from '../models/sale-order.ts';
import { blank, drawn, historyOf, makeQuote, type Quote, quoteOf } from './kit.ts';

eachDatabase('A quotation', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let sign: string;
  beforeAll(async () => {
    mailbox = await openMailbox();
    sign = await drawn();
    app = await createTestApp({ addons: ['quote'], database, demo: true, env: { SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });
  beforeEach(() => mailbox.clear());

  const accept = (quote: Quote, change: object = {}, client: Client = app.visitor()) =>
    client.rpc('/quote/accept', { order_id: quote.id, token: quote.token, signer: 'Ada Lovelace', sign, ...change });
  const update = (quote: Quote, change: object = {}, client: Client = app.visitor()) =>
    client.rpc('/quote/update_line', { order_id: quote.id, token: quote.token, line_id: quote.lines[0], ...change });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      (value) => ({ value }),
      (error: unknown) => (error instanceof CallError ? { ...error.data, reference: '', code: error.code } : error),
    );

  it('is read by whoever has its link, and is not there for anybody else', async () => {
    const quote = await makeQuote(app);
    const page = await app.visitor().get(quote.path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('o_website_quote');
    expect(page.text).toContain('Garden bench');
    expect(page.text).toContain('A second parasol');
    expect(page.headers.get('cache-control')).toMatch(/private|no-store/);
    const answers = await Promise.all(
      [
        `/quote/${quote.id}/${quote.token.slice(0, -1)}x`,
        `/quote/999999/${quote.token}`,
        `/quote/${quote.id}`,
        '/quote/999999',
        `/quote/${quote.id}/x`,
      ].map(async (path) => {
        const { status, text } = await app.visitor().get(path);
        return { status, text: text.replaceAll(path, '').replace(/[0-9a-f]{8}-[\w-]+|[\w-]{20,}/g, '') };
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const other = await makeQuote(app);
    expect((await app.visitor().get(`/quote/${quote.id}/${other.token}`)).status).toBe(404);
    const wrong = await refusal(accept({ ...quote, token: other.token }));
    expect(wrong).toMatchObject({ code: 404 });
    expect(await refusal(accept({ ...quote, id: 999_999 }))).toEqual(wrong);
    expect(await refusal(update({ ...quote, token: 'x' }))).toEqual(wrong);
    // Whoever may read the order finds its page by its number.
    expect((await (await app.as('admin')).get(`/quote/${quote.id}`)).location).toBe(quote.path);
    expect((await (await app.as('portal')).get(`/fr/quote/${quote.id}`)).status).toBe(404);
  });

  once('reaches its customer by mail, with the link and the document', async () => {
    const quote = await makeQuote(app);
    await app.runJobs();
    const mail = mailbox.received().find(({ html }) => html?.includes(`${app.url}${quote.path}`));
    expect(mail?.envelopeTo).toEqual(['ada@example.com']);
    expect(mail?.attachments[0]?.mimeType).toBe('application/pdf');
  });

  once('changes quantities one by one, and answers them with the total as texts', async () => {
    const quote = await makeQuote(app);
    const before = await quoteOf(app, quote.id);
    expect(await update(quote)).toEqual(['3', expect.stringMatching(/345\.00/)]);
    expect(await update(quote, { remove: true })).toEqual(['2', expect.stringMatching(/245\.00/)]);
    expect(await update(quote, { remove: true })).toEqual(['1', expect.stringMatching(/145\.00/)]);
    // Never below one: what is not wanted is taken out.
    expect(await update(quote, { remove: true })).toEqual(['1', expect.stringMatching(/145\.00/)]);
    expect((await quoteOf(app, quote.id)).version).not.toBe(before.version);
    expect(await update(quote, { unlink: true })).toBe(false);
    expect((await quoteOf(app, quote.id)).order_line).toHaveLength(1);
    // The last line stays.
    expect(await update(quote, { line_id: quote.lines[1], unlink: true })).toBe(false);
    expect((await quoteOf(app, quote.id)).order_line).toHaveLength(1);
  });

  once('leaves lines of other orders alone', async () => {
    const [quote, other] = [await makeQuote(app), await makeQuote(app)];
    const before = await quoteOf(app, other.id);
    for (const change of [{}, { remove: true }, { unlink: true }]) {
      expect(await update(quote, { line_id: other.lines[0], ...change })).toBe(false);
    }
    await app.visitor().form(`/quote/add_line/${other.option}/${quote.id}/${quote.token}`);
    expect(await quoteOf(app, other.id)).toEqual(before);
    expect((await quoteOf(app, quote.id)).order_line).toHaveLength(2);
  });

  it('lets quantities alone where the seller says so, but options may be taken, once', async () => {
    const quote = await makeQuote(app, { customer_changes: false });
    expect(await update(quote)).toBe(false);
    expect(await update(quote, { unlink: true })).toBe(false);
    expect((await quoteOf(app, quote.id)).order_line).toHaveLength(2);
    const take = () => app.visitor().form(`/quote/add_line/${quote.option}/${quote.id}/${quote.token}`);
    expect((await take()).location).toBe(`${quote.path}#pricing`);
    await take();
    const taken = await quoteOf(app, quote.id);
    expect(taken.order_line.map(({ name }) => name)).toContain('A second parasol');
    expect(taken.order_line).toHaveLength(3);
    const line = taken.order_line.find(({ name }) => name === 'A second parasol');
    expect(await update(quote, { line_id: line?.id })).toEqual(['2', expect.any(String)]);
    expect(await update(quote, { line_id: line?.id, unlink: true })).toBe(false);
    // Taken out, it is offered again.
    expect((await app.visitor().get(quote.path)).text).toContain('Add to the quotation');
  });

  once('is accepted once: order, signature, message, document and mail', async () => {
    const quote = await makeQuote(app);
    await app.runJobs();
    mailbox.clear();
    const { version, amount_total } = await quoteOf(app, quote.id);
    expect(await accept(quote, { version, total: amount_total, sign: `data:image/png;base64,${sign}` })).toBe(true);
    expect(await accept(quote)).toBe(false);
    await app.runJobs();
    const signed = await quoteOf(app, quote.id);
    expect(signed).toMatchObject({
      state: 'sale',
      signer: 'Ada Lovelace',
      signature: { mimetype: 'image/png' },
      signed_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      signed_document_id: expect.any(Number),
    });
    expect((await historyOf(app, quote.id)).filter((text) => text === 'Order signed by Ada Lovelace')).toHaveLength(1);
    const mails = mailbox.received().filter(({ envelopeTo }) => envelopeTo[0] === 'ada@example.com');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.attachments).toHaveLength(1);
    const pdf = await app.visitor().get(`${quote.path}/pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    const staff = await app.as('admin');
    expect((await staff.get(`/web/content/${signed.signed_document_id}`)).status).not.toBe(500);
    expect((await app.visitor().get(`${quote.path}?message=3`)).text).toContain('the order is confirmed');
    // What was agreed on stays as it is.
    expect(await update(quote)).toBe(false);
  });

  it('fifty who press at once make one order', async () => {
    const quote = await makeQuote(app);
    await app.runJobs();
    mailbox.clear();
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(quote)));
    expect(answers.filter((answer) => answer === true)).toHaveLength(1);
    await app.runJobs();
    expect((await historyOf(app, quote.id)).filter((text) => text.startsWith('Order signed'))).toHaveLength(1);
    expect(mailbox.received().filter(({ envelopeTo }) => envelopeTo[0] === 'ada@example.com')).toHaveLength(1);
  });

  once('is not accepted without a name, without a signature, or for something else than was seen', async () => {
    const quote = await makeQuote(app);
    const before = await quoteOf(app, quote.id);
    const noise = Buffer.from('not a picture at all, whatever it says').toString('base64');
    const refused: object[] = [
      { signer: '' },
      { signer: '  \u200b ' },
      { signer: false },
      { sign: '' },
      { sign: false },
      { sign: noise },
      { sign: await blank('#ffffff') },
      { sign: await blank('#000000') },
      { sign: await blank('#ffffff', 0) },
      { sign: `${sign.slice(0, 200)}` },
      { version: 'another', total: before.amount_total },
      { version: before.version, total: 1 },
    ];
    for (const change of refused) expect([change, await accept(quote, change)]).toEqual([change, false]);
    expect(await refusal(accept(quote, { sign: 'A'.repeat(2_000_000) }))).toMatchObject({ name: expect.any(String) });
    expect(await quoteOf(app, quote.id)).toEqual(before);
    expect(await historyOf(app, quote.id)).toEqual([]);
  });

  once('without a word on what was seen, is accepted as it was sent and as its customer changed it', async () => {
    const changed = await makeQuote(app);
    await update(changed);
    expect(await accept(changed)).toBe(true);
    const raised = await makeQuote(app);
    await app.write((ctx) => ctx.model(SaleOrderLine).write(raised.lines[0] ?? 0, { price_unit: '900' }));
    expect(await accept(raised)).toBe(false);
    await update(raised);
    expect(await accept(raised)).toBe(false);
    const { version, amount_total: total } = await quoteOf(app, raised.id);
    expect(await accept(raised, { version, total })).toBe(true);
  });

  once('is not accepted before it was sent, after its day, or when something is sold out', async () => {
    const draft = await makeQuote(app, {}, { sent: false });
    expect(await accept(draft)).toBe(false);
    const expired = await makeQuote(app, { validity_date: '2020-01-01' });
    expect(await accept(expired)).toBe(false);
    expect(await update(expired)).toBe(false);
    expect((await app.visitor().get(expired.path)).text).toContain('has expired');
    const short = await makeQuote(app, {}, { stock: 5 });
    await app.write((ctx) => ctx.model(ProductProduct).setStock(short.product, 1));
    expect(await accept(short)).toBe(false);
    expect(await quoteOf(app, short.id)).toMatchObject({ state: 'sent', signer: null, signed_hash: null });
  });

  it('is accepted with a typed name where nothing can be drawn', async () => {
    const quote = await makeQuote(app);
    const { version, amount_total } = await quoteOf(app, quote.id);
    const form = (fields: Record<string, string>) =>
      app.visitor().form('/quote/accept/form', {
        order_id: quote.id,
        token: quote.token,
        version: version ?? '',
        total: amount_total ?? 0,
        ...fields,
      });
    // What was seen is said.
    for (const missing of ['version', 'total'])
      expect((await form({ signer: 'Ada', typed: 'on', [missing]: '' })).location).not.toBe(`${quote.path}?message=3`);
    // The form comes back with what was filled in.
    for (const fields of [{ signer: 'Ada' }, { signer: '', typed: 'on' }] as Record<string, string>[]) {
      const again = await form(fields);
      expect(again.status).toBe(422);
      expect(again.text).toMatch(
        new RegExp(`name="signer" value="${fields.signer}"|value="${fields.signer}"[^>]* name="signer"`),
      );
    }
    expect((await form({ signer: 'Ada', typed: 'on' })).location).toBe(`${quote.path}?message=3`);
    expect(await quoteOf(app, quote.id)).toMatchObject({
      state: 'sale',
      signer: 'Ada',
      // The name, drawn: a picture as anybody's.
      signature: { mimetype: 'image/png' },
    });
    // On white ground to its edges.
    const { signature } = await quoteOf(app, quote.id);
    const picture = await app.read((ctx) => ctx.files.get(signature?.hash ?? ''));
    const { data } = await sharp(picture ?? undefined)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([data.at(0), data.at(-1)]).toEqual([255, 255]);
  });

  it('is declined with a reason, which the seller reads', async () => {
    const quote = await makeQuote(app);
    const form = () => app.visitor().form(`${quote.path}/decline`, { decline_message: 'Too <b>dear</b>' });
    expect((await app.visitor().get(`${quote.path}/decline`)).status).toBe(405);
    expect((await form()).location).toBe(`${quote.path}?message=2`);
    expect((await form()).location).toBe(`${quote.path}?message=4`);
    expect(await quoteOf(app, quote.id)).toMatchObject({ state: 'cancel', decline_reason: 'Too <b>dear</b>' });
    expect(await historyOf(app, quote.id)).toEqual(['Too &lt;b&gt;dear&lt;/b&gt;', 'Quotation declined']);
    expect((await app.visitor().get(quote.path)).text).toContain('This quotation is cancelled.');
    // Said once to whoever has just declined it, and not of an order, which it never was.
    const { text } = await app.visitor().get(`${quote.path}?message=2`);
    expect(text).toContain('You’ve declined this quotation.');
    expect(text).not.toContain('is cancelled');
    const partner_id = await app.read(async (ctx) => {
      const portal = await ctx.model(User).first([['login', '=', 'portal']], { select: { partner_id: true } });
      return portal?.partner_id;
    });
    const own = await makeQuote(app, { partner_id });
    const state = async () => {
      const listed = await (await app.as('portal')).get('/fr/my/quotations');
      return ['Refusé ou retiré', 'En attente de votre réponse'].filter((words) => listed.text.includes(words));
    };
    expect(await state()).toContain('En attente de votre réponse');
    await app.visitor().form(`${own.path}/decline`, { decline_message: 'Too late' });
    expect(await state()).toContain('Refusé ou retiré');
  });

  once('is talked about by both sides, notes among staff aside', async () => {
    const quote = await makeQuote(app);
    await app.runJobs();
    mailbox.clear();
    const said = await app.visitor().form(`${quote.path}/post`, { comment: 'May I have it in red?\n\nThanks' });
    expect(said.location).toBe(`${quote.path}?message=1#discussion`);
    const admin = await app.as('admin');
    const post = (body: string, internal: boolean) =>
      app.write(async (ctx) => {
        const { identityOf } = await import('pergola');
        const [user = 0] = await ctx.modelNamed('res.users').search([['login', '=', 'admin']]);
        const identity = await identityOf(ctx, user);
        if (!identity) throw new Error('There is no administrator.');
        await ctx.as({ user: identity }).model(SaleOrder).messagePost([quote.id], { body, internal });
      });
    await post('<p>In red, gladly.</p>', false);
    await post('<p>Costs us nothing.</p>', true);
    await app.runJobs();
    const page = await app.visitor().get(quote.path);
    expect(page.text).toContain('May I have it in red?');
    expect(page.text).toContain('In red, gladly.');
    expect(page.text).not.toContain('Costs us nothing');
    const mails = mailbox.received().filter(({ envelopeTo }) => envelopeTo[0] === 'ada@example.com');
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('A message about your quotation')]);
    expect(mails[0]?.html).toContain(quote.path);
    expect((await admin.get(quote.path)).status).toBe(200);
  });

  it('tells the seller that it was looked at, once a day', async () => {
    const quote = await makeQuote(app);
    const look = () => app.visitor().form(`${quote.path}/viewed`);
    await look();
    await look();
    expect(await quoteOf(app, quote.id)).toMatchObject({ viewed_date: expect.any(Date) });
    expect(await historyOf(app, quote.id)).toEqual(['Quotation viewed by the customer']);
    const own = await makeQuote(app);
    await (await app.as('admin')).form(`${own.path}/viewed`);
    expect(await historyOf(app, own.id)).toEqual([]);
  });

  once('takes lines, options, text, terms and days from a template, in its language', async () => {
    const made = await app.write(async (ctx) => {
      const { product } = await sample(ctx);
      const template = await ctx.model(QuoteTemplate).create({
        name: 'Partnership',
        website_description: { en_US: '<h1>Partners</h1><h2>What we do</h2>', fr_FR: '<h1>Partenaires</h1>' },
        note: { en_US: 'Thirty days.', fr_FR: 'Trente jours.' },
        number_of_days: 45,
        quote_line: [
          {
            create: {
              product_id: product,
              name: { en_US: 'Training', fr_FR: 'Formation' },
              price_unit: '12950',
              discount: '10',
            },
          },
        ],
        options: [{ create: { product_id: product, name: 'Coaching', price_unit: '9000', discount: '10' } }],
      });
      const create = (lang: string) =>
        ctx
          .model(QuotedOrder)
          .create({ template_id: template, lang, invoice_name: 'Ada', invoice_email: 'ada@example.com' });
      return { en: await create('en_US'), fr: await create('fr_FR'), until: plusDays(ctx.today(), 45) };
    });
    const read = (id: number) =>
      app.read((ctx) =>
        ctx.model(QuotedOrder).get(id, {
          select: {
            note: true,
            amount_untaxed: true,
            amount_undiscounted: true,
            validity_date: true,
            website_description: true,
            access_token: true,
            order_line: { name: true, discount: true },
            options: { name: true },
          },
        }),
      );
    // Another template takes the place of the first.
    await app.write(async (ctx) => {
      const orders = ctx.model(QuotedOrder);
      const { template_id } = await orders.get(made.en, { select: { template_id: true } });
      await orders.write(made.en, { template_id: null });
      await orders.write(made.en, { template_id });
    });
    const [en, fr] = [await read(made.en), await read(made.fr)];
    expect(en).toMatchObject({
      note: 'Thirty days.',
      amount_untaxed: 971_250,
      amount_undiscounted: 1_079_167,
      validity_date: made.until,
      order_line: [{ name: 'Training' }],
      options: [{ name: 'Coaching' }],
    });
    expect(fr).toMatchObject({ note: 'Trente jours.', order_line: [{ name: 'Formation' }] });
    const page = await app.visitor().get(`/quote/${made.en}/${en.access_token}`);
    expect(page.text).toMatch(/href="#quote-h-1">Partners<\/a>[\s\S]*href="#quote-h-2">What we do<\/a>/);
    expect(page.text).toContain('id="quote-h-2"');
    expect(page.text).toContain('You save');
  });

  once('of the demo is written in its customer’s language, and says so where it is read in another one', async () => {
    const { id = 0, access_token: token = '' } =
      (await app.read((ctx) =>
        ctx.model(QuotedOrder).first([['name', '=', 'D0001']], { select: { access_token: true } }),
      )) ?? {};
    await app.visitor().form(`/quote/${id}/${token}/viewed`);
    const french = await app.visitor().get(`/fr/quote/${id}/${token}`);
    expect(french.text).toMatch(/Partenariat[\s\S]*Formation fonctionnelle[\s\S]*CRM avancé[\s\S]*Payable à 30 jours/);
    expect(french.text).not.toMatch(/Partnership|Training|Payable within|data-slot="quote-language"/);
    const english = await app.visitor().get(`/quote/${id}/${token}`);
    expect(english.text).toMatch(/<section class="quote-text mb-5"[^>]* lang="fr-FR">[\s\S]*Partenariat/);
    expect(english.text).toMatch(/<div class="quote-text" lang="fr-FR"><p>Devis consulté/);
    const [, way = ''] = /data-slot="quote-language"><p[^>]*>[^<]*<a [^>]*href="([^"]+)"/.exec(english.text) ?? [];
    expect((await app.visitor().get(way.replaceAll('&amp;', '&'))).location).toBe(`/fr/quote/${id}/${token}`);
  });

  once('is written by staff who name nothing but a customer and products', async () => {
    const admin = await app.as('admin');
    const call = <T>(model: string, method: string, args: unknown[]) =>
      admin.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    const { product } = await app.write((ctx) => sample(ctx));
    const begun = await call<object>('sale.order', 'default_get', [['company_id', 'user_id']]);
    expect(begun).toMatchObject({ company_id: expect.any(Number), user_id: expect.any(Number) });
    const lines = await call<Record<string, { required: boolean }>>('sale.order.line', 'fields_get', []);
    expect([lines.name?.required, lines.price_unit?.required, lines.product_uom_qty?.required]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await call('sale.order.line', 'default_get', [['price_unit', 'product_uom_qty']])).toEqual({
      product_uom_qty: 1,
    });
    const given = { ...begun, invoice_name: 'Ada', invoice_email: 'ada@example.com' };
    const id = await call<number>('sale.order', 'create', [
      { ...given, order_line: [[0, 0, { product_id: product }]], options: [[0, 0, { product_id: product }]] },
    ]);
    const made = await app.read((ctx) =>
      ctx.model(QuotedOrder).get(id, {
        select: {
          user_id: true,
          order_line: { name: true, price_unit: true },
          options: { name: true, price_unit: true },
        },
      }),
    );
    expect(made.user_id).not.toBeNull();
    for (const { name, price_unit } of [...made.order_line, ...made.options]) {
      expect(name).not.toBe('');
      expect(Number(price_unit)).toBeGreaterThan(0);
    }
  });

  once('shows staff what a template looks like, and nobody else', async () => {
    const [template = 0] = await app.read((ctx) =>
      ctx.model(QuoteTemplate).search([['name', '=', 'Partnership Contract']]),
    );
    const admin = await app.as('admin');
    const page = await admin.get(`/quote/template/partnership-contract-${template}`);
    expect(page.text).toMatch(
      /href="#quote-h-1">Partnership<[\s\S]*11,655\.00[\s\S]*8,100\.00[\s\S]*Payable within 30 days/,
    );
    expect((await (await app.as('portal')).get(`/fr/quote/template/partnership-contract-${template}`)).status).toBe(
      404,
    );
    expect((await app.visitor().get(`/quote/template/partnership-contract-${template}`)).status).not.toBe(200);
    expect((await admin.get('/quote/template/999999')).status).toBe(404);
  });

  once('takes odd input for what it is', async () => {
    const quote = await makeQuote(app);
    const before = await quoteOf(app, quote.id);
    const huge = Number.MAX_SAFE_INTEGER;
    expect((await app.visitor().get(`/quote/999999999999999/${quote.token}`)).status).toBe(404);
    expect(await refusal(update({ ...quote, id: huge }))).toMatchObject({ code: 404 });
    expect(await update(quote, { line_id: huge })).toBe(false);
    for (const odd of [
      { line_id: -1 },
      { line_id: 'x' },

      { token: null },
      { token: ['x'] },
      { order_id: 1.5 },
      { remove: {} },
    ]) {
      expect(await refusal(update(quote, odd))).toMatchObject({ code: 200 });
    }
    for (const odd of [{ sign: 5 }, { signer: ['Ada'] }, { total: 'x' }, { version: 7 }]) {
      expect(await refusal(accept(quote, odd))).toMatchObject({ code: 200 });
    }
    expect(await accept(quote, { signer: 'x'.repeat(400), sign: `"${sign.slice(0, 40)}"` })).toBe(false);
    expect((await app.visitor().form(`/quote/add_line/999999999999999/${quote.id}/${quote.token}`)).location).toContain(
      'message=4',
    );
    expect((await app.visitor().get(`${quote.path}?message=99999999999999999999`)).status).toBe(200);
    expect((await app.visitor().get(`${quote.path}?message=1&message=2`)).status).toBeLessThan(500);
    expect(await quoteOf(app, quote.id)).toEqual(before);
  });

  once('carts of visitors have no page here', async () => {
    const cart = await app.write(async (ctx) => {
      const id = await ctx.model(SaleOrder).openCart({});
      return ctx.model(SaleOrder).get(id, { select: { access_token: true } });
    });
    expect((await app.visitor().get(`/quote/${cart.id}/${cart.access_token}`)).status).toBe(404);
  });

  once('keeps its token and its signature from those who may not read orders', async () => {
    const quote = await makeQuote(app);
    const admin = await app.as('admin');
    const read = (client: Client, model: string, fields: string[]) =>
      client.rpc<Record<string, unknown>[]>('/web/dataset/call_kw', {
        model,
        method: 'read',
        args: [[quote.id], fields],
        kwargs: {},
      });
    const [row] = await read(admin, 'sale.order', ['quote_url', 'amount_undiscounted']);
    expect(row).toMatchObject({ quote_url: `${app.url}${quote.path}` });
    await expect(read(admin, 'sale.order', ['access_token'])).rejects.toThrow();
    await expect(read(await app.as('portal'), 'sale.order', ['quote_url'])).rejects.toThrow();
    await expect(read(app.visitor(), 'sale.order.option', ['name'])).rejects.toThrow();
    await expect(
      admin.rpc('/web/dataset/call_kw', {
        model: 'sale.order',
        method: 'write',
        args: [[quote.id], { signer: 'Mallory' }],
        kwargs: {},
      }),
    ).rejects.toThrow();
  });

  async function sample(ctx: Parameters<Parameters<TestApp['write']>[0]>[0]): Promise<{ product: number }> {
    const [line] = await ctx
      .model(SaleOrderLine)
      .find([['product_id', '!=', null]], { select: { product_id: true, price_unit: true }, limit: 1 });
    const price: Decimal | undefined = line?.price_unit;
    if (line?.product_id && price) return { product: line.product_id };
    throw new Error('There is no product yet.');
  }
});
