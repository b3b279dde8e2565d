import { z } from 'zod';

const acquirer = z.object({
  id: z.number(),
  name: z.string(),
  /** What statistics call it. */
  counted: z.string(),
  test: z.boolean(),
  /** HTML of the payment method, sanitised. */
  message: z.string(),
  keeping: z.string(),
  logo: z.string(),
  chosen: z.boolean(),
});
export type Acquirer = z.infer<typeof acquirer>;

export default z.object({ acquirers: z.array(acquirer), attempt: z.string() });
