import { z } from 'zod';

/** Unread notifications of the reader. */
export default z.object({
  notes: z.array(
    z.object({
      id: z.number(),
      text: z.string(),
      href: z.string().nullable(),
      date: z.object({ machine: z.string(), text: z.string() }),
    }),
  ),
  /** Total number, including notifications that aren't listed. */
  unread: z.number(),
  forum: z.number(),
  /** Path of the forum. */
  path: z.string(),
});
