import { SaleOrder } from '@pergola/sale';
import type { Id } from 'pergola';
import { byLanguage, createTestApp, type TestApp } from 'pergola/testing';
import { EventRegistration } from '../models/event-registration.ts';
import { makeCart, makeEvent, payByTransfer, putTickets } from './kit.ts';

describe('Without JavaScript', () => {
  let app: TestApp;
  let event: Id;
  let tickets: readonly Id[];
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website_event'] });
    ({ event, tickets } = await app.write((ctx) =>
      makeEvent(ctx, { name: 'Garden party' }, [{ name: 'Standard' }, { name: 'Early', seats: 1 }]),
    ));
    // The seat that there was.
    await buy(tickets[1] ?? 0);
  });
  afterAll(() => app.close());

  /** A confirmed ticket; answers its code. */
  const buy = (ticket: Id): Promise<string> =>
    app.write(async (ctx) => {
      const cart = await makeCart(ctx);
      await putTickets(ctx, cart, ticket, 1);
      await ctx.model(SaleOrder).confirm([cart]);
      const [row] = await ctx
        .model(EventRegistration)
        .find([['sale_order_id', '=', cart]], { select: { barcode: true } });
      return row?.barcode ?? '';
    });

  const words = {
    en: {
      order: 'Order Now',
      kept: 'Reserved for you until',
      ordered: 'Your seats are reserved. You’ll get the tickets by email as soon as the order is paid.',
      join: 'Join the waiting list',
      joined: 'You’re on the waiting list. You’ll get an email about it.',
      letIn: 'Check in',
      unknown: 'No ticket has this code',
      follow: 'Follow',
      mailed: 'You’ll get an email.',
    },
    fr: {
      order: 'Commander',
      kept: 'Réservé pour vous jusqu’à',
      ordered: 'Vos places sont réservées. Vous recevrez les billets par e-mail dès que la commande sera payée.',
      join: 'M’inscrire sur la liste d’attente',
      joined: 'Vous êtes sur la liste d’attente. Vous recevrez un e-mail à ce sujet.',
      letIn: 'Valider l’entrée',
      unknown: 'Aucun billet ne porte ce code',
      follow: 'S’abonner',
      mailed: 'Vous recevrez un e-mail.',
    },
  };

  describe.each(byLanguage(words))('at events at "$at"', ({ at, say }) => {
    const page = () => `${at}/event/${event}/register`;

    it('one orders tickets, which are kept for a while', async () => {
      const client = app.visitor();
      const fields = { [`ticket-${tickets[0]}`]: '2' };
      const { status, read } = await client.press(page(), 'website_event.TicketForm', say.order, fields);
      expect([status, read]).toEqual([200, expect.stringContaining('Garden party')]);
      expect(await client.readIsland(`${at}/shop/cart`, 'website_sale.Hold')).toContain(say.kept);
    });

    it('one is shown the tickets one ordered, which wait for the payment', async () => {
      const client = app.visitor();
      const fields = { [`ticket-${tickets[0]}`]: '2' };
      await client.press(page(), 'website_event.TicketForm', say.order, fields);
      await payByTransfer(app, client, `two${at.length}@example.org`);
      const read = await client.readIsland(`${at}/shop/confirmation`, 'website_sale.OrderParts');
      expect(read).toContain(say.ordered);
      expect(read.match(/Standard/g)).toHaveLength(2);
    });

    it('one waits for a seat', async () => {
      const fields = { name: 'Bob', email: `bob${at.length}@example.org`, quantity: '1' };
      const { status, read } = await app.visitor().press(page(), 'website_event.TicketForm', say.join, fields);
      expect([status, read]).toEqual([200, expect.stringContaining(say.joined)]);
    });

    it('one lets somebody in, and is told of a code that is none', async () => {
      const door = `${at}/event/check-in/${event}`;
      const code = await buy(tickets[0] ?? 0);
      const admin = await app.as('admin');
      const { status, read } = await admin.press(door, 'website_event.CheckIn', say.letIn, { code });
      expect([status, read]).toEqual([200, expect.stringContaining('Ada Lovelace')]);
      const wrong = await admin.press(door, 'website_event.CheckIn', say.letIn, { code: 'NONE' });
      expect([wrong.status, wrong.read]).toEqual([404, expect.stringContaining(say.unknown)]);
    });

    it('one follows an event by mail', async () => {
      const { status, read } = await app.visitor().press(page(), 'website.Follow', say.follow, {
        email: 'ada@example.org',
      });
      expect([status, read]).toEqual([200, expect.stringContaining(say.mailed)]);
    });

    it('one finds what comes next, and shares it', async () => {
      expect(await app.readIsland(`${at}/event`, 'website_event.CountryEvents')).toContain(
        `Garden party ${at}/event/garden-party-${event}/register`,
      );
      expect(await app.readIsland(page(), 'website.Share')).toContain('https://x.com/intent/post?url=');
    });
  });
});
