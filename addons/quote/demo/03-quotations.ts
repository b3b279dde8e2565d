import { data, ref } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';

const day = 86_400_000;

/** One that is being written, one that waits for its customer, one that waited too long; each in its customer's language. */
export default data(QuotedOrder, async (ctx) => ({
  demo_draft: {
    partner_id: ref('base.demo_delft'),
    template_id: ref('partnership'),
    user_id: ref('base.user_admin'),
  },
  demo_sent: {
    name: 'D0001',
    partner_id: ref('base.demo_portal_partner'),
    template_id: ref('partnership'),
    user_id: ref('base.user_admin'),
    state: 'sent' as const,
  },
  demo_expired: {
    name: 'D0002',
    partner_id: ref('base.demo_lausanne'),
    template_id: ref('partnership'),
    user_id: ref('base.user_admin'),
    state: 'sent' as const,
    date_order: ctx.now().plus(-90 * day),
    validity_date: ctx
      .now()
      .plus(-45 * day)
      .toISOString()
      .slice(0, 10),
  },
}));
