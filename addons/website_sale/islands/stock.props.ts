import { z } from 'zod';

export default z.object({
  levels: z.record(z.string(), z.number()),
  mine: z.array(z.number()),
  /** Text shown until a variant is chosen. */
  shown: z.string(),
});
