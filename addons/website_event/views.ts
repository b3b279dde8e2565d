import { SaleOrder } from '@pergola/sale';
import { menu, view } from '@pergola/web';
import { EventCancellation } from './models/event-cancellation.ts';
import { EventEvent } from './models/event-event.ts';
import { EventPage } from './models/event-event-page.ts';
import { EventTicket } from './models/event-event-ticket.ts';
import { RefundedEvent } from './models/event-refunds.ts';
import { EventRegistration } from './models/event-registration.ts';
import { EventType } from './models/event-type.ts';
import { EventWaiting } from './models/event-waiting.ts';

const user = 'website_event.group_event_user';

export const views = [
  view.list(EventEvent, {
    columns: [
      'name',
      'date_begin',
      'type',
      'address_id',
      'state',
      'website_published',
      'seats_reserved',
      'seats_left',
      { field: 'organizer_id', optional: true },
      { field: 'user_id', optional: true },
      { field: 'date_end', optional: true },
    ],
    order: 'date_begin desc, id desc',
  }),
  view.form(RefundedEvent, {
    title: 'name',
    image: 'image',
    status: 'state',
    counts: [
      {
        label: 'Registrations',
        icon: 'people',
        model: 'event.registration',
        by: 'event_id',
        domain: [['state', '!=', 'cancel']],
        menu: 'website_event.menu_registrations',
      },
      {
        label: 'Waiting list',
        icon: 'hourglass-split',
        model: 'event.waiting',
        by: 'event_id',
        domain: [['state', '=', 'waiting']],
        menu: 'website_event.menu_waiting',
      },
      {
        label: 'Orders to refund',
        icon: 'cash-coin',
        model: 'sale.order',
        by: 'order_line.event_ticket_id.event_id',
        domain: [['amount_owed', '>', 0]],
        menu: 'website_event.menu_refunds',
      },
    ],
    buttons: [
      { method: 'button_confirm', label: 'Confirm event', primary: true, when: [['state', '=', 'draft']] },
      { method: 'button_done', label: 'Mark as done', when: [['state', '=', 'confirm']] },
      { method: 'button_draft', label: 'Set to unconfirmed', when: [['state', 'in', ['confirm', 'done', 'cancel']]] },
      {
        opens: { model: 'event.cancellation', by: 'event_id' },
        label: 'Cancel event',
        mails: true,
        when: [['state', 'in', ['draft', 'confirm']]],
      },
      {
        method: 'button_refund',
        label: 'Refund all',
        primary: true,
        groups: ['sale.group_sale_manager'],
        when: [
          ['state', '=', 'cancel'],
          ['refund_count', '>', 0],
        ],
        confirm: 'Everyone listed under “Refunds” is refunded and notified by email.',
      },
    ],
    sections: [
      {
        label: 'When and where',
        items: [
          'date_begin',
          'date_end',
          'date_tz',
          'address_id',
          { field: 'online_url', when: [['address_id', '=', false]] },
          'country_id',
        ],
      },
      { label: 'People', items: ['organizer_id', 'user_id', 'type', 'reply_to', 'twitter_hashtag'] },
      {
        label: 'Changes by attendees',
        items: ['change_hours', 'cancel_paid'],
      },
      {
        label: 'Seats',
        items: ['seats_max', 'seats_min', 'seats_reserved', 'seats_used', 'seats_unconfirmed', 'seats_left'],
      },
      { label: 'Website', items: ['website_published', 'website_id', 'show_menu', 'website_url'] },
    ],
    tabs: [
      {
        label: 'Tickets',
        sections: [
          {
            items: [
              {
                field: 'event_ticket_ids',
                columns: ['name', 'price', 'seats_max', 'sale_start', 'deadline', 'seats_reserved', 'seats_left'],
                wide: true,
              },
            ],
          },
        ],
      },
      {
        label: 'Registrations',
        sections: [
          {
            items: [
              {
                field: 'registration_ids',
                columns: ['name', 'email', 'event_ticket_id', 'state', 'origin'],
                wide: true,
              },
            ],
          },
        ],
      },
      {
        label: 'Waiting list',
        sections: [
          {
            items: [
              {
                field: 'waiting_ids',
                columns: ['name', 'email', 'event_ticket_id', 'quantity', 'state', 'offered_until'],
                wide: true,
              },
            ],
          },
        ],
      },
      {
        label: 'Refunds',
        sections: [{ items: ['refund_count', { field: 'refunds', widget: 'table', wide: true }] }],
      },
      {
        label: 'Description',
        sections: [
          {
            items: [
              { field: 'summary', wide: true },
              { field: 'description', wide: true },
            ],
          },
        ],
      },
      {
        label: 'Pages',
        sections: [{ items: [{ field: 'page_ids', columns: ['name', 'path', 'sequence'], wide: true }] }],
      },
      {
        label: 'SEO',
        sections: [
          { items: ['website_meta_title', 'website_meta_description', 'website_meta_keywords', 'website_meta_og_img'] },
        ],
      },
    ],
  }),
  view.list(EventCancellation, {
    columns: [
      'event_id',
      'create_date',
      { field: 'create_uid', label: 'By' },
      'registrations',
      'orders_confirmed',
      'orders_awaited',
      'money',
    ],
  }),
  view.form(EventCancellation, {
    sections: [{ items: ['event_id', 'registrations', 'orders_confirmed', 'orders_awaited', 'money'] }],
  }),
  view.kanban(EventEvent, {
    title: 'name',
    image: 'image',
    lines: ['date_begin', 'address_id', 'state'],
    groupBy: 'type',
  }),
  view.calendar(EventEvent, { title: 'name', start: 'date_begin', end: 'date_end' }),
  view.search(EventEvent, {
    fields: ['name', 'summary'],
    filters: [
      { id: 'confirmed', label: 'Confirmed', domain: [['state', '=', 'confirm']] },
      { id: 'planned', label: 'Unconfirmed', domain: [['state', '=', 'draft']] },
      { id: 'published', label: 'Published', domain: [['website_published', '=', true]] },
      { id: 'online', label: 'Online', domain: [['is_online', '=', true]] },
    ],
    groups: [
      { id: 'type', label: 'Type', by: 'type' },
      { id: 'state', label: 'Status', by: 'state' },
      { id: 'country', label: 'Country', by: 'country_id' },
      { id: 'month', label: 'Month', by: 'begin_day:month' },
    ],
  }),
  view.list(EventTicket, {
    columns: ['event_id', 'name', 'price', 'seats_max', 'seats_reserved', 'seats_left', 'sale_start', 'deadline'],
  }),
  view.form(EventTicket, {
    title: 'name',
    sections: [
      { items: ['event_id', 'description', 'product_id', 'price', 'sequence'] },
      { label: 'Sales', items: ['sale_start', 'deadline', 'order_max'] },
      { label: 'Seats', items: ['seats_max', 'seats_reserved', 'seats_used', 'seats_unconfirmed', 'seats_left'] },
    ],
  }),
  view.form(EventPage, {
    title: 'name',
    sections: [{ items: ['event_id', 'path', 'sequence'] }, { items: [{ field: 'content', wide: true }] }],
  }),
  view.list(EventRegistration, {
    columns: [
      'name',
      'email',
      'event_id',
      'event_ticket_id',
      'state',
      'date_open',
      'origin',
      { field: 'phone', optional: true },
      { field: 'barcode', optional: true },
      { field: 'date_closed', optional: true },
    ],
  }),
  view.form(EventRegistration, {
    title: 'name',
    status: 'state',
    documents: [{ label: 'Print ticket (PDF)', url: '{ticket_url}', when: [['state', 'in', ['open', 'done']]] }],
    buttons: [
      { method: 'registration_open', label: 'Confirm', primary: true, when: [['state', 'in', ['draft', 'cancel']]] },
      { method: 'button_reg_close', label: 'Check in', primary: true, when: [['state', '=', 'open']] },
      { method: 'undo_check_in', label: 'Undo check-in', when: [['state', '=', 'done']] },
      {
        method: 'resend_tickets',
        label: 'Resend ticket',
        when: [['state', 'in', ['open', 'done']]],
      },
      {
        method: 'button_reg_cancel',
        label: 'Cancel',
        when: [['state', 'in', ['draft', 'open']]],
        confirm: 'The ticket will no longer be valid, and its holder is notified by email.',
      },
      { method: 'do_draft', label: 'Set to unconfirmed', when: [['state', 'in', ['open', 'cancel']]] },
    ],
    sections: [
      { label: 'Attendee', items: ['email', 'phone', 'partner_id', 'lang'] },
      { label: 'Event', items: ['event_id', 'event_ticket_id', 'origin', 'sale_order_id', 'barcode'] },
      { label: 'Times', items: ['date_open', 'date_closed', 'checked_by', 'cancel_asked'] },
    ],
  }),
  view.search(EventRegistration, {
    fields: ['name', 'email', 'origin'],
    filters: [
      { id: 'open', label: 'Confirmed', domain: [['state', '=', 'open']] },
      { id: 'done', label: 'Attended', domain: [['state', '=', 'done']] },
      { id: 'draft', label: 'Unconfirmed', domain: [['state', '=', 'draft']] },
      {
        id: 'asked',
        label: 'Cancellation requested',
        domain: [
          ['cancel_asked', '!=', false],
          ['state', '=', 'open'],
        ],
      },
    ],
    groups: [
      { id: 'event', label: 'Event', by: 'event_id' },
      { id: 'ticket', label: 'Ticket', by: 'event_ticket_id' },
      { id: 'state', label: 'Status', by: 'state' },
    ],
  }),
  view.graph(EventRegistration, { measure: '__count', groupBy: ['event_id', 'state'] }),
  view.pivot(EventRegistration, { rows: ['event_id', 'event_ticket_id'], columns: ['state'], measures: ['__count'] }),
  view.list(EventWaiting, {
    columns: ['event_id', 'event_ticket_id', 'name', 'email', 'quantity', 'state', 'offered_until', 'create_date'],
  }),
  view.search(EventWaiting, {
    fields: ['name', 'email'],
    filters: [{ id: 'waiting', label: 'Waiting', domain: [['state', '=', 'waiting']] }],
    groups: [{ id: 'event', label: 'Event', by: 'event_id' }],
  }),
  view.list(EventType, {
    columns: [
      'name',
      'sequence',
      'default_registration_min',
      'default_registration_max',
      'default_change_hours',
      'default_cancel_paid',
      'default_reply_to',
    ],
    editable: true,
  }),
];

