import { z } from 'zod';

export default z.object({
  order: z.number(),
  state: z.string(),
  validation: z.string().nullable(),
  /** Bootstrap's word for its colour. */
  look: z.string(),
});
