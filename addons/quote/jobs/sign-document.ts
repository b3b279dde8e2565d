import { Attachment } from '@pergola/base';
import { Documents } from '@pergola/sale';
import { job, z } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';
import { SaleOrderSignature } from '../models/sale-order-signature.ts';
import { signedDocument } from '../services/signed-document.ts';
import { t } from '../texts.ts';

/** Creates the document of a signature, once, from the stored signature. Runs after the acceptance, because documents take time. */
export const signDocument = job('quote.sign_document', {
  mails: true,
  input: z.object({ signature: z.number().int() }),
  run: async ({ ctx, input: { signature: id }, write }) => {
    const signature = await ctx.model(SaleOrderSignature).first([['id', '=', id]], {
      select: { order_id: true, content: true, document_id: true },
    });
    const { content, order_id: order } = signature ?? {};
    if (!content || !order || signature?.document_id !== null) return;
    // Prints times in the customer's time zone, like every document of the order.
    const timezone = await ctx.model(QuotedOrder).zoneOf(order);
    const reader = ctx.as({ lang: content.lang, timezone });
    const file = await ctx.get(Documents).pdf(await signedDocument(reader, id));
    const name = `${content.number ?? `quotation-${order}`}-${t(reader, 'signed')}.pdf`;
    const mimetype = 'application/pdf';
    const datas = await ctx.files.put(file, { name, mimetype });
    await write(async (writing) => {
      await writing.lock(QuotedOrder, [order]);
      const signatures = writing.model(SaleOrderSignature);
      if ((await signatures.get(id, { select: { document_id: true } })).document_id !== null) return;
      // Attached to the signature, whose files can't be changed.
      const document = await writing
        .model(Attachment)
        .create({ name, datas, res_model: 'sale.order.signature', res_id: id, mimetype });
      await signatures.write(id, { document_id: document });
      const orders = writing.model(QuotedOrder);
      await orders.write(await orders.search([['signature_id', '=', id]]), { signed_document_id: document });
    });
  },
});
