import { z } from 'zod';

const posts = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    /** Sanitised HTML. */
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

/** Posts of a wall, with a form for new posts if the reader can write them. */
export default z.object({
  wallId: z.number(),
  posts,
  total: z.number(),
  /** Number of posts on the next page; 0 for none. */
  more: z.number(),
  /** Posts awaiting approval by wall managers. */
  waiting: posts,
  mayPost: z.boolean(),
  onApproval: z.boolean(),
  /** Submitted values and errors, if the form was rejected without JavaScript. */
  values: z.record(z.string(), z.string()).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  message: z.string().optional(),
});
