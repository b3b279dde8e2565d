import { z } from 'zod';

const karma = z.number().nullable();

/** Votes of a post, and whether it is the accepted answer. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
  count: z.number(),
  /** The reader's own vote. */
  vote: z.union([z.literal(1), z.literal(0), z.literal(-1)]),
  /** Whether the reader is signed in and isn't the author. */
  mayVote: z.boolean(),
  /** Null for questions. */
  accepted: z.boolean().nullable(),
  /** Required karma per action if the reader has less, else null. */
  needs: z.object({ upvote: karma, downvote: karma, accept: karma }),
});
