import { z } from 'zod';

export default z.object({
  levels: z.record(z.string(), z.number()),
  inCart: z.array(z.number()),
  /** Text shown until a variant is chosen. */
  initialText: z.string(),
});
