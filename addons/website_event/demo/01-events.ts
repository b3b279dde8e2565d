import { readFile } from 'node:fs/promises';
import { Partner, User } from '@pergola/base';
import { type Ctx, data, type FileRef, momentAt, plusDays, ref } from 'pergola';
import { EventEvent } from '../models/event-event.ts';
import { EventPage } from '../models/event-event-page.ts';
import { EventTicket } from '../models/event-event-ticket.ts';
import { EventRegistration } from '../models/event-registration.ts';
import { EventWaiting } from '../models/event-waiting.ts';
import { places } from './events/places.ts';
import { type EventPlan, plans } from './events/plans.ts';

const day = 24 * 3600_000;
const translated = ([en_US, fr_FR]: readonly [string, string]) => ({ en_US, fr_FR });
const recordsOf = <T>(make: (key: string, plan: EventPlan) => readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(Object.entries(plans).flatMap(([key, plan]) => make(key, plan)));

const events = data(EventEvent, async (ctx: Ctx) => {
  const rows = await Promise.all(
    Object.entries(plans).map(async ([key, plan]) => [`demo_${key}`, await eventOf(ctx, key, plan)] as const),
  );
  return Object.fromEntries(rows);
});

async function picture(ctx: Ctx, name: string): Promise<FileRef> {
  const file = `${name}.png`;
  return ctx.files.putImage(await readFile(new URL(`events/pictures/${file}`, import.meta.url)), { name: file });
}

async function eventOf(ctx: Ctx, key: string, plan: EventPlan) {
  return {
    name: translated(plan.name),
    summary: translated(plan.summary),
    description: { en_US: paragraphs(plan, 0), fr_FR: paragraphs(plan, 1) },
    image: await picture(ctx, key),
    type: ref(`website_event.type_${plan.type}`),
    date_begin: momentOf(ctx, plan.from, plan.zone),
    date_end: momentOf(ctx, plan.to, plan.zone),
    date_tz: plan.zone,
    address_id: plan.place === null ? null : ref(`website_event.${plan.place}`),
    online_url: plan.place === null ? `https://meet.example.org/${key}` : null,
    organizer_id: ref('base.main_partner'),
    user_id: ref('base.user_admin'),
    state: plan.state ?? ('confirm' as const),
    seats_max: plan.seats ?? 0,
    show_menu: plan.menu ?? false,
    twitter_hashtag: plan.hashtag ?? null,
    website_published: true,
  };
}

/** Moment `days` from today, at the given time in the event's time zone. */
function momentOf(ctx: Ctx, [days, time]: readonly [days: number, time: string], zone: string): Date {
  return momentAt(plusDays(ctx.today(zone), days), time, zone);
}

function paragraphs({ text }: EventPlan, language: 0 | 1): string {
  return text.map((paragraph) => `<p>${paragraph[language]}</p>`).join('');
}

const tickets = data(EventTicket, async (ctx: Ctx) =>
  recordsOf((key, plan) =>
    plan.tickets.map((ticket, index) => {
      const start = momentOf(ctx, plan.from, plan.zone).getTime();
      const values = {
        event_id: ref(`website_event.demo_${key}`),
        name: translated(ticket.name),
        description: ticket.about ? translated(ticket.about) : null,
        price: ticket.price,
        seats_max: ticket.seats,
        sequence: (index + 1) * 10,
        sale_start: ticket.opens === undefined ? null : new Date(ctx.now().getTime() + ticket.opens * day),
        deadline: ticket.closes === undefined ? null : new Date(start - ticket.closes * day),
      };
      return [`demo_${key}_${ticket.key}`, values] as const;
    }),
  ),
);

const names = [
  'Ada',
  'Blaise',
  'Chloé',
  'Denis',
  'Emmy',
  'Félix',
  'Grace',
  'Henri',
  'Inès',
  'Jules',
  'Katherine',
  'Louis',
];
const surnames = ['Moreau', 'Silva', 'Keller', 'Okafor', 'Lindqvist', 'Benali', 'Rossi', 'Dubois', 'Novák', 'Tremblay'];

/** Attendees who already have tickets: some for an event that is nearly full, all for a sold-out one. */
const registrations = data(EventRegistration, async (ctx: Ctx) =>
  recordsOf((key, plan) =>
    Array.from({ length: plan.taken ?? 0 }, (_, index) => {
      const name = `${names[index % names.length]} ${surnames[(index * 7 + 3) % surnames.length]}`;
      const values = {
        event_id: ref(`website_event.demo_${key}`),
        event_ticket_id: ref(`website_event.demo_${key}_${plan.tickets[0]?.key}`),
        name,
        email: `guest${index + 1}@example.com`,
        lang: index % 2 ? 'fr_FR' : 'en_US',
        state: 'open' as const,
        date_open: new Date(ctx.now().getTime() - (index % 12) * day),
      };
      return [`demo_${key}_guest_${index + 1}`, values] as const;
    }),
  ),
);

/** Tickets of the demo account `portal`, which brings two guests; one ticket has a cancellation request. */
const portalTickets = data(
  EventRegistration,
  Object.fromEntries(
    (
      [
        ['conference', 'standard', 'Jo Martin', 'portal@example.com'],
        ['conference', 'standard', 'Noor Haddad', 'noor@example.com'],
        ['webinar', 'free', 'Jo Martin', 'portal@example.com'],
      ] as const
    ).map(([event, ticket, name, email], index) => [
      `demo_portal_ticket_${index + 1}`,
      {
        event_id: ref(`website_event.demo_${event}`),
        event_ticket_id: ref(`website_event.demo_${event}_${ticket}`),
        partner_id: ref('base.demo_portal_partner'),
        name,
        email,
        lang: 'fr_FR',
        state: 'open',
      },
    ]),
  ),
);

const waiting = data(EventWaiting, {
  demo_waiting_1: {
    event_id: ref('website_event.demo_lantern_concert'),
    event_ticket_id: ref('website_event.demo_lantern_concert_standard'),
    name: 'Noor Haddad',
    email: 'noor@example.com',
    quantity: 2,
    lang: 'fr_FR',
  },
});

const pages = data(EventPage, {
  demo_harvest_programme: {
    event_id: ref('website_event.demo_harvest'),
    name: { en_US: 'Programme', fr_FR: 'Programme' },
    path: 'programme',
    content: {
      en_US:
        '<h3>Saturday</h3><ul><li>9:00 The gates open</li><li>11:00 Pressing apples</li><li>15:00 The heaviest pumpkin</li></ul><h3>Sunday</h3><ul><li>10:00 Bread from the wood oven</li><li>14:00 Cheese and music</li></ul>',
      fr_FR:
        '<h3>Samedi</h3><ul><li>9 h 00 Ouverture des portes</li><li>11 h 00 Pressage des pommes</li><li>15 h 00 La plus lourde citrouille</li></ul><h3>Dimanche</h3><ul><li>10 h 00 Pain au feu de bois</li><li>14 h 00 Fromages et musique</li></ul>',
    },
  },
});

/** Makes the demo account `editor` an event organiser. */
const editor = data(User, {
  'base.demo_editor': { group_ids: [{ link: ref('website_event.group_event_user') }] },
});

export default [data(Partner, places), events, tickets, registrations, portalTickets, waiting, pages, editor];
