import { job, z } from '#core';
import { mailOrder } from '../services/documents/mail-order.ts';

/** The mails an order sends its customer. */
export const orderMailKinds = ['quotation', 'received', 'confirmed', 'blocked', 'expired'] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

/** Makes the document and sends the mail; outside the transaction that asked for it, because documents take time. */
export const orderMail = job('sale.order_mail', {
  input: z.object({
    order: z.number().int(),
    kind: z.enum(orderMailKinds),
    /** Set when somebody asks for it once more; else each order sends each mail once. */
    again: z.number().optional(),
  }),
  run: (work) => mailOrder(work),
});
