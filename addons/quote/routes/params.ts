import { z } from 'pergola';
import { hasLetter, singleLine } from 'pergola/kernel';

export const orderId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const token = z.string().max(200);
export const quoteParams = { order: orderId, token };
/** Accepts the values for "yes" of forms, scripts and older clients. */
export const yes = z.union([
  z.boolean(),
  z.null(),
  z.number().transform((value) => value !== 0),
  z.string().transform((text) => !['', '0', 'false', 'False', 'null'].includes(text)),
]);
/** Name of the signer, on one line; empty unless it contains a letter. */
export const signerName = z
  .string()
  .max(400)
  .transform((text) => {
    // Cuts between whole characters: half a surrogate pair would be stored differently from the text in the fingerprint.
    const name = [...singleLine(text).replace(/\s+/g, ' ').trim()].slice(0, 120).join('');
    return hasLetter(name) ? name : '';
  });
export const perVisitor = { calls: 240, seconds: 60, name: 'quote.change' };
