import sharp from 'sharp';
import { type Ctx, data, type FileRef, ref } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';
import { fingerprint } from '../services/acceptances.ts';
import { variantOf } from './02-templates.ts';

const day = 86_400_000;

/** One that is being written, one that waits for its customer, one that waited too long, one that is signed; each in its customer's language. */
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
    signer: 'Anouk de Vries',
    signed_date: ctx.now().plus(-10 * day),
    signed_ip: '192.0.2.7',
    signed_hash: fingerprint(['D0003', 'Anouk de Vries']),
    signature: await drawn(ctx),
  },
}));

/** A name in somebody's hand. */
async function drawn(ctx: Ctx): Promise<FileRef> {
  const line =
    'M20 80C30 20 50 15 58 78M32 55H62M75 78C78 50 95 50 96 78M112 60C104 52 98 78 112 76S122 50 118 60M130 52C128 80 145 82 148 52M160 20L162 78M165 62L182 50M166 62L186 78M200 76C240 60 270 90 330 40';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="110"><rect width="100%" height="100%" fill="#fff"/><path d="${line}" stroke="#10233f" stroke-width="4" stroke-linecap="round" fill="none"/></svg>`;
  return ctx.files.putImage(await sharp(Buffer.from(svg)).png().toBuffer(), { name: 'signature.png' });
}
