import { z } from 'zod';

export default z.object({
  quantity: z.number(),
  /** Whether this is the page of the cart. */
  here: z.boolean(),
});
