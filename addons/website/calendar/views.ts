import { menu, view } from '@pergola/web';
import { CalendarEvent } from './models/calendar-event.ts';

export const views = [
  view.list(CalendarEvent, { columns: ['name', 'start', 'stop', 'allday', 'location', 'public'] }),
  view.form(CalendarEvent, {
    title: 'name',
    sections: [
      { items: ['start', 'stop', 'allday', 'location', 'public', 'color'] },
      { label: 'People', items: [{ field: 'attendee_ids', wide: true }] },
      { items: [{ field: 'description', wide: true }] },
    ],
    tabs: [
      {
        label: 'Calendars',
        sections: [{ items: [{ field: 'contact_ids', columns: ['partner_id', 'sequence'], wide: true }] }],
      },
    ],
  }),
  view.calendar(CalendarEvent, { title: 'name', start: 'start', end: 'stop', color: 'color' }),
  view.search(CalendarEvent, {
    fields: ['name', 'location'],
    filters: [
      { id: 'public', label: 'Shown to visitors', domain: [['public', '=', true]] },
      { id: 'internal', label: 'Internal', domain: [['public', '=', false]] },
    ],
    groups: [{ id: 'month', label: 'Month', by: 'start:month' }],
  }),
];

export const menus = [
  menu('website.menu_calendar', {
    label: 'Calendar',
    icon: 'calendar3',
    model: CalendarEvent,
    groups: ['base.group_user'],
    views: ['calendar', 'list', 'form'],
  }),
];
