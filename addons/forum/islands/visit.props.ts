import { z } from 'zod';

/** What the page of a question leaves behind in the browser of who reads it. */
export default z.object({
  /** Where to say that it was read; null for a question whose views do not count. */
  seen: z.string().nullable(),
  title: z.string(),
  /** Names of the drafts that became what stands here. */
  sent: z.array(z.string()),
});
