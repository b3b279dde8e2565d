import { SaleOrder } from '@pergola/sale';
import type { Id } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { EventEvent } from '../models/event-event.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { TicketOrder } from '../models/sale-order.ts';
import { after, day, hour, makeEvent } from './kit.ts';

someDatabase('A quotation for tickets', (database) => {
  let app: TestApp;
  let sign: string;
  beforeAll(async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><path d="M20 70L280 30" stroke="#000"/></svg>';
    sign = (await sharp(Buffer.from(drawing)).png().toBuffer()).toString('base64');
    app = await createTestApp({ addons: ['website_event', 'quote'], database });
  });
  afterAll(() => app.close());

  /** Two tickets, sent to a customer. */
  const offer = () =>
    app.write(async (ctx) => {
      const { event, tickets } = await makeEvent(ctx, { name: 'Harvest fair' });
      const [ticket = 0] = tickets;
      const { product_id } = await ctx.model(EventTicket).get(ticket, { select: { product_id: true } });
      const id = await ctx.model(SaleOrder).create({
        invoice_name: 'Ada Lovelace',
        invoice_email: 'ada@example.com',
        lang: 'en_US',
        order_line: [{ create: { product_id, event_ticket_id: ticket, product_uom_qty: '2' } as never }],
      });
      await ctx.model(SaleOrder).send([id]);
      const { access_token: token } = await ctx.model(SaleOrder).get(id, { select: { access_token: true } });
      return { id, token, event, path: `/quote/${id}/${token}` };
    });
  type Offer = Awaited<ReturnType<typeof offer>>;
  const versionOf = async ({ path }: Offer) =>
    /data-version="([^"]+)"/.exec((await app.visitor().get(path)).text)?.[1] ?? '';
  const accept = ({ id, token }: Offer, version: string, visitor = app.visitor()) =>
    visitor.rpc('/quote/accept', { order_id: id, token, signer: 'Sam Client', sign, version });
  const read = (id: Id) =>
    app.read((ctx) =>
      ctx.model(TicketOrder).get(id, {
        select: { state: true, blocked_reason: true, order_line: { name: true }, registration_ids: { state: true } },
      }),
    );
  const plain = (html: string) => html.replace(/<[^>]*>|&nbsp;|\s+/g, ' ').replace(/\s+/g, ' ');

  it.each([
    ['planned again', 'button_draft', 'is being planned again'],
    ['over', 'button_done', 'is no longer on sale'],
  ] as const)('is not accepted while its event is %s', async (_, method, reason) => {
    const quote = await offer();
    const version = await versionOf(quote);
    await app.write((ctx) => ctx.model(EventEvent)[method]([quote.event]));
    // Before the job has looked at it, and after.
    expect(await accept(quote, version)).toBe(false);
    await app.runJobs();
    expect(await accept(quote, version)).toBe(false);
    const order = await read(quote.id);
    expect(order).toMatchObject({ state: 'sent', blocked_reason: 'invalid' });
    expect(order.registration_ids.every(({ state }) => state === 'draft')).toBe(true);
    const { text } = await app.visitor().get(quote.path);
    expect(plain(text)).toContain('You can’t accept this quotation at the moment');
    expect(plain(text)).toContain(reason);
    expect(text).not.toContain('data-slot="quote-accept"');
    // The event takes place after all.
    await app.write((ctx) => ctx.model(EventEvent).button_confirm([quote.event]));
    await app.runJobs();
    expect(await read(quote.id)).toMatchObject({ blocked_reason: null });
    expect(await accept(quote, await versionOf(quote))).toBe(true);
    expect((await read(quote.id)).registration_ids).toMatchObject([{ state: 'open' }, { state: 'open' }]);
  });

  it('shows the new date after its event was moved, and what is signed names one date', async () => {
    const quote = await offer();
    const version = await versionOf(quote);
    await app.write((ctx) =>
      ctx.model(EventEvent).write(quote.event, {
        date_begin: new Date('2031-05-01T10:00:00Z'),
        date_end: new Date('2031-05-01T12:00:00Z'),
      }),
    );
    const visitor = app.visitor();
    expect(await accept(quote, version, visitor)).toBe(false);
    const { text } = await visitor.get(`${quote.path}?message=4`);
    expect(plain(text)).toMatch(/This has changed since you loaded the page.*May 1, 2031/);
    expect(await read(quote.id)).toMatchObject({ state: 'sent', blocked_reason: null });
    expect(await accept(quote, await versionOf(quote))).toBe(true);
    const content = await app.read((ctx) => ctx.model(SaleOrder).agreedContent(quote.id));
    const [line] = content?.lines ?? [];
    expect(line?.name).toContain('May 1, 2031');
    expect(line?.facts.find(({ key }) => key === 'when')?.text).toContain('May 1, 2031');
    const notes = await app.read((ctx) => ctx.model(SaleOrder).messages(quote.id));
    expect(notes.some(({ body }) => body?.includes('The date of “Harvest fair” has changed'))).toBe(true);
  });

  it('shows the new date of a moved event once staff have sent nothing, too', async () => {
    const quote = await offer();
    await app.write((ctx) =>
      ctx.model(EventEvent).write(quote.event, { date_begin: after(30 * day), date_end: after(30 * day + hour) }),
    );
    await app.runJobs();
    expect(await read(quote.id)).toMatchObject({ state: 'sent', blocked_reason: null });
    expect(await accept(quote, await versionOf(quote))).toBe(true);
  });
});
