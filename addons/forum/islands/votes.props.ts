import { z } from 'zod';

const karma = z.number().nullable();

/** The votes on a post, and whether it is the accepted answer. */
export default z.object({
  base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
  count: z.number(),
  /** The reader's own. */
  vote: z.union([z.literal(1), z.literal(0), z.literal(-1)]),
  /** Somebody who is signed in, and did not write it. */
  mayVote: z.boolean(),
  /** null for a question. */
  accepted: z.boolean().nullable(),
  /** The karma each takes where the reader has less. */
  needs: z.object({ upvote: karma, downvote: karma, accept: karma }),
});
