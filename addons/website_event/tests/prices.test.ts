import { AccountTax, PricelistItem, ProductTemplate, pricesShown, SaleOrder } from '@pergola/sale';
import { ShopPricelist } from '@pergola/website_sale';
import type { Id } from 'pergola';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { EventTicket } from '../models/event-event-ticket.ts';
import { after, day, type Made, makeEvent } from './kit.ts';

eachDatabase('Prices of tickets, in lists of events as on their pages and in the cart', (database, once) => {
  let app: TestApp;
  let concert: Made;
  let dollars: Id;

  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'], database, demo: false });
    await app.write(async (ctx) => {
      const tax = await ctx.model(AccountTax).create({ name: 'VAT 20 %', amount: '20', price_include: true });
      const ticket = await ctx.ref('website_event.product_ticket');
      await ctx.model(ProductTemplate).write(ticket, { taxes_id: [{ set: [tax] }] });
      const [eur, usd] = [await ctx.ref('base.eur'), await ctx.ref('base.usd')];
      await ctx.modelNamed('res.currency').write([usd], { rate: '1.2', active: true });
      dollars = await ctx
        .model(ShopPricelist)
        .create({ name: 'Dollars', currency_id: usd, selectable: true, sequence: 70 });
      const half = await ctx
        .model(ShopPricelist)
        .create({ name: 'Half', currency_id: eur, code: 'HALF', sequence: 80 });
      await ctx.model(PricelistItem).create({ pricelist_id: half, compute_price: 'percentage', percent_price: '50' });
      concert = await makeEvent(ctx, { name: 'Concert' }, [
        { name: 'Standard', price: '12' },
        { name: 'Early', price: '6' },
        { name: 'Balcony', price: '24' },
      ]);
      await ctx.model(EventTicket).write(concert.tickets[1] ?? 0, { deadline: after(-day) });
    });
  });
  afterAll(() => app.close());

  const plain = (text: string) => text.replace(/<[^>]*>/g, '').replace(/\s+/gu, ' ');
  /** What the card, the page for search engines, and the cart say of the concert. */
  const seenBy = async (visitor: Client) => {
    const card = /event-price"\s*>(.*?)<\/span>/.exec((await visitor.get('/event')).text)?.[1] ?? '';
    const { text } = await visitor.get(`/event/concert-${concert.event}/register`);
    const graph = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '{}');
    const { offers } = graph['@graph'].find((node: { '@type': string }) => node['@type'] === 'Event');
    await visitor.form('/event/cart/update', { event_id: concert.event, [`ticket-${concert.tickets[0]}`]: '1' });
    const [order] = await app.read((ctx) =>
      ctx.model(SaleOrder).find([['is_cart', '=', true]], {
        select: { amount_total: true, amount_untaxed: true, currency_id: { name: true } },
        order: 'id desc',
        limit: 1,
      }),
    );
    return {
      card: plain(card),
      offers: offers.map((offer: { price: string; priceCurrency: string; availability: string }) =>
        [offer.price, offer.priceCurrency, offer.availability.split('/').at(-1)].join(' '),
      ),
      cart: `${order?.amount_untaxed}/${order?.amount_total} ${order?.currency_id?.name}`,
    };
  };

  it('are those of the usual pricelist, of tickets that can be bought', async () => {
    expect(await seenBy(app.visitor())).toMatchObject({
      card: 'from 12.00 €',
      offers: ['12.00 EUR InStock', '6.00 EUR SoldOut', '24.00 EUR InStock'],
      cart: '1000/1200 EUR',
    });
  });

  it('follow a promo code', async () => {
    const visitor = app.visitor();
    await visitor.form('/shop/pricelist', { promo: 'HALF' });
    expect(await seenBy(visitor)).toMatchObject({
      card: 'from 6.00 €',
      offers: ['6.00 EUR InStock', '3.00 EUR SoldOut', '12.00 EUR InStock'],
      cart: '500/600 EUR',
    });
  });

  once('are in the currency that the visitor chose', async () => {
    const visitor = app.visitor();
    await visitor.form('/shop/change_pricelist', { pricelist: dollars });
    expect(await seenBy(visitor)).toMatchObject({
      card: 'from $14.40',
      offers: ['14.40 USD InStock', '7.20 USD SoldOut', '28.80 USD InStock'],
      cart: '1200/1440 USD',
    });
  });

  once('are without tax where the shop shows them so', async () => {
    await app.write((ctx) => ctx.settings.set(pricesShown, 'excluded'));
    expect(await seenBy(app.visitor())).toMatchObject({
      card: 'from 10.00 €',
      offers: ['10.00 EUR InStock', '5.00 EUR SoldOut', '20.00 EUR InStock'],
      cart: '1000/1200 EUR',
    });
    await app.write((ctx) => ctx.settings.set(pricesShown, 'included'));
  });

  once('are those of tickets sold later while none is on sale', async () => {
    await app.write((ctx) =>
      ctx.model(EventTicket).write([concert.tickets[0] ?? 0, concert.tickets[2] ?? 0], { sale_start: after(day) }),
    );
    const { offers } = await seenBy(app.visitor());
    expect(offers).toEqual(['12.00 EUR PreOrder', '6.00 EUR SoldOut', '24.00 EUR PreOrder']);
  });
});
