import { contentDocument, type PdfContent, type PdfDocument, picture, zonedTime } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';
import { SaleOrderSignature } from '../models/sale-order-signature.ts';
import { t } from '../texts.ts';

/**
 * Creates the document of a signature from its stored data alone. Needs elevated rights; reads files, so call it outside of transactions.
 */
export async function signedDocument(ctx: Ctx, id: Id): Promise<PdfDocument> {
  const { content } = await ctx.model(SaleOrderSignature).get(id, { select: { content: true } });
  if (!content) throw new Error(`Signature ${id} has no content`);
  const reader = ctx.as({ lang: content.lang });
  return contentDocument(reader, content, true, { after: [await signatureBlock(reader, id)] });
}

/** Builds the signature section of a document: signer, date, IP address, and the fingerprint of the signed content. */
export async function signatureBlock(ctx: Ctx, id: Id): Promise<PdfContent> {
  const signature = await ctx
    .sudo() // Readers of the order may see it in the document.
    .model(SaleOrderSignature)
    .get(id, { select: { signer: true, date: true, ip: true, hash: true, picture: true } });
  const signaturePicture = signature.picture;
  const image = signaturePicture ? await picture(ctx.sudo(), signaturePicture.hash, signaturePicture.mimetype) : null;
  const moment = zonedTime(ctx, signature.date, 'medium');
  return {
    unbreakable: true,
    stack: [
      { text: t(ctx, 'Accepted and signed'), style: 'heading' },
      ...(image
        ? [{ image, fit: [220, 90] as [number, number], margin: [0, 4, 0, 4] as [number, number, number, number] }]
        : []),
      { text: t(ctx, 'Signed by {signer} on {moment}', { signer: signature.signer, moment }) },
      { text: t(ctx, 'From IP address {address}', { address: signature.ip ?? '' }), style: 'small' },
      { text: t(ctx, 'Fingerprint {hash}', { hash: signature.hash }), style: 'small' },
    ],
  };
}
