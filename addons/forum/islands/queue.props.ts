import { z } from 'zod';

/** A moderation queue. */
export default z.object({
  name: z.enum(['validation_queue', 'flagged_queue', 'offensive_posts', 'closed_posts', 'deleted_posts']),
  queues: z.array(z.object({ href: z.string(), label: z.string(), active: z.boolean(), count: z.number() })),
  canModerate: z.boolean(),
  posts: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      isAnswer: z.boolean(),
      path: z.string(),
      base: z.templateLiteral(['/forum/', z.string(), '/post/', z.number()]),
      questionBase: z.string(),
      /** Sanitised content of the post. */
      html: z.string(),
      date: z.object({ machine: z.string(), text: z.string() }),
      author: z.object({
        name: z.string(),
        initial: z.string(),
        picture: z.string().nullable(),
        karma: z.number().nullable(),
        path: z.string().nullable(),
        gold: z.number(),
        silver: z.number(),
        bronze: z.number(),
      }),
      flagger: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
