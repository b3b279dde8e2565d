import { Attachment } from '#addons/base';
import { Documents, orderDocument } from '#addons/sale';
import { job, z } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';

/** Makes the document of an order that was signed and keeps it with the order, once; after the signature, because documents take time. */
export const signDocument = job('quote.sign_document', {
  input: z.object({ order: z.number().int() }),
  run: async ({ ctx, input, write }) => {
    const quotations = ctx.model(QuotedOrder);
    const order = await quotations.first([['id', '=', input.order]], {
      select: { name: true, lang: true, signer: true, signed_document_id: true },
    });
    if (!order?.signer || order.signed_document_id !== null) return;
    const timezone = (await quotations.zoneOf(input.order)) ?? ctx.timezone;
    const speaking = ctx.as({ lang: order.lang ?? ctx.lang, timezone });
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
  },
});
