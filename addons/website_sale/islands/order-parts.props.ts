import { z } from 'zod';

export default z.object({
  /** Whether a provider is working on a payment, so that the page asks by itself for news of the order. */
  polls: z.boolean().default(false),
});
