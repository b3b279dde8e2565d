import { z } from 'zod';

/** A call-up that can be answered by its link. The match details are the island's children. */
export default z.object({
  token: z.string(),
  /** Selected answer: from the link, or the previous answer. */
  chosen: z.enum(['yes', 'no']).nullable(),
  /** Previous answer, or null. */
  answered: z.enum(['yes', 'no']).nullable(),
  saved: z.boolean(),
  comment: z.string(),
});
