import { z } from 'zod';

const acquirer = z.object({
  id: z.number(),
  name: z.string(),
  /** Where statistics are told that it was chosen; empty where nobody counts. */
  told: z.string(),
  test: z.boolean(),
  /** HTML of the payment method, sanitised. */
  message: z.string(),
  keeping: z.string(),
  logo: z.string(),
  chosen: z.boolean(),
});
export type Acquirer = z.infer<typeof acquirer>;

export default z.object({
  acquirers: z.array(acquirer),
  attempt: z.string(),
  /** Where a payment is begun, before the method: `/shop/payment/transaction`. */
  action: z.string(),
  /** What is shown to be open, in minor units; another sum is refused. The whole cart when left out. */
  amount: z.number().optional(),
  /** What the customer is shown and consents to; opaque. */
  version: z.string(),
  /** Where it goes on when there is no form to send. */
  back: z.string(),
});
