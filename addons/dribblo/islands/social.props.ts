import { z } from 'zod';

/** A social media account, and the iframe that shows its feed. */
export default z.object({
  network: z.string(),
  name: z.string(),
  page: z.string(),
  frame: z.string(),
  height: z.number(),
});
