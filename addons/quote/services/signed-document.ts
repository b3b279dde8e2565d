import { Attachment } from '#addons/base';
import { Documents, orderDocument, type PdfContent, picture, zonedTime } from '#addons/sale';
import type { Ctx, Id, JobRun } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';

/** Who signed, when, from where, and the fingerprint of what was signed, for the order's document; nothing before that. */
export async function signatureBlock(ctx: Ctx, id: Id): Promise<PdfContent[]> {
  const order = await ctx.model(QuotedOrder).get(id, {
    select: { signer: true, signed_date: true, signed_ip: true, signed_hash: true, signature: true },
  });
  if (!order.signer || !order.signed_date) return [];
  const image = order.signature ? await picture(ctx, order.signature.hash, order.signature.mimetype) : null;
  const moment = zonedTime(ctx, order.signed_date, 'medium');
  return [
    {
      unbreakable: true,
      stack: [
        { text: ctx.t('Accepted and signed'), style: 'heading' },
        ...(image
          ? [{ image, fit: [220, 90] as [number, number], margin: [0, 4, 0, 4] as [number, number, number, number] }]
          : []),
        { text: ctx.t('Signed by {signer} on {moment}', { signer: order.signer, moment }) },
        { text: ctx.t('From the address {address}', { address: order.signed_ip ?? '' }), style: 'small' },
        { text: ctx.t('Fingerprint {hash}', { hash: order.signed_hash ?? '' }), style: 'small' },
      ],
    },
  ];
}

/** Keeps the signed document with the order, once; staff and the customer can open it. */
export async function keepSignedDocument({ ctx, input, write }: JobRun<{ order: Id }>): Promise<void> {
  const order = await ctx.model(QuotedOrder).first([['id', '=', input.order]], {
    select: { name: true, lang: true, signer: true, signed_document_id: true },
  });
  if (!order?.signer || order.signed_document_id !== null) return;
  const speaking = order.lang ? ctx.as({ lang: order.lang }) : ctx;
  const content = await ctx.get(Documents).pdf(await orderDocument(speaking, input.order));
  const name = `${order.name ?? `quotation-${input.order}`}-${speaking.t('signed')}.pdf`;
  const file = await ctx.files.put(content, { name, mimetype: 'application/pdf' });
  await write(async (writing) => {
    await writing.lock(QuotedOrder, [input.order]);
    const orders = writing.model(QuotedOrder);
    const { signed_document_id: known } = await orders.get(input.order, { select: { signed_document_id: true } });
    if (known !== null) return;
    const document = await writing
      .model(Attachment)
      .create({ name, datas: file, res_model: 'sale.order', res_id: input.order, mimetype: 'application/pdf' });
    await orders.write(input.order, { signed_document_id: document });
  });
}
