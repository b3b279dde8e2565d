import { job, z } from '#core';
import { keepSignedDocument } from '../services/signed-document.ts';

/** Makes the document of an order that was signed; after the signature, because documents take time. */
export const signDocument = job('quote.sign_document', {
  input: z.object({ order: z.number().int() }),
  run: (work) => keepSignedDocument(work),
});
