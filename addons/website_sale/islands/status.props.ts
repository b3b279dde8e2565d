import { z } from 'zod';

export default z.object({
  order: z.number(),
  state: z.string(),
  validation: z.string().nullable(),
  /** Bootstrap colour name. */
  look: z.string(),
});
