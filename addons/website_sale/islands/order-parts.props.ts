import { z } from 'zod';

export default z.object({
  /** Whether a provider is processing a payment, so that the page polls for updates. */
  polls: z.boolean().default(false),
});
