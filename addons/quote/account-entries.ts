import { accountEntry } from '@pergola/web';
import { countQuotations } from './pages/quotations.ts';

export const entries = [
  accountEntry('quote.quotations', {
    part: 'orders',
    label: 'Quotations',
    help: 'Our offers to you, to read, adjust and sign',
    icon: 'pen',
    url: '/my/quotations',
    load: async (ctx) => ({ count: await countQuotations(ctx) }),
  }),
];
