import { z } from 'zod';

export default z.object({
  totalText: z.string(),
  /** Whether the quotation can be accepted and declined. */
  acceptable: z.boolean(),
  /** Path of the quotation. */
  path: z.string(),
});
