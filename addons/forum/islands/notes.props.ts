import { z } from 'zod';

/** What the reader has not read yet. */
export default z.object({
  notes: z.array(
    z.object({
      id: z.number(),
      text: z.string(),
      href: z.string().nullable(),
      date: z.object({ machine: z.string(), text: z.string() }),
    }),
  ),
  /** How many there are, those that are not listed too. */
  unread: z.number(),
  forum: z.number(),
  /** The forum's. */
  path: z.string(),
});
