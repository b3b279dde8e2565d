import { z } from 'zod';

/** A call-up that can be answered by its link. What it is about is the island's content. */
export default z.object({
  token: z.string(),
  /** What is chosen: by the link that was followed, or what was answered before. */
  chosen: z.enum(['yes', 'no']).nullable(),
  /** What was answered before; null for nothing. */
  answered: z.enum(['yes', 'no']).nullable(),
  saved: z.boolean(),
  comment: z.string(),
});
