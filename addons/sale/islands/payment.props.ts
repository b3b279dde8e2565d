import { z } from 'zod';

const acquirer = z.object({
  id: z.number(),
  name: z.string(),
  /** URL that counts the choice in statistics; empty if nothing is counted. */
  told: z.string(),
  test: z.boolean(),
  /** Message of the payment method, as sanitized HTML. */
  message: z.string(),
  keeping: z.string(),
  logo: z.string(),
  chosen: z.boolean(),
});
export type Acquirer = z.infer<typeof acquirer>;

export default z.object({
  acquirers: z.array(acquirer),
  attempt: z.string(),
  /** Base URL for starting a payment, without the method: `/shop/payment/transaction`. */
  action: z.string(),
  /** Amount due as shown, in minor units; the server rejects a different amount. The whole cart if left out. */
  amount: z.number().optional(),
  /** Version of the order the customer agrees to; opaque. */
  version: z.string(),
  /** Next page if there is no provider form to submit. */
  back: z.string(),
});
