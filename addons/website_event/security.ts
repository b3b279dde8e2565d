import { onWebsite, publishedRules } from '@pergola/website';
import { access, type Ctx, type Domain, type FieldsOf, group, rule } from 'pergola';
import { EventCancellation } from './models/event-cancellation.ts';
import { EventEvent } from './models/event-event.ts';
import { EventPage } from './models/event-event-page.ts';
import { EventTicket } from './models/event-event-ticket.ts';
import { EventRegistration } from './models/event-registration.ts';
import { EventType } from './models/event-type.ts';
import { EventWaiting } from './models/event-waiting.ts';

const door = 'website_event.group_event_door';
const user = 'website_event.group_event_user';
const manager = 'website_event.group_event_manager';
const visitors = ['base.group_public', 'base.group_portal'];

export const groups = [
  group(door, { label: 'Check-in staff', category: 'Events', implies: ['base.group_user'] }),
  group(user, { label: 'Event organiser', category: 'Events', implies: [door] }),
  group(manager, { label: 'Event manager', category: 'Events', implies: [user], impliedBy: ['base.group_system'] }),
];

/** Attendees are only visible to organisers, check-in staff and the buyer of the ticket. */
export const lists = [
  access(EventType, { '*': 'r', [manager]: 'rwcd' }),
  access(EventEvent, { '*': 'r', [user]: 'rwcd' }),
  access(EventPage, { '*': 'r', [user]: 'rwcd' }),
  access(EventTicket, { '*': 'r', [user]: 'rwcd' }),
  access(EventRegistration, { 'base.group_portal': 'r', [door]: 'r', [user]: 'rwcd' }),
  access(EventWaiting, { [user]: 'rwcd' }),
  access(EventCancellation, { [user]: 'rc' }),
];

export const rules = [
  ...publishedRules('website_event.published', EventEvent, { websites: true }),
  rule('website_event.tickets_of_published', EventTicket, { groups: visitors, operations: 'r', domain: ofPublished }),
  rule('website_event.all_tickets', EventTicket, { groups: ['base.group_user'], domain: () => [] }),
  rule('website_event.pages_of_published', EventPage, { groups: visitors, operations: 'r', domain: ofPublished }),
  rule('website_event.all_pages', EventPage, { groups: ['base.group_user'], domain: () => [] }),
  rule('website_event.own_registrations', EventRegistration, {
    groups: ['base.group_portal'],
    operations: 'r',
    domain: (ctx) => [['partner_id', '=', ctx.user.partnerId ?? 0]],
  }),
  rule('website_event.all_registrations', EventRegistration, { groups: [door], domain: () => [] }),
];

/** Restricts tickets and pages to published events. */
function ofPublished(ctx: Ctx): Domain<FieldsOf<EventTicket>> & Domain<FieldsOf<EventPage>> {
  const site = onWebsite(ctx);
  const sites =
    site.length === 0
      ? []
      : ([
          '|',
          ['event_id.website_id', '=', null],
          ['event_id.website_id', '=', ctx.attributes.website?.id ?? 0],
        ] as const);
  return [['event_id.website_published', '=', true], ...sites];
}
