import { accountEntry } from '@pergola/web';
import { countTickets } from './pages/tickets.ts';

export const entries = [
  accountEntry('website_event.tickets', {
    part: 'orders',
    label: 'Tickets',
    help: 'Codes for the door, files, and who comes',
    icon: 'ticket-perforated',
    url: '/my/tickets',
    load: async (ctx) => ({ count: await countTickets(ctx) }),
  }),
];
