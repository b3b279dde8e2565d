import { z } from 'zod';

export default z.object({
  forum: z.number(),
  question: z.number(),
  /** Initial state of the page: votes by post, IDs of the answers, and the accepted answer. */
  shown: z.object({
    votes: z.record(z.string(), z.number()),
    answers: z.array(z.number()),
    accepted: z.number().nullable(),
  }),
  /** Whether `answers` is complete. */
  isWhole: z.boolean(),
});
