import { z } from 'zod';

const posts = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    /** HTML, sanitised. */
    descr: z.string(),
    author: z.string(),
    date: z.string(),
    href: z.string(),
    image: z.string(),
    waiting: z.boolean(),
    removalAsked: z.boolean(),
    mayDelete: z.boolean(),
  }),
);

/** The posts of a wall with the form for new ones, where the reader may write some. */
export default z.object({
  wallId: z.number(),
  posts,
  total: z.number(),
  /** How many posts the next address shows; 0 where there is none. */
  more: z.number(),
  /** Posts that wall managers have to decide on. */
  waiting: posts,
  mayPost: z.boolean(),
  onApproval: z.boolean(),
  /** What was sent and is wrong with it, where the form comes back without scripts. */
  values: z.record(z.string(), z.string()).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  message: z.string().optional(),
});
