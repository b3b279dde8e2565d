import { data, ref } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';
import { variantOf } from './02-templates.ts';

const day = 86_400_000;

/** A draft, a quotation awaiting its customer, an expired one, and a signed one; each in its customer's language. */
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
  demo_signed: {
    name: 'D0003',
    partner_id: ref('base.demo_delft'),
    user_id: ref('base.user_admin'),
    order_line: [{ create: { product_id: await variantOf(ctx, 'quote.technical_training') } }],
    state: 'sale' as const,
    date_order: ctx.now().plus(-12 * day),
    date_confirm: ctx.now().plus(-10 * day),
  },
}));
