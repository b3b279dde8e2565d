import { access, rule } from 'pergola';
import { CalendarEvent } from './models/calendar-event.ts';
import { CalendarEventContact } from './models/calendar-event-contact.ts';

export const lists = [
  access(CalendarEvent, { '*': 'r', 'base.group_user': 'rwcd' }),
  access(CalendarEventContact, { '*': 'r', 'base.group_user': 'rwcd' }),
];

export const rules = [
  rule('website.public_events', CalendarEvent, {
    groups: ['base.group_public'],
    operations: 'r',
    domain: () => [['public', '=', true]],
  }),
  rule('website.own_events', CalendarEvent, {
    groups: ['base.group_portal'],
    operations: 'r',
    // Public events, and events the user attends.
    domain: (ctx) => [
      '|',
      ['public', '=', true],
      '|',
      ['attendee_ids', '=', ctx.user.partnerId ?? 0],
      ['contact_ids.partner_id', '=', ctx.user.partnerId ?? 0],
    ],
  }),
  rule('website.all_events', CalendarEvent, { groups: ['base.group_user'], domain: () => [] }),
  rule('website.contacts_of_public_events', CalendarEventContact, {
    groups: ['base.group_public'],
    operations: 'r',
    domain: () => [['event_id.public', '=', true]],
  }),
  rule('website.contacts_of_own_events', CalendarEventContact, {
    groups: ['base.group_portal'],
    operations: 'r',
    domain: (ctx) => [
      '|',
      ['event_id.public', '=', true],
      '|',
      ['event_id.attendee_ids', '=', ctx.user.partnerId ?? 0],
      ['event_id.contact_ids.partner_id', '=', ctx.user.partnerId ?? 0],
    ],
  }),
  rule('website.contacts_of_all_events', CalendarEventContact, { groups: ['base.group_user'], domain: () => [] }),
];
