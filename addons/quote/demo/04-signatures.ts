import { contentVersion } from '@pergola/sale';
import { type Ctx, data, type FileRef, ref } from 'pergola';
import sharp from 'sharp';
import { QuotedOrder } from '../models/sale-order.ts';
import { SaleOrderSignature } from '../models/sale-order-signature.ts';
import { signatureHash } from '../services/acceptances.ts';

const day = 86_400_000;

/** Signature of the signed quotation, stored as by an acceptance. */
const signatures = data(SaleOrderSignature, async (ctx) => {
  const facts = await signedFacts(ctx);
  return { demo_signature: { ...facts, version: contentVersion(facts.content), hash: signatureHash(facts) } };
});

/** Copies the signature to the quotation. */
const quotations = data(QuotedOrder, async (ctx) => {
  const facts = await signedFacts(ctx);
  return {
    demo_signed: {
      signature_id: ref('demo_signature'),
      signer: facts.signer,
      signed_date: facts.date,
      signed_ip: facts.ip,
      signed_hash: signatureHash(facts),
      signature: facts.picture,
    },
  };
});

export default [signatures, quotations];

async function signedFacts(ctx: Ctx) {
  const order = await ctx.ref('quote.demo_signed');
  const orders = ctx.model(QuotedOrder);
  const { date_order, amount_total, currency_id } = await orders.get(order, {
    select: { date_order: true, amount_total: true, currency_id: true },
  });
  return {
    order_id: order,
    signer: 'Anouk de Vries',
    date: new Date(date_order.getTime() + 2 * day),
    ip: '192.0.2.7',
    picture: await drawn(ctx),
    content: await orders.contentToStore(order),
    amount_total,
    currency_id,
  };
}

/** A name in handwriting. */
async function drawn(ctx: Ctx): Promise<FileRef> {
  const line =
    'M20 80C30 20 50 15 58 78M32 55H62M75 78C78 50 95 50 96 78M112 60C104 52 98 78 112 76S122 50 118 60M130 52C128 80 145 82 148 52M160 20L162 78M165 62L182 50M166 62L186 78M200 76C240 60 270 90 330 40';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="110"><rect width="100%" height="100%" fill="#fff"/><path d="${line}" stroke="#10233f" stroke-width="4" stroke-linecap="round" fill="none"/></svg>`;
  return ctx.files.putImage(await sharp(Buffer.from(svg)).png().toBuffer(), { name: 'signature.png' });
}