export const menus = [
  menu('website_event.menu_root', {
    label: 'Events',
    icon: 'calendar-event',
    groups: ['website_event.group_event_door'],
  }),
  menu('website_event.menu_events', {
    label: 'Events',
    parent: 'website_event.menu_root',
    model: EventEvent,
    views: ['list', 'kanban', 'calendar', 'form'],
    groups: [user],
  }),
  menu('website_event.menu_registrations', {
    label: 'Registrations',
    parent: 'website_event.menu_root',
    model: EventRegistration,
    groups: [user],
    after: 'website_event.menu_events',
  }),
  menu('website_event.menu_check_in', {
    label: 'Check-in',
    parent: 'website_event.menu_root',
    url: '/event/check-in',
    after: 'website_event.menu_registrations',
  }),
  menu('website_event.menu_tickets', {
    label: 'Tickets',
    parent: 'website_event.menu_root',
    model: EventTicket,
    groups: [user],
    after: 'website_event.menu_check_in',
  }),
  menu('website_event.menu_waiting', {
    label: 'Waiting lists',
    parent: 'website_event.menu_root',
    model: EventWaiting,
    groups: [user],
    after: 'website_event.menu_tickets',
  }),
  menu('website_event.menu_refunds', {
    label: 'Orders to refund',
    parent: 'website_event.menu_root',
    model: SaleOrder,
    domain: [
      ['amount_owed', '>', 0],
      ['order_line.event_ticket_id', '!=', false],
    ],
    groups: ['sale.group_sale_user'],
    after: 'website_event.menu_waiting',
  }),
  menu('website_event.menu_types', {
    label: 'Event types',
    parent: 'website_event.menu_root',
    model: EventType,
    groups: ['website_event.group_event_manager'],
    after: 'website_event.menu_refunds',
  }),
];
