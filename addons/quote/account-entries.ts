import { accountEntry } from '@pergola/web';
import { countQuotations } from './pages/quotations.ts';

export const entries = [
  accountEntry('quote.quotations', {
    part: 'orders',
    label: 'Quotations',
    help: 'What we have offered you, to read, change and sign',
    icon: 'pen',
    url: '/my/quotations',
    load: async (ctx) => ({ count: await countQuotations(ctx) }),
  }),
];
