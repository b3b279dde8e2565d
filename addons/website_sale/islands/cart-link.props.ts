import { z } from 'zod';

export default z.object({
  quantity: z.number(),
  /** Whether the current page is the cart. */
  here: z.boolean(),
});
