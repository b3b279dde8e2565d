import { accountEntry } from '@pergola/web';
import { countTickets } from './pages/tickets.ts';

export const entries = [
  accountEntry('website_event.tickets', {
    part: 'orders',
    label: 'Tickets',
    help: 'Entry codes, PDFs and attendees',
    icon: 'ticket-perforated',
    url: '/my/tickets',
    load: async (ctx) => ({ count: await countTickets(ctx) }),
  }),
];
