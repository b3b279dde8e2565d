import { z } from 'zod';

export default z.object({
  totalText: z.string(),
  /** Whether it can be accepted and declined. */
  acceptable: z.boolean(),
  /** Its path. */
  path: z.string(),
});
